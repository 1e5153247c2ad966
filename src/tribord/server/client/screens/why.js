/**
 * Why something that was tapped can't be chosen: the reason and the rule, from the server, because the page knows no
 * rules; or, if someone else must decide, whose turn it is.
 */
import { answer } from "../app.js";
import { settings } from "../settings.js";
import { _, gameWords, local } from "../words.js";

/** @param {import("./table.js").TableScreen} screen @param {string} part @param {any} value */
export async function why(screen, part, value) {
  const { board } = screen;
  const { choice } = screen.desk;
  if (!board || screen.playing || screen.sending) return; // the tap is for the stage, or comes after the decision
  if (!choice) return answer(waiting(screen));
  await objection(board, screen.desk, part, value, (action) => screen.table.refused(screen.seat, action).catch(() => null));
}

/**
 * Why a value can't be chosen, or what to do instead.
 * @param {import("../contract.js").Board} board @param {import("../contract.js").Desk} desk @param {string} part @param {any} value
 * @param {(action: number) => Promise<import("../contract.js").Refusal | null>} refused
 */
export async function objection(board, desk, part, value, refused) {
  const { choice, scene } = desk;
  if (!choice) return;
  const action = choice.nearest(part, value);
  if (action === null && choice.offers(part, value)) return desk.pick(part, value);
  const refusal = action === null ? null : await refused(action);
  if (refusal) return answer(local(refusal), refusal.rule);
  const question = gameWords().ask[choice.next(gameWords().order)?.split(".")[0] ?? ""] ?? "";
  answer(board.ask?.(choice, scene, null) ?? question, board.rule?.(choice, scene, null)); // no action has it: say what to do
}

/** Why nothing at all can be chosen. @param {import("./table.js").TableScreen} screen */
function waiting({ table, seat }) {
  const { info, match } = table;
  if (info?.status === "over") return _("The game is over.");
  const held = info?.seats[seat];
  if (held?.rank && held.guest !== null) return _("A bot is playing for you. Take over first.");
  const [first, ...others] = (match?.to_act ?? []).map((acting) => table.called(acting));
  if (first === undefined) return _("One moment, please.");
  if (!others.length) return _("It’s {name}’s turn.", { name: first });
  return _("Still choosing: {names}.", { names: new Intl.ListFormat(settings.language).format([first, ...others]) });
}
