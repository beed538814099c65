// "/" goes to the box that a page is asked in, as its aria-keyshortcuts says. Tab comes there, too.

import { isForItself } from "./pressed.js";

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || !isForItself(event)) return;
  const box = document.querySelector('[aria-keyshortcuts="/"]');
  if (!box) return;
  event.preventDefault(); // else the stroke is typed, or opens the browser's own search
  box.focus();
  box.select();
});
