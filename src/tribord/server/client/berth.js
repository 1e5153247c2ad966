/**
 * Berths: the tables at which this device sits, with the secret of each. Secrets are kept here and nowhere else: never
 * in an address, never in what is shown.
 */
const KEY = "tribord.berths";

/** @typedef {{table: string, code: string, guest: number, secret: string, game: string, since: number, over?: boolean}} Berth `over`: the match has ended */

/** @returns {Berth[]} the latest first */
export function berths() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {string} name a table's id or code @returns {Berth | undefined} */
export function berthAt(name) {
  return berths().find((berth) => berth.table === name || berth.code === name);
}

/** @param {Omit<Berth, "since">} berth */
export function keep(berth) {
  const others = berths().filter((other) => other.table !== berth.table);
  write([{ ...berth, since: Date.now() }, ...others].slice(0, 24));
}

/** The match at a table has ended. @param {string} table */
export function finish(table) {
  const now = berths();
  if (now.some((berth) => berth.table === table && !berth.over)) write(now.map((berth) => (berth.table === table ? { ...berth, over: true } : berth)));
}

/** @param {string} table */
export function leave(table) {
  write(berths().filter((berth) => berth.table !== table));
}

/** @param {Berth[]} kept */
function write(kept) {
  localStorage.setItem(KEY, JSON.stringify(kept));
}
