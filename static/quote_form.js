// The form of the page of quotes: Enter and Ctrl+Enter verify the quote, Shift+Enter begins a new line.

document.querySelector(".quote-form textarea").addEventListener("keydown", (event) => {
  // While a character is being composed, Enter chooses it.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});
