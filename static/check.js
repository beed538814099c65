// The form that checks an answer: Ctrl+Enter sends it, and its button says that work is under way.

import { isSendKey } from "./keyboard.js";

const form = document.querySelector("[data-check-form]");
const button = form.querySelector("button");
const label = button.textContent;

form.querySelector("textarea").addEventListener("keydown", (event) => {
  if (!isSendKey(event)) return;
  event.preventDefault();
  form.requestSubmit();
});

form.addEventListener("submit", (event) => {
  if (button.getAttribute("aria-disabled") === "true") return event.preventDefault(); // it was sent
  button.setAttribute("aria-disabled", "true");
  button.textContent = button.dataset.busyText;
});

// Back from the next page, the form can be sent again.
addEventListener("pageshow", () => {
  button.removeAttribute("aria-disabled");
  button.textContent = label;
});
