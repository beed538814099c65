// Readers' notes in the viewer: tools for selected words, marks in the text and on the pages, and the list beside them.
// Without this file the list is a page of its own. Content that other scripts replace or add gets its marks by observation.

import { fetchOrNotify } from "./connection.js";
import { isSingleKey } from "./keyboard.js";
import { readUnsavedTexts, restoreUnsavedTexts } from "./note_forms.js";
import { drawMarks, findMark, removeMarks } from "./note_marks.js";
import { readSelection } from "./note_text.js";
import { _ } from "./translations.js";

const panel = document.querySelector("[data-notes-panel]");
const tools = document.querySelector("[data-note-tools]");
const problem = panel.querySelector("[data-note-problem]");
const url = panel.dataset.notesUrl;
const view = panel.dataset.view;
let selected = null; // the words that the tools are for

const announce = (words) => (document.querySelector("[data-announce]").textContent = words);
const entries = () => [...panel.querySelectorAll("[data-note]")];
const findEntry = (id) => panel.querySelector(`[data-note="${CSS.escape(id)}"]`);

// The list

// Send a request and show the list of notes that comes back, with what is not saved yet. Return whether it did what was
// asked for: a list with a form comes back, too, when the note was changed meanwhile.
async function load(address, options, saved) {
  const answer = await fetchOrNotify(address, options);
  if (!answer) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const list = page.querySelector("[data-note-list]");
  showProblem(list ? "" : (page.querySelector("[data-sentence]")?.textContent ?? _("Connection lost. Try again.")));
  if (!list) return false;
  const unsaved = readUnsavedTexts(panel);
  unsaved.delete(saved);
  panel.querySelector("[data-notes]").replaceChildren(document.adoptNode(list));
  restoreUnsavedTexts(panel, unsaved);
  removeMarks();
  draw();
  return answer.ok;
}

function showProblem(words) {
  problem.textContent = words;
  problem.hidden = !words;
  if (words) openPanel();
}

function draw() {
  const count = entries().length;
  for (const button of document.querySelectorAll("[data-notes-opener]")) {
    const shown = button.querySelector("[data-notes-count]");
    if (shown.textContent !== (count ? ` ${count}` : "")) shown.textContent = count ? ` ${count}` : ""; // a change is observed
    button.setAttribute("aria-expanded", String(!panel.hidden));
  }
  if (panel.dataset.places === "True") drawMarks(entries());
}

function openPanel({ focus = false } = {}) {
  panel.hidden = false;
  draw();
  if (focus) panel.querySelector("h2").focus();
}

function closePanel() {
  const hadFocus = panel.contains(document.activeElement);
  panel.hidden = true;
  draw();
  if (hadFocus) (findMark(panel.dataset.current ?? "") ?? document.querySelector("[data-notes-opener]"))?.focus();
}

// Show a note in the list, and make it the current one.
function showEntry(id, { focus = false, edit = false } = {}) {
  const entry = findEntry(id);
  if (!entry) return;
  for (const other of entries()) other.toggleAttribute("data-current", other === entry);
  panel.dataset.current = id;
  entry.scrollIntoView({ block: "nearest" });
  const form = entry.querySelector(".note-edit");
  if (edit && form) form.open = true;
  if (focus) (edit && form ? form.querySelector("textarea") : entry.querySelector("a, summary, button"))?.focus();
}

// The tools for selected words

function showTools() {
  selected = readSelection();
  if (!selected) return hideTools();
  tools.hidden = false;
  const box = selected.range.getBoundingClientRect();
  const header = document.querySelector(".sheet > header")?.getBoundingClientRect().bottom ?? 0;
  const isTouch = matchMedia("(pointer: coarse)").matches; // the browser's own menu is above the words
  const above = box.top - tools.offsetHeight - 8;
  const top = isTouch || above < Math.max(header, 8) ? box.bottom + (isTouch ? 28 : 8) : above;
  const fit = (value, size, room) => Math.max(8, Math.min(value, room - size - 8));
  tools.style.left = `${fit(box.left, tools.offsetWidth, document.documentElement.clientWidth)}px`;
  tools.style.top = `${fit(top, tools.offsetHeight, innerHeight)}px`;
}

function hideTools() {
  tools.hidden = true;
  selected = null;
}

