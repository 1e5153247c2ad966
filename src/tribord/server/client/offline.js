/** The page shown while the server is unreachable: it retries by itself, or on request. */
import { dress, settings } from "./settings.js";

dress();
// Both languages stay, yours first.
const mine = document.querySelector(`main > [lang=${settings.language}]`);
if (mine) document.querySelector("main > [lang]")?.before(mine);
const again = () => location.reload();
for (const button of document.querySelectorAll("button")) button.addEventListener("click", again);
addEventListener("online", again);
