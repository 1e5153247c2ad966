/** Faut pas pousser: the ship, the plank with four pirates above the sea, five piles below, your cards at the thumb. */
import { lead } from "/page/app.js";
import { html, nothing, repeat, svg } from "/page/lit.js";
import { pirate, token } from "/page/drawing/pirate.js";
import { place } from "/page/drawing/place.js";
import { fin, sea, splash } from "/page/drawing/sea.js";
import { stern } from "/page/drawing/ship.js";
import { _, capital, local, name } from "/page/words.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("/page/contract.js").GameEvent} GameEvent */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {{crew: string, pirate: number}} Pirate */

const CREWS = ["blue", "green", "red", "yellow"];
const VALUES = [1, 2, 3, 4, 5, 6];
const CARDS = [-1, -2, -3, 1, 2];
const ALL = CREWS.flatMap((crew) => VALUES.map((value) => ({ crew, pirate: value })));

/** Where things stand, on a wide and on a tall drawing. */
const LAYOUT = {
  wide: { ship: 250, deck: 194, plank: [238, 826], thick: 34, slot: 328, step: 136, size: 1.12, brink: [852, 232], sea: 272, fin: 1030, pile: 338, pileStep: 188, pileY: 396, pool: [86, 62], small: 0.58, apart: [74, 56], side: [932, 26], hull: 192 },
  tall: { ship: 118, deck: 178, plank: [108, 648], thick: 36, slot: 176, step: 131, size: 1.12, brink: [656, 228], sea: 256, fin: 250, pile: 84, pileStep: 138, pileY: 382, pool: [64, 60], small: 0.54, apart: [54, 54], side: [0, 508], hull: 132 },
};

/** @param {Pirate} one */
const key = ({ crew, pirate: value }) => `${crew}${value}`;
/** @param {number} card */
const sign = (card) => (card > 0 ? `+${card}` : `−${-card}`);
/** @param {number} number */
const crewOf = (number) => CREWS[number] ?? "blue";

// -- the scene --------------------------------------------------------------------------------------------------------

/** @param {import("/page/contract.js").View} view @returns {Scene} */
function scene(view) {
  return {
    plank: view["plank"],
    piles: view["piles"],
    crews: view["crews"],
    picked: view["picked"],
    picks: view["picks"],
    toPlay: view["to_play"],
    phase: view["phase"],
    bubble: null, // the crew that says “Non merci !”
    moved: null, // the key of the pirate that moved last
    splash: -1, // the pile into which somebody has just fallen
  };
}

/** @param {Scene} before @param {GameEvent} event @returns {import("/page/contract.js").Step} */
function step(before, { kind, fields }) {
  const now = { ...before, bubble: null, splash: -1, toPlay: fields["crew"] === undefined ? before["toPlay"] : crewOf(fields["crew"]) };
  const crew = crewOf(fields["crew"] ?? 0);
  const value = fields["pirate"] ?? 0;
  const slot = (fields["slot"] ?? 1) - 1;
  /** @type {Pirate[]} */
  const plank = [...before["plank"]];
  switch (kind) {
    case "chosen":
      return { scene: { ...now, picked: [...before["picked"], crew] }, cue: { sound: "paper", ms: 200 } };
    case "installed":
      plank[slot] = { crew, pirate: value };
      return { scene: { ...now, plank: plank.filter(Boolean), crews: without(before["crews"], crew, value), moved: `${crew}${value}`, phase: "playing", picked: [] }, cue: { sound: "knock", ms: 380 } };
    case "moves": {
      const [taken] = plank.splice(slot, 1);
      if (taken) plank.splice((fields["goal"] ?? 1) - 1, 0, taken);
      return { scene: { ...now, plank, crews: played(before["crews"], crew, fields["card"] ?? 0), moved: taken ? key(taken) : null }, cue: { sound: "knock", ms: 520 } };
    }
    case "stays":
      return { scene: { ...now, crews: played(before["crews"], crew, fields["card"] ?? 0) }, cue: { sound: "paper", ms: 350 } };
    case "falls": {
      const pile = (fields["pile"] ?? 1) - 1;
      const left = plank.filter((one) => key(one) !== `${crew}${value}`);
      /** @type {Pirate[][]} */
      const piles = before["piles"].map((/** @type {Pirate[]} */ here, /** @type {number} */ k) => (k === pile ? [...here, { crew, pirate: value }] : here));
      return { scene: { ...now, toPlay: before["toPlay"], plank: left, piles, splash: pile, moved: `${crew}${value}` }, cue: { sound: "splash", depth: pile, ms: 760 } };
    }
    case "enters":
      plank.splice(slot, 0, { crew, pirate: value });
      return { scene: { ...now, plank, crews: without(before["crews"], crew, value), moved: `${crew}${value}` }, cue: { sound: "knock", ms: 480 } };
    case "passes":
    case "neutral-pass":
      return { scene: { ...now, bubble: crew }, cue: { sound: "paper", ms: 700 } };
    case "wins":
    case "shares":
      return { scene: now, cue: { sound: "fanfare", ms: 300 } };
    case "scores":
    case "captain":
      return { scene: { ...now, moved: value ? `${crew}${value}` : before["moved"] }, cue: { sound: "knock", ms: 380 } };
    default:
      return { scene: now, cue: { ms: 240 } };
  }
}

