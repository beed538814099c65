// The sources that a question is limited to: each cross leaves one out, here and in the address. Without this file each is a link.

import { _ } from "./translations.js";

const isStart = () => !document.querySelector("[data-ask-layout].has-answer");

export function prepareSources(announce) {
  document.addEventListener("click", (event) => {
    const cross = event.target.closest("[data-leave-out]");
    if (!cross || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    leaveOut(cross);
    announce(_("Source left out"));
  });
}

function leaveOut(cross) {
  const group = cross.closest("[data-sources]");
  const form = cross.closest("form");
  const next = [...group.querySelectorAll("[data-leave-out]")].find((other) => other !== cross);
  cross.closest("[data-source]").remove();
  updateAddresses(group, form);
  (next ?? form.elements.question).focus();
  if (!next) group.remove();
}

// The page of an answer has an address of its own; only its next question has other sources.
function updateAddresses(group, form) {
  const fields = ["doc", "tag", "collection"];
  const query = new URLSearchParams([...new FormData(form)].filter(([name, value]) => fields.includes(name) && value));
  const start = `${form.action}${query.size ? `?${query}` : ""}`;
  document.querySelector("[data-new-conversation]").href = start;
  for (const cross of group.querySelectorAll("[data-leave-out]")) cross.href = addressWithout(form, query, cross);
  for (const field of document.querySelectorAll("[data-suggestions] input")) if (!query.has(field.name, field.value)) field.remove();
  if (isStart()) history.replaceState(history.state, "", start);
}

function addressWithout(form, query, cross) {
  const { name, value } = cross.closest("[data-source]").querySelector("input");
  const rest = new URLSearchParams([...query].filter((item) => item[0] !== name || item[1] !== value));
  return `${form.action}${rest.size ? `?${rest}` : ""}`;
}
