/** HTTP: asking the server for things that are not live. What it refuses is thrown as its own sentence. */
import { local } from "./words.js";

export class Refused extends Error {
  /** @param {import("./contract.js").Refusal} refusal */
  constructor(refusal) {
    super(local(refusal));
    this.code = refusal.code;
  }
}

/**
 * @param {string} path @param {{body?: any, secret?: string, method?: string, signal?: AbortSignal}} [asked]
 * @returns {Promise<Response>}
 */
async function request(path, { body, secret, method, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (secret) headers.authorization = `Bearer ${secret}`;
  const sent = body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(path, { method: method ?? (sent ? "POST" : "GET"), headers, body: sent, signal: signal ?? null });
  if (!answer.ok) throw new Refused(await answer.json());
  return answer;
}

/** @param {string} path @param {{body?: any, secret?: string, signal?: AbortSignal}} [asked] @returns {Promise<any>} */
export async function ask(path, asked) {
  return (await request(path, asked)).json();
}

/** @param {string} path @param {{secret?: string}} [asked] @returns {Promise<string>} */
export async function askText(path, asked) {
  return (await request(path, asked)).text();
}