/** @param {any[]} crews @param {string} crew @param {number} value */
function without(crews, crew, value) {
  return crews.map((one) => (one.crew === crew ? { ...one, pirates: one.pirates.filter((/** @type {number} */ v) => v !== value) } : one));
}

/** @param {any[]} crews @param {string} crew @param {number} card */
function played(crews, crew, card) {
  return crews.map((one) => (one.crew === crew ? { ...one, cards: one.cards.filter((/** @type {number} */ c) => c !== card) } : one));
}

// -- looking ahead ----------------------------------------------------------------------------------------------------

/** @param {Choice} choice */
function foresee(choice) {
  const pirateFirst = choice.touchedValue("order") === "pirate-first" && choice.touchedValue("pirate") !== undefined;
  const aimed = choice.touchedValue("card") !== undefined && choice.touchedValue("slot") !== undefined;
  return (pirateFirst || aimed) && choice.left[0] ? choice.left[0].action : null;
}

/** How far the look ahead is certain: to what was settled, and not to what the first action at hand happens to do. @param {Desk} desk */
function ahead({ scene: now, choice, foreseen }) {
  if (!choice || !foreseen) return { scene: now, events: /** @type {GameEvent[]} */ ([]) };
  const settled = { pirate: choice.touchedValue("pirate") !== undefined, card: choice.touchedValue("card") !== undefined && choice.touchedValue("slot") !== undefined };
  let count = 0;
  for (const event of foreseen.events) {
    const part = event.kind === "moves" || event.kind === "stays" ? "card" : event.kind === "falls" || event.kind === "enters" ? "pirate" : "";
    if (!part || !settled[/** @type {"card" | "pirate"} */ (part)]) break;
    count++;
  }
  return { scene: foreseen.scenes[count] ?? now, events: foreseen.events.slice(0, count) };
}

// -- the drawing ------------------------------------------------------------------------------------------------------

/** @param {Desk} desk */
function draw(desk) {
  const at = LAYOUT[desk.shape];
  const [width, height] = board.size[desk.shape];
  const look = ahead(desk);
  const fallen = new Set(look.events.filter((e) => e.kind === "falls").map((e) => `${crewOf(e.fields["crew"] ?? 0)}${e.fields["pirate"]}`));
  const entered = new Set(look.events.filter((e) => e.kind === "enters").map((e) => `${crewOf(e.fields["crew"] ?? 0)}${e.fields["pirate"]}`));
  const [from = 0, to = 0] = at.plank;
  const places = [9, 8, 7, 6].map((points, i) => ({ points, slot: i + 1, x: at.slot + i * at.step }));
  const aimed = desk.choice?.touchedValue("slot");
  const standing = at.deck - 47 * at.size;
  return svg`<g class="fpp">
    <rect class="sky" x="-20" y="-400" width=${width + 2000} height=${height + 400} />
    ${sea(0, at.sea, width + 1000, height - at.sea + 400)}
    ${fin(at.fin, at.sea + 38)}
    ${[0, 1, 2, 3, 4].map((k) => pool(desk, at, k, look.scene))}
    ${stern(at.ship, at.deck - 10, at.hull)}
    <path class="plank" d=${`M${from} ${at.deck}H${to - 16}L${to} ${at.deck + at.thick}H${from}Z`} />
    <path class="grain" d=${places.map(({ x }) => `M${x - 56} ${at.deck + at.thick / 2}h28m56 0h28`).join("")} />
    ${places.map(({ points, slot, x }) => svg`<g class=${`spot ${aimed === slot ? "aimed" : ""}`} transform=${`translate(${x} ${at.deck})`}>
      <rect x="-21" y="5" width="42" height=${at.thick - 9} rx="5" /><text class="place" y=${at.thick / 2 + 10}>${slot}</text>
      <text class="worth" y=${at.thick + 27}>${_("{points} pts", { points })}</text></g>`)}
    ${ripples(at, look.scene, fallen)}
    <g aria-hidden="true">${repeat(ALL, key, (one) => piece(desk, at, look.scene, one, standing, fallen, entered))}</g>
    ${arrows(at, look, standing)}
    ${targets(desk, at, look, standing)}
    ${desk.scene["splash"] >= 0 ? splash(...swim(at, desk.scene["splash"], desk.scene["piles"][desk.scene["splash"]].length - 1)) : nothing}
    ${standings(desk, at)}</g>`;
}

