// The form of the page of quotes: Enter and Ctrl+Enter verify the quote, Shift+Enter begins a new line.

import { isEnterWithoutShift } from "./keyboard.js";

document.querySelector(".quote-form textarea").addEventListener("keydown", (event) => {
  if (!isEnterWithoutShift(event)) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});
