/** Narrates events as the page does. Reads {narration, names, language, cases: [{event, people, you}]}, writes what is
said. */
import { text } from "node:stream/consumers";

import { narrated } from "../../src/tribord/server/client/narration.js";

const { narration, names, language, cases } = JSON.parse(await text(process.stdin));
const word = (sort, value) => names[sort]?.[String(value)] ?? String(value);
const said = cases.map(({ event, people, you }) => narrated(event, { language, narration, word, you, person: (seat) => people[seat] ?? "" }));
process.stdout.write(JSON.stringify(said));
