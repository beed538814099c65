// "/" focuses the page's question or search box, as its aria-keyshortcuts says. "?" lists the page's shortcuts.

import { areSingleKeysOn, isSingleKey, setSingleKeys } from "./keyboard.js";

const help = document.querySelector("[data-help]");
const single = help.querySelector("[data-single-keys]");

function show() {
  single.checked = areSingleKeysOn();
  help.showModal();
}

single.addEventListener("change", () => setSingleKeys(single.checked));

document.addEventListener("keydown", (event) => {
  if (!isSingleKey(event)) return;
  if (event.key === "?") {
    event.preventDefault();
    show();
  }
  if (event.key !== "/") return;
  const box = document.querySelector('[aria-keyshortcuts="/"]');
  if (!box) return;
  event.preventDefault(); // else the character is typed, or opens the browser's own search
  box.focus();
  box.select();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-help-opener]")) show();
  else if (event.target === help) help.close(); // a click beside the dialog
});