async function createNote(words, colour, { edit = false } = {}) {
  const fields = new FormData();
  for (const [name, value] of Object.entries({ ...words, colour, view })) fields.set(name, value);
  hideTools();
  getSelection().removeAllRanges();
  if (!(await load(url, { method: "POST", body: fields }))) return;
  const id = panel.querySelector("[data-made]").dataset.made;
  announce(_("Highlighted."));
  if (edit) openPanel();
  showEntry(id, { focus: edit, edit });
  if (!edit) findMark(id)?.focus({ preventScroll: true });
}

// Return the words of the current highlight, so that a note needs no selection by mouse.
function readCurrentHighlight() {
  const span = document.querySelector(".quote-export:not([hidden])")?.dataset.span;
  if (!span) return null;
  const [start, end] = span.split("-");
  return { start, end };
}

let pending = 0;
document.addEventListener("selectionchange", () => {
  clearTimeout(pending);
  pending = setTimeout(() => !tools.contains(document.activeElement) && showTools(), 200);
});
addEventListener("scroll", () => !tools.hidden && showTools(), { passive: true });

tools.addEventListener("pointerdown", (event) => event.preventDefault()); // the selection stays
tools.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button || !selected) return;
  if (button.dataset.highlight) return createNote(selected.words, button.dataset.highlight);
  if ("addNote" in button.dataset) return createNote(selected.words, "yellow", { edit: true });
  const copied = await navigator.clipboard.writeText(selected.words.exact).then(() => true, () => false);
  announce(copied ? _("Copied") : _("Copying is not allowed here"));
  hideTools();
});

// Arrow keys move within a toolbar.
tools.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const buttons = [...tools.querySelectorAll("button")];
  buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !tools.hidden) hideTools();
  else if (event.key === "Escape" && !panel.hidden && !document.querySelector("dialog[open], [data-menu][open]")) closePanel();
  if (event.key !== "h" || !isSingleKey(event)) return;
  showTools();
  if (selected) {
    event.preventDefault();
    return tools.querySelector("button").focus();
  }
  const words = readCurrentHighlight();
  if (!words) return;
  event.preventDefault();
  createNote(words, "yellow", { edit: true });
});

// Clicks and forms

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-notes-opener]");
  if (opener) {
    event.preventDefault();
    return panel.hidden ? openPanel({ focus: true }) : closePanel();
  }
  if (event.target.closest("[data-close-notes]")) return closePanel();
  const mark = findMarkAt(event);
  if (!mark || !getSelection().isCollapsed) return;
  openPanel();
  showEntry(mark.dataset.noteMark, { focus: true });
});

// On a page the text that can be selected lies above the marks.
function findMarkAt({ target, clientX, clientY }) {
  const stack = target.closest(".document-page") ? document.elementsFromPoint(clientX, clientY) : [target];
  return stack.map((one) => one.closest("[data-note-mark]")).find(Boolean);
}

document.addEventListener("focusin", (event) => {
  const mark = event.target.closest("[data-note-mark]");
  if (mark && !panel.hidden) showEntry(mark.dataset.noteMark);
});

document.addEventListener("keydown", (event) => {
  const mark = ["Enter", " "].includes(event.key) && event.target.closest("g[data-note-mark]"); // buttons do it themselves
  if (!mark) return;
  event.preventDefault();
  openPanel();
  showEntry(mark.dataset.noteMark, { focus: true });
});

// A link to a note whose mark is on this page jumps to it; any other one is followed.
panel.addEventListener("click", (event) => {
  const link = event.target.closest("[data-note-jump]");
  const mark = link && findMark(link.closest("[data-note]").dataset.note);
  if (!mark || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  jumpTo(mark);
});

function jumpTo(mark) {
  mark.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
  mark.focus({ preventScroll: true });
}

panel.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-note-form]");
  if (!form) return;
  event.preventDefault();
  const id = form.closest("[data-note]")?.dataset.note;
  if (!(await load(form.action, { method: "POST", body: new FormData(form) }, id))) {
    if (id) showEntry(id, { focus: true, edit: form.matches(".note-edit form") });
    return;
  }
  if (id && findEntry(id)) {
    announce(_("Saved."));
    return showEntry(id, { focus: true });
  }
  const undo = panel.querySelector(".note-undo button");
  (undo ?? panel.querySelector("h2")).focus(); // the note's own buttons are gone
});

async function start() {
  if (!(await load(url))) return;
  const linked = location.hash.match(/^#note-(\w+)$/)?.[1];
  const mark = linked && findMark(linked);
  if (mark) {
    openPanel();
    showEntry(linked);
    jumpTo(mark);
  }
}

let frame = 0;
new MutationObserver(() => {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(draw);
}).observe(document.body, { childList: true, subtree: true });
start();
