/** HTTP: ask the server for things that aren't live. A refusal is thrown with its sentence. */
import { randomHex } from "./random.js";
import { _, local } from "./words.js";

const TRIES = 4;

export class Refused extends Error {
  /** @param {import("./contract.js").Refusal} refusal */
  constructor(refusal) {
    super(local(refusal));
    this.code = refusal.code;
  }
}

/** What to tell people about an error: the server’s own sentence, never a browser’s. @param {unknown} error */
export function sorry(error) {
  return error instanceof Refused ? error.message : _("Connection lost. Try again.");
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

/**
 * A request that the server carries out once for each id; repeat it if the answer is lost.
 * @param {string} path @param {any} body @param {string} [id] @returns {Promise<any>}
 */
export async function askOnce(path, body, id = randomHex(16)) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask(path, { body: { ...body, id } });
    } catch (error) {
      const final = error instanceof Refused && error.code !== "restarting"; // another worker may take it
      if (final || attempt === TRIES) throw error;
      await new Promise((again) => setTimeout(again, 200 * 2 ** attempt * Math.random()));
    }
  }
}

/** @param {string} path @param {{secret?: string}} [asked] @returns {Promise<string>} */
export async function askText(path, asked) {
  return (await request(path, asked)).text();
}

/**
 * A slow request with its progress line by line. Abort it to cancel.
 * @param {string} path @param {AbortSignal} signal @param {(line: any) => void} heard
 */
export async function askLines(path, signal, heard) {
  const { body } = await request(path, { method: "POST", signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) heard(JSON.parse(line));
  }
}
