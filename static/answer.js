// An answer that was kept: its citations show their sentence when pointed at, its words and its address can be copied.

import { prepareCards } from "./chips.js";
import { copy, share } from "./copying.js";

const said = document.querySelector("[data-said]");
const say = (words) => (said.textContent = words);
const cards = prepareCards(document.querySelector(".kept"));

document.addEventListener("click", (event) => {
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const link = event.target.closest("[data-share]");
  const button = event.target.closest("button[data-copy]");
  if (link && plain) {
    event.preventDefault();
    share(link, say);
  } else if (button) copy(button, say);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") cards.hide();
});
