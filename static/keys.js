// "/" goes to the box that a page is asked in, as its aria-keyshortcuts says; Tab comes there, too. "?" lists the keys of
// the page at hand.

import { areSingleKeysOn, isForItself, turnSingleKeys } from "./pressed.js";

const help = document.querySelector("[data-help]");
const single = help.querySelector("[data-single-keys]");

function show() {
  single.checked = areSingleKeysOn();
  help.showModal();
}

single.addEventListener("change", () => turnSingleKeys(single.checked));

document.addEventListener("keydown", (event) => {
  if (!isForItself(event)) return;
  if (event.key === "?") {
    event.preventDefault();
    show();
  }
  if (event.key !== "/") return;
  const box = document.querySelector('[aria-keyshortcuts="/"]');
  if (!box) return;
  event.preventDefault(); // else the stroke is typed, or opens the browser's own search
  box.focus();
  box.select();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-help-opener]")) show();
  else if (event.target === help) help.close(); // beside it
});
