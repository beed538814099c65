// "/" goes to the box that a page is asked in, as its aria-keyshortcuts says; Tab comes there, too. "?" lists the keys of
// the page at hand.

import { isForItself } from "./pressed.js";

const help = document.querySelector("[data-help]");

document.addEventListener("keydown", (event) => {
  if (!isForItself(event)) return;
  if (event.key === "?") {
    event.preventDefault();
    help.showModal();
  }
  if (event.key !== "/") return;
  const box = document.querySelector('[aria-keyshortcuts="/"]');
  if (!box) return;
  event.preventDefault(); // else the stroke is typed, or opens the browser's own search
  box.focus();
  box.select();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-help-opener]")) help.showModal();
  else if (event.target === help) help.close(); // beside it
});
