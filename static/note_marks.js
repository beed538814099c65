// The marks of notes: words of the text view with a button after them, and boxes on the pages of the page view.

import { wrapSpan } from "./note_text.js";
import { _ } from "./translations.js";

const svgName = "http://www.w3.org/2000/svg";

// Return the focusable element of a note's mark.
export const findMark = (id) => document.querySelector(`[data-note-mark="${CSS.escape(id)}"]:is(button, g)`);

export function drawMarks(entries) {
  for (const entry of entries) {
    const { note, start, end } = entry.dataset;
    if (document.querySelector(".sheet .text") && !document.querySelector(`.note-mark[data-note-mark="${note}"]`) && Number(end)) {
      markText(entry.dataset, Number(start), Number(end));
    }
    for (const [page, boxes] of groupByPage(JSON.parse(entry.dataset.boxes))) markPage(entry.dataset, page, boxes);
  }
}

// Remove all marks; the text becomes what it was.
export function removeMarks() {
  for (const mark of document.querySelectorAll("button[data-note-mark], g[data-note-mark]")) mark.remove();
  for (const mark of document.querySelectorAll("span[data-note-mark]")) {
    const parent = mark.parentNode;
    mark.replaceWith(...mark.childNodes);
    parent.normalize();
  }
}

function describe({ text, author }) {
  const label = text ? _("Note: %(text)s", { text }) : _("Your highlight");
  return author ? `${label} (${author})` : label;
}

function markText(note, start, end) {
  const parts = wrapSpan(start, end, () => {
    const part = document.createElement("span");
    part.className = `note-mark note-${note.colour}`;
    part.dataset.noteMark = note.note;
    return part;
  });
  if (!parts.length) return;
  const button = Object.assign(document.createElement("button"), { type: "button", className: `note-button note-${note.colour}`, id: `note-${note.note}` });
  button.dataset.noteMark = note.note;
  button.dataset.text = note.text;
  button.textContent = note.text ? "✎" : "▪";
  button.setAttribute("aria-label", describe(note));
  parts.at(-1).after(button);
}

function groupByPage(boxes) {
  const pages = new Map();
  for (const [page, ...box] of boxes) pages.set(page, [...(pages.get(page) ?? []), box]);
  return pages;
}

function markPage(note, page, boxes) {
  const layer = document.querySelector(`.document-page[data-page="${page}"] > svg`);
  if (!layer || layer.querySelector(`[data-note-mark="${note.note}"]`)) return;
  const group = document.createElementNS(svgName, "g");
  group.setAttribute("class", `note-boxes note-${note.colour}`);
  group.setAttribute("tabindex", "0");
  group.setAttribute("role", "button");
  group.setAttribute("aria-label", describe(note));
  group.dataset.noteMark = note.note;
  group.appendChild(document.createElementNS(svgName, "title")).textContent = describe(note);
  for (const [x, y, width, height] of boxes) {
    const box = group.appendChild(document.createElementNS(svgName, "rect"));
    for (const [name, value] of Object.entries({ x, y, width, height })) box.setAttribute(name, value);
  }
  layer.prepend(group); // below the text, which stays selectable
}
