/**
 * Why something that was tapped can't be chosen: the reason and the rule, asked of the server, for the page knows no rules;
 * or, when somebody else must decide, whose turn it is.
 */
import { notice } from "../app.js";
import { settings } from "../settings.js";
import { _, gameWords, local } from "../words.js";

/** @param {import("./table.js").TableScreen} screen @param {string} part @param {any} value */
export async function why(screen, part, value) {
  const { board } = screen;
  const { choice, scene } = screen.desk;
  if (!board || screen.playing || screen.sending) return; // the tap is for the stage, or comes after the decision
  if (!choice) return notice(waiting(screen));
  const action = choice.nearest(part, value);
  if (action === null && choice.offers(part, value)) return screen.desk.pick(part, value);
  const refused = action === null ? null : await screen.table.refused(screen.seat, action).catch(() => null);
  if (refused) return notice(local(refused), refused.rule);
  const question = gameWords().ask[choice.next(gameWords().order)?.split(".")[0] ?? ""] ?? "";
  notice(board.ask?.(choice, scene, null) ?? question, board.rule?.(choice, scene, null)); // no action has it: say what is to be done
}

/** Why nothing at all can be chosen. @param {import("./table.js").TableScreen} screen */
function waiting({ table, seat }) {
  const { info, match } = table;
  if (info?.status === "over") return _("The match is over.");
  const held = info?.seats[seat];
  if (held?.rank && held.guest !== null) return _("A bot plays for you. Take your seat back first.");
  const [first, ...others] = (match?.to_act ?? []).map((acting) => table.called(acting));
  if (first === undefined) return _("One moment, please.");
  if (!others.length) return _("It’s {name}’s turn.", { name: first });
  return _("Still choosing: {names}.", { names: new Intl.ListFormat(settings.language).format([first, ...others]) });
}
