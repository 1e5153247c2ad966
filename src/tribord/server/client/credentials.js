/**
 * Credentials: the tables at which this device sits, with the secret of each. Secrets are only kept here: never in an
 * address, never on the screen.
 */
const KEY = "tribord.credentials";
const FORMER_KEY = "tribord.berths"; // up to protocol 1: phones that sat at a table then still do

/** @typedef {{table: string, code: string, guest: number, secret: string, game: string, since: number, home?: string | null, over?: boolean, added?: import("./contribution.js").Added | null}} Credentials
 *   `over`: the match has ended; `added`: to its dice, by this device */

/** @returns {Credentials[]} the latest first */
export function allCredentials() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? localStorage.getItem(FORMER_KEY) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {string} name a table's id or code @returns {Credentials | undefined} */
export function credentialsAt(name) {
  return allCredentials().find(({ table, code }) => table === name || code === name);
}

/** @param {Omit<Credentials, "since">} credentials */
export function keep(credentials) {
  const others = allCredentials().filter(({ table }) => table !== credentials.table);
  write([{ ...credentials, since: Date.now() }, ...others].slice(0, 24));
}

/** The match at a table has ended. @param {string} table */
export function finish(table) {
  const now = allCredentials();
  if (now.some((kept) => kept.table === table && !kept.over)) write(now.map((kept) => (kept.table === table ? { ...kept, over: true } : kept)));
}

/** This device's contribution to a table's dice. @param {string} table @param {import("./contribution.js").Added | null} added */
export function note(table, added) {
  write(allCredentials().map((kept) => (kept.table === table ? { ...kept, added } : kept)));
}

/** @param {string} table */
export function leave(table) {
  write(allCredentials().filter((kept) => kept.table !== table));
}

/** @param {Credentials[]} kept */
function write(kept) {
  localStorage.setItem(KEY, JSON.stringify(kept));
  localStorage.removeItem(FORMER_KEY);
}
