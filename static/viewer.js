// The viewer's shortcuts: n and p step through the highlights, or through the find results, in the text and page view, and
// the tabs keep the position. Everything else works without this file.

import { goToPage, openPages } from "./page_view.js";
import { isSingleKey } from "./keyboard.js";
import { fetchOrNotify } from "./connection.js";
import { showQuoteExport } from "./quote_export.js";
import { _ } from "./translations.js";
import { rememberView } from "./view_preference.js";
import { highlightExtent } from "./zoom.js";

const refreshIntervalMs = 1200;
const isFramed = window !== window.parent;
let current = -1;

const marks = () => [...document.querySelectorAll("[data-n][id]")];

// Scroll only this window: scrollIntoView would move the page around an embedding frame, too.
function scrollToMark(mark, behavior) {
  const across = mark.closest(".scroll, .document-pages");
  if (across) scrollHorizontally(mark, across);
  const box = mark.getBoundingClientRect();
  const header = document.querySelector(".sheet > header").getBoundingClientRect().height;
  const room = Math.max((innerHeight - header - box.height) / 2, 24); // a mark taller than the window shows its start
  scrollTo({ top: scrollY + box.top - header - room, behavior });
}

// Align the whole sentence, or else the line of the mark, to the left where it fits; else center a word that is cut off.
function scrollHorizontally(mark, across) {
  const frame = across.getBoundingClientRect();
  const place = mark.getBoundingClientRect();
  const sentence = highlightExtent(across, mark.dataset.n);
  const line = sentence?.width <= frame.width - 16 ? sentence : findLineBox(mark, place);
  if (line.width <= frame.width - 16) across.scrollLeft += line.left - frame.left - 16;
  else if (place.left < frame.left || place.right > frame.right) {
    across.scrollLeft += place.left - frame.left - Math.max((frame.width - place.width) / 2, 16);
  }
}

// On a page: the highlight or the text line across the mark; else the mark itself.
function findLineBox(mark, place) {
  const around = mark.closest(".document-page")?.querySelectorAll(".highlight rect, .text-layer text") ?? [];
  const middle = (place.top + place.bottom) / 2;
  const boxes = [...around].map((one) => one.getBoundingClientRect());
  const across = boxes.filter((box) => box.left <= place.left + 2 && box.right >= place.right - 2);
  return across.find((box) => box.top < middle && box.bottom > middle) ?? across[0] ?? place;
}

function show(number, { smooth = true, focus = false } = {}) {
  const all = marks();
  if (!all.length) return;
  current = (number + all.length) % all.length;
  const chosen = all[current];
  for (const part of document.querySelectorAll("[data-n]")) {
    if (part.dataset.n === chosen.dataset.n) part.setAttribute("aria-current", "true");
    else part.removeAttribute("aria-current");
  }
  const isInstant = !smooth || matchMedia("(prefers-reduced-motion: reduce)").matches;
  scrollToMark(chosen, isInstant ? "instant" : "smooth");
  if (focus) chosen.focus({ preventScroll: true });
  const position = document.querySelector("[data-position]");
  if (position) position.textContent = _("%(at)s of %(all)s", { at: current + 1, all: all.length });
  updateTabs(chosen.id, Number(chosen.dataset.n));
  showQuoteExport(chosen.dataset.n);
  document.dispatchEvent(new CustomEvent("highlighter:shown"));
}

document.addEventListener("highlighter:goto", ({ detail }) => show(detail.number - 1));

// Text, Page and PDF all open at the current sentence. In a frame the fragment is no element's id, because the browser
// would scroll the page around the frame, too.
function updateTabs(id, number) {
  for (const tab of document.querySelectorAll("[data-view]")) {
    const page = tab.dataset.pages?.split(" ")[number - 1];
    tab.hash = tab.dataset.view === "pdf" ? `page=${page}` : isFramed ? `mark=${number}` : id;
  }
}

