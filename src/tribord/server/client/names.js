/** First names: suggestions for people without a name, and whether a name is already taken. */
import { app } from "./app.js";
import { set, settings } from "./settings.js";

/** A name reduced to its sound: names that sound alike are too similar. @param {string} name */
function alike(name) {
  return name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

/** Whether someone has this name. @param {string} name @param {string[]} taken */
export function isTaken(name, taken) {
  return taken.some((other) => alike(other) === alike(name));
}

/** A first name that nobody has. @param {string[]} taken */
export function suggested(taken) {
  const free = app.house.names.filter((name) => !isTaken(name, taken));
  return free[Math.floor(Math.random() * free.length)] ?? "";
}

/** The known name of the person at this device, else a suggestion. @param {string[]} [taken] names at their table */
export function ownName(taken = []) {
  return settings.nickname && !isTaken(settings.nickname, taken) ? settings.nickname : suggested(taken);
}

/** Remember the name of the person at this device, for the next table too. @param {string} nickname */
export function remember(nickname) {
  if (nickname && nickname !== settings.nickname) set({ nickname });
}

/** The names at a table. @param {import("./contract.js").TableInfo} info @param {(held: import("./contract.js").Seat) => boolean} [but] */
export function namesAt(info, but = () => false) {
  const seated = info.seats.filter((held) => !but(held)).map((held) => held.name);
  return [...info.guests.map(({ nickname }) => nickname), ...seated].filter(Boolean);
}
