/** The page that is shown while the server is out of reach: it comes back by itself, or when someone asks. */
import { dress, settings } from "./settings.js";

dress();
// Both languages stay, one's own first.
const mine = document.querySelector(`main > [lang=${settings.language}]`);
if (mine) document.querySelector("main > [lang]")?.before(mine);
const again = () => location.reload();
for (const button of document.querySelectorAll("button")) button.addEventListener("click", again);
addEventListener("online", again);