// Return the index of the mark that a fragment names, or -1.
function findMarkIndex(hash) {
  const number = hash.match(/^#mark[-=](\d+)$/)?.[1];
  return marks().findIndex((mark) => mark.dataset.n === number);
}

document.addEventListener("keydown", (event) => {
  if (!isSingleKey(event)) return;
  const step = { n: 1, p: -1 }[event.key];
  const findLink = step && document.querySelector(`[data-find-step="${step}"]`);
  if (!step || !(findLink || marks().length)) return;
  event.preventDefault();
  if (findLink?.href) findLink.click();
  else if (findLink) showFind(); // the only result
  else show(current + step, { focus: true });
});

// A link to a mark within the page makes that mark the current one.
addEventListener("hashchange", () => {
  if (goToLinkedPage()) return;
  const index = findMarkIndex(location.hash);
  if (index >= 0) show(index, { focus: true });
});

// In a frame this script handles the link: the browser would scroll the page around the frame, too.
document.addEventListener("click", (event) => {
  const link = isFramed && event.target.closest('a[href^="#mark-"]:not([data-step])');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(findMarkIndex(link.hash), { focus: true });
});

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step][href]");
  if (!step) return;
  event.preventDefault();
  show(current + Number(step.dataset.step)); // the focus stays on the button
});

// The panel of an answer opens in the view used last. Frames of other sites leave the reader's choice as it is.
document.addEventListener("click", (event) => {
  const view = event.target.closest("[data-view]")?.dataset.view;
  if (view && view !== "pdf" && (!isFramed || frameElement)) rememberView(view);
});

// While the model loads, poll until the highlights are there, then show them.
async function warmUp() {
  while (document.body.hasAttribute("data-warming")) {
    await new Promise((resolve) => setTimeout(resolve, refreshIntervalMs));
    const answer = await fetchOrNotify(location.href);
    if (!answer?.ok) continue;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (page.body.hasAttribute("data-warming")) continue;
    document.querySelector("main").replaceWith(page.querySelector("main"));
    document.body.removeAttribute("data-warming");
    openPages(document);
    showFirst();
  }
}

// Go to the page that the fragment names; most pages are not in the document when the browser looks for it.
function goToLinkedPage() {
  return goToPage(Number(location.hash.match(/^#page-(\d+)$/)?.[1]));
}

function showFirst() {
  if (showFind() || goToLinkedPage()) return;
  const linked = findMarkIndex(location.hash);
  const currentMark = marks().findIndex((mark) => mark.hasAttribute("data-current"));
  if (linked < 0 && currentMark < 0 && document.getElementById(location.hash.slice(1))) return; // the browser scrolled there
  // A frame takes no focus from the page around it; elsewhere the first highlight gets the focus.
  const how = { smooth: false, focus: !isFramed };
  if (marks().length) show(linked < 0 ? Math.max(currentMark, 0) : linked, how);
  else openPage(how);
}

// Without highlights the page view opens at the section's first page, unless the reader has scrolled.
function openPage({ focus }) {
  const page = document.querySelector("[data-opening]");
  if (!page || (scrollY && document.activeElement !== page)) return; // the browser scrolled to the focused element
  scrollToMark(page, "instant");
  if (focus) page.focus({ preventScroll: true });
}

// Scroll to the current find result; the focus stays.
function showFind() {
  const findElement = document.getElementById("found");
  if (findElement) scrollToMark(findElement, "instant");
  return findElement !== null;
}

document.addEventListener("highlighter:found", showFind);

// find.js replaced the main content, perhaps by the page view.
document.addEventListener("highlighter:taken", () => {
  openPages(document);
  showQuoteExport(1);
});

// The panel of an answer counts several citations itself, and one count is enough.
document.documentElement.toggleAttribute("data-counted", frameElement?.closest("[data-several]") != null);
openPages(document);
showQuoteExport(1);
showFirst();
frameElement?.dispatchEvent(new Event("highlighter:opened"));
warmUp();