/** A pile in the sea, and what it is worth. @param {Desk} desk @param {typeof LAYOUT.wide} at @param {number} k @param {Scene} now */
function pool(desk, at, k, now) {
  const x = at.pile + k * at.pileStep;
  const [rx = 0, ry = 0] = at.pool;
  const here = now["piles"]?.[k]?.length ?? 0;
  const filling = here < 4 && (k === 0 || now["piles"]?.[k - 1]?.length === 4);
  return svg`<g class=${filling ? "pool filling" : "pool"}>
    <ellipse cx=${x} cy=${at.pileY} rx=${rx} ry=${ry} />
    <text x=${x} y=${at.pileY + ry + 32}>${k === 0 ? _("{points} pt", { points: 1 }) : _("{points} pts", { points: k + 1 })}</text>
  </g>`;
}

/**
 * One of the 24 pirates, wherever it is: aboard, on the plank, in the sea, or about to fall.
 * @param {Desk} desk @param {typeof LAYOUT.wide} at @param {Scene} now @param {Pirate} one @param {number} standing
 * @param {Set<string>} fallen @param {Set<string>} entered
 */
function piece(desk, at, now, one, standing, fallen, entered) {
  const id = key(one);
  const slot = now["plank"].findIndex((/** @type {Pirate} */ p) => key(p) === id);
  let [x, y, scale, turn] = [at.ship * 0.55, standing, at.size * 0.8, 0];
  let sort = "aboard";
  if (slot >= 0) [x, y, scale, sort] = [at.slot + slot * at.step, standing, at.size, entered.has(id) ? "newcomer" : "standing"];
  else if (fallen.has(id)) [x, y, scale, turn, sort] = [at.brink[0] ?? 0, at.brink[1] ?? 0, at.size * 0.86, 38, "doomed"];
  else {
    now["piles"].forEach((/** @type {Pirate[]} */ pile, /** @type {number} */ k) => {
      const place = pile.findIndex((p) => key(p) === id);
      if (place < 0) return;
      sort = "swims";
      scale = at.small;
      [x, y] = swim(at, k, place);
    });
  }
  const moved = now["moved"] === id ? "moved" : "";
  return svg`<g class=${`piece moves ${sort} ${moved} ${sort === "swims" ? "falls" : ""}`} ${place(x, y, scale, turn)}>
    ${sort === "aboard" || sort === "swims" ? nothing : svg`<ellipse class="wake" cy="50" rx="40" ry="8" />`}${pirate(one.crew, one.pirate, { badge: sort !== "swims" || desk.shape === "wide" })}</g>`;
}

/** The rings in the water, below all who swim: none lies over the head of the next. @param {typeof LAYOUT.wide} at @param {Scene} now @param {Set<string>} fallen */
function ripples(at, now, fallen) {
  return now["piles"].map((/** @type {Pirate[]} */ pile, /** @type {number} */ k) =>
    pile.map((one, nth) => {
      if (fallen.has(key(one)) || now["moved"] === key(one)) return nothing;
      const [x, y] = swim(at, k, nth);
      return svg`<ellipse class="ripple" cx=${x} cy=${y + 50 * at.small} rx=${40 * at.small} ry=${8 * at.small} />`;
    }),
  );
}

/** Where somebody swims, two by two. @param {typeof LAYOUT.wide} at @param {number} pile @param {number} nth @returns {[number, number]} */
function swim(at, pile, nth) {
  const [across = 0, down = 0] = at.apart;
  return [at.pile + pile * at.pileStep + ((nth % 2) - 0.5) * across, at.pileY + (Math.floor(nth / 2) - 0.5) * down];
}

