// The outline in the side panel: a tree of links that folds. Arrow keys move in it as in any tree.

import { _ } from "./translations.js";
import { findShownPage } from "./shown_page.js";

const openEntries = 25; // an outline of so many entries needs no folding

// Give the entries with others below them a button that folds them.
export function foldOutline(pane) {
  const list = pane.querySelector("[data-outline]");
  if (!list || list.dataset.folded !== undefined) return;
  list.dataset.folded = "";
  const isLong = list.querySelectorAll("a").length > openEntries;
  for (const inner of list.querySelectorAll("ul")) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "plain fold" });
    inner.before(button);
    button.addEventListener("click", () => toggle(button));
    toggle(button, !isLong);
  }
  list.addEventListener("keydown", handleKey);
}

function toggle(button, isOpen = button.nextElementSibling.hidden) {
  button.nextElementSibling.hidden = !isOpen;
  button.setAttribute("aria-expanded", String(isOpen));
  button.setAttribute("aria-label", _("Sections of %(title)s", { title: button.parentElement.querySelector("a span").textContent }));
}

function handleKey(event) {
  const entry = event.target.closest("li");
  const links = [...event.currentTarget.querySelectorAll("a")].filter((link) => link.checkVisibility());
  const at = links.indexOf(entry.querySelector("a"));
  const fold = entry.querySelector(":scope > .fold");
  const targets = { ArrowDown: links[at + 1], ArrowUp: links[at - 1], Home: links[0], End: links.at(-1) };
  if (event.key in targets) targets[event.key]?.focus();
  else if (event.key === "ArrowRight" && fold?.nextElementSibling.hidden) toggle(fold, true);
  else if (event.key === "ArrowLeft" && fold && !fold.nextElementSibling.hidden) toggle(fold, false);
  else if (event.key === "ArrowLeft") entry.parentElement.closest("li")?.querySelector("a").focus();
  else return;
  event.preventDefault();
}

// Mark the entry that the reader is in, and unfold those above it.
export function markOutline(pane) {
  const list = pane.querySelector("[data-outline]");
  if (!list || pane.hidden) return;
  const page = findShownPage();
  const section = Number(document.querySelector("[data-chunk-index]")?.dataset.chunkIndex ?? 0);
  const isBefore = (link) => (page ? Number(link.dataset.page) <= page : Number(link.dataset.chunk) <= section);
  const current = [...list.querySelectorAll("a")].findLast(isBefore);
  for (const link of list.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
  if (!current) return;
  current.setAttribute("aria-current", "true");
  for (let inner = current.closest("ul[hidden]"); inner; inner = inner.parentElement.closest("ul[hidden]")) toggle(inner.previousElementSibling, true);
  scrollIntoPane(pane, current);
}

// scrollIntoView would scroll the page behind, too.
export function scrollIntoPane(pane, element) {
  if (!element) return;
  const [box, frame] = [element.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) pane.scrollTop += box.top - frame.top - frame.height / 3;
}
