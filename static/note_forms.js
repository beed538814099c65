// What readers write in the forms of notes: Ctrl+Enter saves it, and it is not lost with the page or the list.

import { isSendKey } from "./keyboard.js";

document.addEventListener("keydown", (event) => {
  const field = event.target.closest("[data-note-form] textarea");
  if (!field || !isSendKey(event)) return;
  event.preventDefault();
  field.form.requestSubmit();
});

// A form whose change was refused begins with what its reader wrote, not with what is saved.
const isUnsaved = (field) => field.value !== (field.dataset.saved ?? field.defaultValue);
// Where no script sends the form, the page is left with it.
addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  for (const field of event.target.querySelectorAll("textarea")) {
    delete field.dataset.saved;
    field.defaultValue = field.value;
  }
});
addEventListener("beforeunload", (event) => {
  if ([...document.querySelectorAll("[data-note-form] textarea")].some(isUnsaved)) event.preventDefault();
});

// Return the texts in a list that were not saved, by the note.
export function readUnsavedTexts(list) {
  const fields = [...list.querySelectorAll("[data-note] textarea")].filter(isUnsaved);
  return new Map(fields.map((field) => [field.closest("[data-note]").dataset.note, field.value]));
}

// Write texts that were not saved into the forms of a newer list.
export function restoreUnsavedTexts(list, texts) {
  for (const entry of list.querySelectorAll("[data-note]")) {
    const text = texts.get(entry.dataset.note);
    const field = text !== undefined && entry.querySelector("textarea");
    if (!field) continue;
    field.value = text;
    entry.querySelector(".note-edit").open = true;
  }
}