/** Where a pirate of the plank is seen: the look ahead may have moved it, even off. @param {typeof LAYOUT.wide} at @param {Scene} now @param {string} id @param {number} standing @returns {[number, number]} */
function seen(at, now, id, standing) {
  const slot = now["plank"].findIndex((/** @type {Pirate} */ p) => key(p) === id);
  return slot < 0 ? [at.brink[0] ?? 0, at.brink[1] ?? 0] : [at.slot + slot * at.step, standing];
}

/**
 * What would happen, as arrows: from where somebody is to where they are seen in the end, and into the pile they fall into.
 * @param {typeof LAYOUT.wide} at @param {{scene: Scene, events: GameEvent[]}} look @param {number} standing
 */
function arrows(at, look, standing) {
  return look.events.map(({ kind, fields }) => {
    if (kind === "moves" || kind === "stays") {
      const [b, y] = seen(at, look.scene, `${crewOf(fields["owner"] ?? 0)}${fields["pirate"]}`, standing);
      const [top, end] = [standing - 60 * at.size, y - 60 * at.size];
      if (kind === "stays") return svg`<text class="vain" x=${b} y=${end - 14}>${_("no effect")}</text>`;
      const from = at.slot + ((fields["slot"] ?? 1) - 1) * at.step;
      const a = from === b ? b - 44 : from; // moved, and pushed back to where it was
      return svg`<circle class="arrow-tail" cx=${a} cy=${top + 6} r="6" /><path class="arrow" d=${`M${a} ${top + 6}Q${(a + b) / 2} ${top - 44} ${b} ${end}`} /><path class="arrow-head" d=${`M${b - 13} ${end - 16}L${b} ${end + 2}L${b + 13} ${end - 16}`} />`;
    }
    if (kind === "falls") {
      const x = at.pile + ((fields["pile"] ?? 1) - 1) * at.pileStep;
      const [end, start] = [at.pileY - (at.pool[1] ?? 0) + 2, (at.brink[1] ?? 0) + 58];
      return svg`<path class="arrow at-sea" d=${`M${at.brink[0]} ${start}Q${x} ${start - 6} ${x} ${end}`} /><path class="arrow-head at-sea" d=${`M${x - 13} ${end - 14}l13 18l13-18`} />`;
    }
    return nothing;
  });
}

/**
 * Those on the plank that an action card may be aimed at, at the moment it resolves. Each is touched where it is seen: the
 * look ahead may already have moved it.
 * @param {Desk} desk @param {typeof LAYOUT.wide} at @param {{scene: Scene, events: GameEvent[]}} look @param {number} standing
 */
function targets(desk, at, look, standing) {
  const { choice, foreseen } = desk;
  if (!choice || choice.touchedValue("card") === undefined) return nothing;
  const aimed = choice.touchedValue("slot");
  const resolves = look.events.findIndex((event) => event.kind === "moves" || event.kind === "stays");
  const then = (resolves >= 0 ? foreseen?.scenes[resolves] : null) ?? look.scene;
  return choice.values("slot").map((slot) => {
    /** @type {Pirate | undefined} */
    const one = then["plank"][slot - 1];
    if (!one) return nothing;
    const [x, y] = seen(at, look.scene, key(one), standing);
    const label = _("Slot {slot}: {pirate} {crew}", { slot, pirate: name("pirate", one.pirate), crew: name("crew_of", one.crew) });
    const touch = () => desk.pick("slot", slot);
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      touch();
      lead(event, choice.touchedValue("pirate") === undefined ? "[data-pirate]:not([disabled])" : ".act .primary");
    };
    return svg`<g class=${`target ${aimed === slot ? "aimed" : ""} ${aimed === undefined ? "asked" : ""}`} role="button" tabindex="0" aria-label=${label} aria-pressed=${aimed === slot ? "true" : "false"} data-slot=${slot} @click=${touch} @keydown=${press}>
      <rect x=${x - 62} y=${y - 64} width="124" height="122" rx="18" /></g>`;
  });
}

