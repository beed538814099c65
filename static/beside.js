// The cited sentence beside the answer: our own viewer in a frame, lit and in its place. A sheet where there is no room.

import { _ } from "./words.js";

const roomy = matchMedia("(min-width: 62rem)");
const dialog = document.querySelector("[data-beside]");
const part = (name) => dialog.querySelector(`[data-beside-${name}]`);
let chip = null;

const chips = () => [...document.querySelectorAll(".prose .chip[data-frame]")];

export const shownChip = () => chip;

// `into`: whoever came by the keyboard goes on inside, and comes back to the chip.
export function open(wanted, { into = false } = {}) {
  chip?.removeAttribute("aria-current");
  chip = wanted;
  chip.setAttribute("aria-current", "true");
  part("name").textContent = `, ${chip.dataset.name}${chip.dataset.page ? `, ${_("page %(page)s", chip.dataset)}` : ""}`;
  part("view").href = chip.href;
  part("pdf").href = chip.dataset.pdf;
  const all = chips();
  const several = all.length > 1; // of one alone nothing is counted here, but what is lit around it in its frame
  dialog.toggleAttribute("data-several", several);
  part("position").textContent = several ? _("%(at)s of %(all)s", { at: all.indexOf(chip) + 1, all: all.length }) : "";
  part("frame").replaceChildren(framed(chip));
  if (!dialog.open) enter();
  if (into) dialog.querySelector("h2").focus();
}

// A new frame each time: one that is sent on would leave a step in the history of the page.
function framed({ dataset }) {
  const frame = document.createElement("iframe");
  frame.title = _("The cited sentence in %(name)s", dataset);
  frame.src = dataset.frame;
  frame.inert = true; // until its keys are heard, the focus stays where they are
  for (const event of ["highlighter:opened", "load"]) frame.addEventListener(event, () => hearKeys(frame)); // pictures load long after the text can be read
  return frame;
}

// Each document that the frame goes to has a window of its own; hearing the same one twice adds nothing.
function hearKeys(frame) {
  frame.contentWindow.addEventListener("keydown", closeByEscape);
  frame.inert = false;
}

function closeByEscape(event) {
  if (event.key === "Escape" && !event.defaultPrevented) close(); // it may have closed a menu in there
}

function enter() {
  document.querySelector("[data-asks]").classList.toggle("opened", true);
  if (!roomy.matches) return dialog.showModal();
  dialog.setAttribute("open", ""); // show() would take the focus from the text that is read
  chip.scrollIntoView({ block: "nearest" }); // the text runs anew in what room is left
}

export function close() {
  if (!dialog.open) return;
  if (dialog.matches(":modal")) dialog.close();
  else dialog.removeAttribute("open");
  left();
}

function left() {
  document.querySelector("[data-asks]").classList.remove("opened");
  part("frame").replaceChildren();
  const last = chip;
  chip?.removeAttribute("aria-current");
  chip = null;
  if (last?.isConnected) last.focus({ preventScroll: true });
}

// From citation to citation, round and round; where the focus is inside, it stays there.
export function step(by, from) {
  const all = chips();
  if (!all.length) return;
  const at = all.indexOf(chip ?? from);
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length];
  if (chip && next !== chip) open(next);
  if (!dialog.contains(document.activeElement)) next.focus();
  else next.scrollIntoView({ block: "nearest" });
}

// By Escape, or a phone's way back. It is told late: by then it may be open again, as a panel.
dialog.addEventListener("close", () => !dialog.open && chip && left());
dialog.addEventListener("click", (event) => {
  const by = event.target.closest("[data-beside-step]")?.dataset.besideStep;
  if (by) step(Number(by));
  else if (event.target.closest("[data-beside-close]") || event.target === dialog) close(); // the dialog itself: beside it
});
roomy.addEventListener("change", () => {
  if (!dialog.open) return;
  const shown = chip;
  close();
  open(shown);
});
