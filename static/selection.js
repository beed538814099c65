// Ticked documents of the library: what the buttons below the list act on. Without this file the ticks are sent by the form.

import { _, ngettext } from "./translations.js";

const ticked = new Set();
const boxes = () => [...document.querySelectorAll("[data-select]")];

// Rows that were replaced lose their ticks; documents that are gone are not selected any more.
export function restoreSelection() {
  const present = boxes();
  for (const id of ticked) if (!present.some((box) => box.value === id)) ticked.delete(id);
  for (const box of present) box.checked = ticked.has(box.value);
  show();
}

function show() {
  const form = document.querySelector("[data-selection]");
  if (!form) return;
  const count = ticked.size;
  form.querySelector("[data-selected-count]").textContent = count ? ngettext("%(num)s document selected", "%(num)s documents selected", count) : "";
  form.querySelector("[data-ask-selected]").textContent = ngettext("Ask the selected document", "Ask these %(num)s", count);
  const all = document.querySelector("[data-select-all]");
  if (!all) return;
  all.hidden = boxes().length < 2;
  all.checked = count > 0 && count === boxes().length;
  all.indeterminate = count > 0 && !all.checked;
}

function tick(box, isTicked) {
  box.checked = isTicked;
  if (isTicked) ticked.add(box.value);
  else ticked.delete(box.value);
}

export function prepareSelection() {
  for (const box of boxes()) if (box.checked) ticked.add(box.value); // the browser restores ticks on the way back
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-select]")) tick(target, target.checked);
    else if (target.matches("[data-select-all]")) for (const box of boxes()) tick(box, target.checked);
    else return;
    show();
  });
  document.addEventListener("click", ({ target }) => {
    if (!target.closest("[data-clear-selection]")) return;
    const first = boxes().find((box) => box.checked);
    for (const box of boxes()) tick(box, false);
    show();
    first?.focus();
  });
  document.addEventListener("formdata", ({ target, formData }) => {
    if (target.matches("[data-selection]") && !formData.get("action")) formData.delete("tags"); // a question is not asked with the text of the tag field
  });
  show();
}
