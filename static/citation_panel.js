// The panel beside the answer: the viewer in a frame, with the cited sentence highlighted. In a narrow window, a sheet.

import { areSingleKeysOn } from "./keyboard.js";
import { _ } from "./translations.js";
import { buildViewUrl } from "./view_preference.js";

const wideWindow = matchMedia("(min-width: 62rem)");
const dialog = document.querySelector("[data-citation-panel]");
const part = (name) => dialog.querySelector(`[data-citation-panel-${name}]`);
let chip = null;

// Citations are counted by answer: those of the open one, else of the one with the focus, else of the last one.
function chips(near = chip) {
  const answer = near?.closest?.(".answer") ?? [...document.querySelectorAll(".answer")].at(-1);
  return [...(answer?.querySelectorAll(".prose .chip[data-frame]") ?? [])];
}
const steps = { n: 1, p: -1 };

// The number in the text counts citations of whole documents, too, which no panel shows.
const countCitations = () => Math.max(...[...chip.closest(".answer").querySelectorAll(".prose .chip")].map((one) => Number(one.dataset.number ?? 0)));

export const getShownChip = () => chip;

// `focusInside`: for keyboard users the focus moves into the panel, and back to the chip when it closes.
export function open(target, { focusInside = false } = {}) {
  chip?.removeAttribute("aria-current");
  chip = target;
  chip.setAttribute("aria-current", "true");
  part("name").textContent = `, ${chip.dataset.name}${chip.dataset.page ? `, ${_("page %(page)s", chip.dataset)}` : ""}`;
  part("menu").replaceChildren(...copyMenu());
  const hasSeveral = chips().length > 1; // with one citation the frame counts its highlights instead
  dialog.toggleAttribute("data-several", hasSeveral);
  part("position").textContent = hasSeveral ? _("%(at)s of %(all)s", { at: chip.dataset.number, all: countCitations() }) : "";
  showPart(chip.dataset);
  part("frame").replaceChildren(createFrame(chip));
  if (!dialog.open) show();
  if (focusInside) dialog.querySelector("h2").focus();
}

// The menu that opens the citation is the one in the list of sources.
function copyMenu() {
  const number = CSS.escape(chip.dataset.number);
  const menu = chip.closest(".answer")?.querySelector(`[data-numbers~="${number}"] [data-open-menu]`)?.cloneNode(true);
  menu?.removeAttribute("open");
  return menu ? [menu] : [];
}

// The sub-question that the citation answers, in the colour of its highlights.
function showPart({ part: question = "", tint = "" }) {
  part("part").textContent = question;
  part("part").className = `part tint-${tint}`;
  part("part").hidden = !question;
}

// A new frame each time: navigating the same frame would add an entry to the page's history.
function createFrame({ dataset }) {
  const frame = document.createElement("iframe");
  frame.title = _("The cited sentence in %(name)s", dataset);
  frame.src = buildViewUrl(dataset.frame);
  frame.inert = true; // the focus stays outside until Escape works inside
  for (const event of ["highlighter:opened", "load"]) frame.addEventListener(event, () => listenInside(frame)); // page images load long after the text is readable
  return frame;
}

// Each document in the frame has a window of its own; adding the same listener twice has no effect.
function listenInside(frame) {
  frame.contentWindow.addEventListener("keydown", closeOnEscape);
  frame.contentWindow.addEventListener("keydown", stepOnKey, true); // before the frame steps through its highlights
  frame.inert = false;
}

function closeOnEscape(event) {
  if (event.key === "Escape" && !event.defaultPrevented) close(); // prevented: it closed a menu inside
}

// Where the panel counts several citations, n and p step through them from inside the frame, too.
function stepOnKey(event) {
  const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.isComposing);
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (!steps[event.key] || !isPlain || isTyping || !areSingleKeysOn() || !dialog.hasAttribute("data-several")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  step(steps[event.key]);
}

function show() {
  document.querySelector("[data-ask-layout]").classList.toggle("panel-open", true);
  if (!wideWindow.matches) return dialog.showModal();
  dialog.setAttribute("open", ""); // show() would take the focus from the text
  chip.scrollIntoView({ block: "nearest" }); // the text reflows in the remaining width
}

export function close() {
  if (!dialog.open) return;
  if (dialog.matches(":modal")) dialog.close();
  else dialog.removeAttribute("open");
  handleClosed();
}

function handleClosed() {
  document.querySelector("[data-ask-layout]").classList.remove("panel-open");
  part("frame").replaceChildren();
  const last = chip;
  chip?.removeAttribute("aria-current");
  chip = null;
  if (last?.isConnected) last.focus({ preventScroll: true });
}

// Open the next or previous citation, wrapping around; a focus inside the panel stays there.
export function step(direction, from) {
  const all = chips(chip ?? from);
  if (!all.length) return;
  const at = all.indexOf(chip ?? from);
  const next = all[at < 0 ? (direction > 0 ? 0 : all.length - 1) : (at + direction + all.length) % all.length];
  const wasInside = dialog.contains(document.activeElement);
  if (next !== chip) open(next);
  if (wasInside && !dialog.contains(document.activeElement)) dialog.querySelector("h2").focus(); // the frame with the focus was replaced
  if (dialog.contains(document.activeElement)) next.scrollIntoView({ block: "nearest" });
  else next.focus();
}

// Closed by Escape or a phone's back gesture. The event comes late: by then the panel may be open again, not modal.
dialog.addEventListener("close", () => !dialog.open && chip && handleClosed());
dialog.addEventListener("click", (event) => {
  const direction = event.target.closest("[data-citation-panel-step]")?.dataset.citationPanelStep;
  if (direction) step(Number(direction));
  else if (event.target.closest("[data-citation-panel-close]") || event.target === dialog) close(); // a click on the dialog itself is a click beside its content
});
wideWindow.addEventListener("change", () => {
  if (!dialog.open) return;
  const shown = chip;
  close();
  open(shown);
});