/** The crews: who they are, what they have, whose turn it is. @param {Desk} desk @param {typeof LAYOUT.wide} at */
function standings(desk, at) {
  const [left = 0, top = 0] = at.side;
  const wide = desk.shape === "wide";
  const now = desk.scene;
  return (now["crews"] ?? []).map((/** @type {any} */ crew, /** @type {number} */ i) => {
    const x = wide ? left : 5 + i * 179;
    const y = wide ? top + i * 57 : top;
    const person = crew.seat === null ? capital(_("neutral")) : crew.seat === desk.seat ? _("You") : desk.name(crew.seat);
    const picked = now["phase"] === "picking" && now["picked"].includes(crew.crew);
    const deciding = now["phase"] === "picking" ? crew.seat !== null && !picked : now["toPlay"] === crew.crew;
    const points = crew.seat === null ? "–" : now["phase"] === "picking" ? (picked ? "✓" : "…") : String(crew.points);
    const short = person.length > (wide ? 16 : 12) ? `${person.slice(0, wide ? 15 : 11)}…` : person;
    return svg`<g class=${`crew-line ${deciding ? "deciding" : ""}`} transform=${`translate(${x} ${y})`}>
      <rect width=${wide ? 256 : 172} height=${wide ? 48 : 78} rx="14" />
      <g transform=${wide ? "translate(27 23) scale(0.38)" : "translate(26 56) scale(0.42)"}>${token(crew.crew)}</g>
      <text class="who" x=${wide ? 54 : 10} y=${wide ? 30 : 28}>${short}</text>
      <text class="points" x=${wide ? 240 : 58} y=${wide ? 31 : 66} text-anchor=${wide ? "end" : "start"}>${points}</text>
      ${now["bubble"] === crew.crew ? svg`<g class="bubble" transform=${wide ? "translate(-180 2)" : "translate(2 -50)"}><path d="M8 0H160q8 0 8 8V36q0 8-8 8H8q-8 0-8-8V8q0-8 8-8Z" /><text x="84" y="31">Non merci !</text></g>` : nothing}
    </g>`;
  });
}

// -- the hand ---------------------------------------------------------------------------------------------------------

/** @param {Desk} desk */
function hand(desk) {
  const { choice, scene: now, seat } = desk;
  const mine = (now["crews"] ?? []).find((/** @type {any} */ crew) => crew.seat === seat);
  if (!mine || now["phase"] === "over") return nothing;
  const picking = choice?.offers("kind", "pick") ?? false;
  const chosen = now["picks"]?.[mine.crew];
  const touched = (/** @type {string} */ part) => choice?.touchedValue(part);
  const touch = (/** @type {string} */ part, /** @type {any} */ value) => {
    if (!choice) return;
    const other = part === "pirate" ? "card" : "pirate";
    // Which comes first is what was touched first, until somebody says otherwise below.
    if (!picking && touched("order") === undefined && touched(other) === undefined) {
      desk.pick("order", part === "pirate" ? "pirate-first" : "action-first");
    }
    if (touched("kind") === "pass") desk.pick("kind", "turn");
    desk.pick(part, value);
  };
  const pirates = VALUES.map((value) => {
    const held = mine.pirates.includes(value);
    const on = touched("pirate") === value || chosen === value;
    return html`<button class=${`card pirate-card ${on ? "on" : ""} ${held ? "" : "gone"}`} ?disabled=${!choice?.offers("pirate", value)} aria-pressed=${on ? "true" : "false"}
      aria-label=${capital(name("pirate", value))} data-pirate=${value} @click=${() => touch("pirate", value)}>
      <svg viewBox="-54 -66 108 118" aria-hidden="true">${held ? pirate(mine.crew, value, { badge: false }) : nothing}</svg><b>${value}</b></button>`;
  });
  const cards = CARDS.map((card) => {
    const held = mine.cards.includes(card);
    const on = touched("card") === card;
    return html`<button class=${`card action-card ${on ? "on" : ""} ${held ? "" : "gone"}`} ?disabled=${!choice?.offers("card", card)} aria-pressed=${on ? "true" : "false"}
      aria-label=${capital(name("card_aloud", card))} data-card=${card} @click=${(/** @type {Event} */ event) => {
        touch("card", card);
        lead(event, "[data-slot]");
      }}>
      <b>${sign(card)}</b><small>${card > 0 ? _("to the sea") : _("to the ship")}</small></button>`;
  });
  const passing = touched("kind") === "pass";
  return html`<div class=${`fpp fpp-hand ${mine.crew}`}>
    <div class="cards" role="group" aria-label=${_("Your pirates")}>${pirates}</div>
    <div class="cards" role="group" aria-label=${_("Your action cards")}>${cards}
      <button class=${`card pass-card ${passing ? "on" : ""} ${mine.pass ? "" : "gone"}`} ?disabled=${!choice?.offers("kind", "pass")} aria-pressed=${passing ? "true" : "false"} data-pass
        @click=${(/** @type {Event} */ event) => {
          desk.pick("kind", "pass");
          lead(event, ".act .primary");
        }}><b>Non merci !</b><small>${_("pass")}</small></button></div>
    ${choice && !picking ? order(desk, choice) : nothing}
  </div>`;
}

