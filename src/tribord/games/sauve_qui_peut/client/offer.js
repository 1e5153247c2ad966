/** Typed offers: promise a vote, ask for one, propose an alliance. They bind nobody (S10), but the result shows who kept them. */
import { app } from "/page/app.js";
import { html, nothing } from "/page/lit.js";
import { token } from "/page/drawing/pirate.js";
import { _, capital, name } from "/page/words.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").MadeOffer} MadeOffer */

const CREWS = ["blue", "green", "red", "yellow", "lilac", "bone"];

/** @typedef {{seat: number, offer: Record<string, any>, to?: number[]}} Said an offer as it was made, to everyone or to some */

/** The offers of this round that are known here, the latest first. @param {Desk} desk @returns {Said[]} */
export function offersNow({ log = [], seat }) {
  const round = log.findLastIndex(({ events }) => events?.some(({ kind, rule }) => kind === "baton" && rule === "S19"));
  const said = log.slice(round + 1).flatMap((update) => (update.said?.offer ? [/** @type {Said} */ (update.said)] : []));
  return said.filter(({ to }) => seat >= 0 || !to).reverse(); // spectators don't see private talk
}

/** What has been filled in so far: it must survive a redraw of the page. */
const draft = { open: false, kind: "promise", vote: "leak", lane: "", crew: "", to: "" };

/** Open the form: someone at the board wants to make an offer. @param {Desk} desk */
export function parley(desk) {
  draft.open = true;
  desk.talk?.();
}

/** @param {Desk} desk @param {import("/page/contract.js").Parley} parley */
export function offer(desk, { guests, make }) {
  const now = /** @type {import("./scene.js").Scene} */ (/** @type {any} */ (desk.scene));
  const lanes = (now.boats ?? []).filter(({ where }) => where === "at-sea").map(({ lane }) => [String(lane), name("lane", lane)]);
  const others = (now.crews ?? []).filter(({ seat }) => seat !== desk.seat);
  // An offer is about this round: a vote that is over can't be offered any more.
  const votes = { placing: 3, leak: 3, overboard: 2, advance: 1 }[now.phase] ?? 0;
  const open = /** @type {[string, string][]} */ ([["leak", _("which boat gets the leak")], ["overboard", _("who goes overboard")], ["advance", _("which boat advances")]]).slice(3 - votes);
  if (!open.some(([vote]) => vote === draft.vote)) draft.vote = open[0]?.[0] ?? "";
  const alliance = draft.kind === "alliance";
  const boats = !alliance && draft.vote !== "overboard";
  const crews = (alliance ? others : (now.crews ?? [])).map(({ crew, seat }) => [crew, `${capital(name("crew", crew))} · ${seat === desk.seat ? _("You") : desk.name(seat)}`]);
  const targets = /** @type {[string, string][]} */ (boats ? lanes : crews);
  const about = boats ? "lane" : "crew";
  if (!targets.some(([value]) => value === draft[about])) draft[about] = targets[0]?.[0] ?? "";
  if (draft.to && !guests.some(({ guest }) => String(guest) === draft.to)) draft.to = "";

  /** @param {"kind" | "vote" | "lane" | "crew" | "to"} part @param {string} label @param {[string, string][]} values */
  const select = (part, label, values) => html`<label class="field"><span>${label}</span>
    <select name=${part} @change=${(/** @type {any} */ event) => {
      draft[part] = event.target.value;
      app.redraw();
    }}>${values.map(([value, title]) => html`<option value=${value} ?selected=${draft[part] === value}>${title}</option>`)}</select></label>`;
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const target = boats ? { lane: Number(draft.lane) } : { crew: draft.crew };
    await make({ kind: draft.kind, ...(alliance ? {} : { vote: draft.vote }), ...target }, draft.to ? [Number(draft.to)] : undefined);
  };
  const unfold = (/** @type {any} */ event) => {
    draft.open = event.target.open;
  };
  return html`<details class="sqp-parley" .open=${draft.open} @toggle=${unfold}><summary>${_("Make an offer")}</summary>${votes ? nothing : html`<p class="fine">${_("This round’s votes are over: make your offers next round.")}</p>`}<form ?hidden=${!votes} class="sqp-offer" @submit=${submit} aria-label=${_("An offer")}>
    ${select("kind", _("I"), [["promise", _("promise a vote")], ["ask", _("ask for a vote")], ["alliance", _("propose an alliance")]])}
    ${alliance ? nothing : select("vote", _("about"), open)}
    ${select(about, alliance ? _("with") : boats ? _("for the boat") : _("against"), targets)}
    ${guests.length ? select("to", _("said to"), [["", _("everyone")], ...guests.map(({ guest, nickname }) => /** @type {[string, string]} */ ([String(guest), nickname]))]) : nothing}
    <button ?disabled=${!targets.length}>${_("Offer")}</button>
    <p class="fine">${_("It’s for this round and binds no one, but the result shows who kept their word.")}</p>
  </form></details>`;
}

/** An offer as a sentence, as the log has it. @param {Said} made */
export function sentence({ seat, offer: { kind, vote, lane, crew } }) {
  const fields = { seat: capital(name("crew", seat)), lane: name("lane", lane), crew: name("crew", crew), crew_to: name("crew_to", crew) };
  if (kind === "alliance") return _("{seat} proposes an alliance {crew_to} for this round.", fields);
  const promise = kind === "promise";
  if (vote === "leak") return promise ? _("{seat} promises to vote for a leak in {lane}.", fields) : _("{seat} asks for votes for a leak in {lane}.", fields);
  if (vote === "advance") return promise ? _("{seat} promises to vote for {lane} to advance.", fields) : _("{seat} asks for votes for {lane} to advance.", fields);
  return promise ? _("{seat} promises to vote against {crew}.", fields) : _("{seat} asks for votes against {crew}.", fields);
}

/** What became of an offer, in a word, and whether it does its maker honour. @param {MadeOffer} made @returns {[string, string]} */
function fate({ offer: { kind }, kept }) {
  if (kind === "ask") return kept?.length ? ["kept", _("Granted by: {crews}.", { crews: kept.map((/** @type {number} */ seat) => name("crew", seat)).join(", ") })] : ["", _("No one granted it.")];
  if (kept === null) return ["", _("There was no such vote.")];
  if (kind === "alliance") return kept ? ["kept", _("It held.")] : ["broken", _("It didn’t hold.")];
  return kept ? ["kept", _("Kept.")] : ["broken", _("Broken.")];
}

/** @param {MadeOffer[]} offers */
export function kept(offers) {
  return html`<section class="sqp-kept" aria-label=${_("Promises and deeds")}><h3>${_("Promises and deeds")}</h3><ul>
    ${offers.map((made) => {
      const [honour, became] = fate(made);
      return html`<li class=${honour}><svg class="mini" viewBox="-56 -56 112 112" aria-hidden="true">${token(CREWS[made.seat] ?? "blue")}</svg><span>${sentence({ seat: made.seat, offer: made.offer })}</span><b>${honour === "kept" ? "✓ " : honour === "broken" ? "✗ " : ""}${became}</b></li>`;
    })}</ul></section>`;
}
