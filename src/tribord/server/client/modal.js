/** A dialog that stands above everything else as soon as it is drawn: `<dialog ${modal}>`. */
import { ref } from "./lit.js";

export const modal = ref((drawn) => {
  const dialog = /** @type {HTMLDialogElement | undefined} */ (drawn);
  queueMicrotask(() => dialog?.isConnected && !dialog.open && dialog.showModal()); // once it is in the page
});