/** The pirate first, or the action? @param {Desk} desk @param {Choice} choice */
function order(desk, choice) {
  const now = choice.touchedValue("order");
  const idle = choice.touchedValue("kind") === "pass" || choice.touchedValue("pirate") === undefined || choice.touchedValue("card") === undefined;
  const flip = (/** @type {string} */ value) => () => desk.pick("order", value);
  return html`<div class=${`order ${idle ? "idle" : ""}`} role="group" aria-label=${_("In which order?")}>
    <button aria-pressed=${now === "pirate-first" ? "true" : "false"} @click=${flip("pirate-first")}>${_("Pirate first")}</button>
    <button aria-pressed=${now === "action-first" ? "true" : "false"} @click=${flip("action-first")}>${_("Action first")}</button>
  </div>`;
}

/** @param {Choice} choice */
function ask(choice) {
  const touched = (/** @type {string} */ part) => choice.touchedValue(part);
  if (choice.action !== null) return local(choice.cards[choice.action] ?? { fr: "", en: "" }) + ".";
  if (choice.offers("kind", "pick")) return _("Pick your first pirate, in secret.");
  if (touched("card") !== undefined && touched("slot") === undefined) return _("On the plank, touch the pirate that {card} moves.", { card: sign(touched("card")) });
  if (touched("card") !== undefined) return _("Now one of your pirates.");
  if (touched("pirate") !== undefined) return _("Now an action card.");
  return choice.offers("kind", "pass") ? _("Your turn: a pirate and an action card, or “Non merci !”.") : _("Your turn: a pirate and an action card.");
}

/** @param {Choice} choice */
function verb(choice) {
  const kind = choice.settled["kind"];
  return kind === "pick" ? _("Pick") : kind === "pass" ? _("Pass") : _("Play");
}

/** @param {Choice} choice */
function rule(choice) {
  if (choice.offers("kind", "pick")) return "F3";
  if (choice.touchedValue("kind") === "pass") return "F7";
  if (choice.touchedValue("card") !== undefined && choice.touchedValue("slot") === undefined) return "F9";
  return choice.touchedValue("pirate") !== undefined ? "F10" : "F6";
}

/** A step back for a person: a card, never the order alone. @param {Choice} choice */
function back(choice) {
  const last = choice.touched.filter(([part]) => part !== "order").at(-1);
  const before = last ? choice.back(last[0]) : choice;
  return before.touched.every(([part]) => part === "order") ? before.back("order") : before;
}

/** The score sheet, as on paper. @param {import("/page/contract.js").View} view @param {(seat: number) => import("/page/contract.js").Drawn} who */
function sheet(view, who) {
  const crews = view["crews"].filter((/** @type {any} */ crew) => crew.seat !== null).sort((/** @type {any} */ a, /** @type {any} */ b) => b.points - a.points);
  const best = crews[0]?.points;
  return html`<div class="fpp scroll" tabindex="0" role="region" aria-label=${_("Score sheet")}><table class="sheet-table">
    <thead><tr><th scope="col"><span class="unseen">${_("Crew")}</span> <small aria-hidden="true">${_("pile")}</small></th>${[1, 2, 3, 4, 5].map((k) => html`<th scope="col"><span class="unseen">${_("pile {pile}", { pile: k })}</span><span aria-hidden="true">${k}</span></th>`)}<th scope="col">${_("plank")}</th><th scope="col">${_("total")}</th></tr></thead>
    <tbody>${crews.map((/** @type {any} */ crew) => {
      const sea = [1, 2, 3, 4, 5].map((k) => view["piles"][k - 1].filter((/** @type {Pirate} */ p) => p.crew === crew.crew).length * k);
      return html`<tr class=${crew.points === best ? "winner" : ""}><th scope="row"><svg class="mini" viewBox="-56 -56 112 112" aria-hidden="true">${token(crew.crew)}</svg> ${who(crew.seat)} <small>${name("colour", crew.crew)}</small></th>
        ${sea.map((points) => html`<td>${points || "·"}</td>`)}<td>${crew.points - sea.reduce((a, b) => a + b, 0) || "·"}</td><td class="sum">${crew.points}</td></tr>`;
    })}</tbody></table></div>`;
}

/** @type {import("/page/contract.js").Board} */
export const board = { size: { wide: [1200, 530], tall: [720, 594] }, scene, step, brief: ["chosen"], draw, hand, ask, verb, rule, foresee, back, sheet };
