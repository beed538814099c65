// The page of a stored answer: citations show their sentence on hover, the text and the link can be copied.

import { prepareCards } from "./citation_chips.js";
import { copy, share } from "./clipboard.js";

const status = document.querySelector("[data-status]");
const announce = (words) => (status.textContent = words);
const cards = prepareCards(document.querySelector(".answer-record"));

document.addEventListener("click", (event) => {
  const isPlainClick = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const link = event.target.closest("[data-share]");
  const button = event.target.closest("button[data-copy]");
  if (link && isPlainClick) {
    event.preventDefault();
    share(link, announce);
  } else if (button) copy(button, announce);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") cards.hide();
});
