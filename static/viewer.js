// The reader's keys: n and p step from highlight to highlight, or from find to find while something is looked for, in the
// text and on the pages alike, and the tabs keep the place. Everything else works without this file.

import { openLeaves } from "./leaves.js";
import { isForItself } from "./pressed.js";
import { asked } from "./reached.js";
import { showTaking } from "./taking.js";
import { _ } from "./words.js";
import { acrossLit } from "./zoom.js";

const refreshEvery = 1200;
const isFramed = window !== window.parent;
let current = -1;

const marks = () => [...document.querySelectorAll("[data-n][id]")];

// By the window's own scrolling: scrollIntoView would move the page around an embedding frame as well.
function bringIntoView(mark, behavior) {
  const across = mark.closest(".scroll, .leaves");
  if (across) bringAcross(mark, across);
  const box = mark.getBoundingClientRect();
  const header = document.querySelector(".sheet > header").getBoundingClientRect().height;
  const room = Math.max((innerHeight - header - box.height) / 2, 24); // a mark taller than the window shows its start
  scrollTo({ top: scrollY + box.top - header - room, behavior });
}

// The whole sentence, or else the line that a mark stands in, begins at the left, where it has the room; else a word that
// is not seen whole comes to the middle.
function bringAcross(mark, across) {
  const frame = across.getBoundingClientRect();
  const place = mark.getBoundingClientRect();
  const sentence = acrossLit(across, mark.dataset.n);
  const line = sentence?.width <= frame.width - 16 ? sentence : lineAround(mark, place);
  if (line.width <= frame.width - 16) across.scrollLeft += line.left - frame.left - 16;
  else if (place.left < frame.left || place.right > frame.right) {
    across.scrollLeft += place.left - frame.left - Math.max((frame.width - place.width) / 2, 16);
  }
}

// On a page: what is lit, or written, across the place of the mark; the mark itself where nothing else is known.
function lineAround(mark, place) {
  const around = mark.closest(".leaf")?.querySelectorAll(".lit rect, .words text") ?? [];
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
  const still = !smooth || matchMedia("(prefers-reduced-motion: reduce)").matches;
  bringIntoView(chosen, still ? "instant" : "smooth");
  if (focus) chosen.focus({ preventScroll: true });
  const position = document.querySelector("[data-position]");
  if (position) position.textContent = _("%(at)s of %(all)s", { at: current + 1, all: all.length });
  keepPlace(chosen.id, Number(chosen.dataset.n));
  showTaking(chosen.dataset.n);
  document.dispatchEvent(new CustomEvent("highlighter:shown"));
}

document.addEventListener("highlighter:goto", ({ detail }) => show(detail.number - 1));

// Text, Page and PDF all open at the sentence that is looked at. In a frame the fragment is the id of no element: the
// browser would scroll the page around the frame, too.
function keepPlace(id, number) {
  for (const tab of document.querySelectorAll("[data-view]")) {
    const page = tab.dataset.pages?.split(" ")[number - 1];
    tab.hash = tab.dataset.view === "pdf" ? `page=${page}` : isFramed ? `mark=${number}` : id;
  }
}

// Which of the marks that are drawn a fragment names; -1 where it names none of them.
function indexOf(hash) {
  const number = hash.match(/^#mark[-=](\d+)$/)?.[1];
  return marks().findIndex((mark) => mark.dataset.n === number);
}

document.addEventListener("keydown", (event) => {
  if (!isForItself(event)) return;
  const step = { n: 1, p: -1 }[event.key];
  const turn = step && document.querySelector(`[data-turn="${step}"]`);
  if (!step || !(turn || marks().length)) return;
  event.preventDefault();
  if (turn?.href) turn.click();
  else if (turn) showFound(); // the only one
  else show(current + step, { focus: true });
});

// A link within the page to a mark: the one that it leads to is the one that is looked at.
addEventListener("hashchange", () => {
  const index = indexOf(location.hash);
  if (index >= 0) show(index, { focus: true });
});

// In a frame such a link is not left to the browser, which would scroll the page around the frame, too.
document.addEventListener("click", (event) => {
  const link = isFramed && event.target.closest('a[href^="#mark-"]:not([data-step])');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(indexOf(link.hash), { focus: true });
});

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step][href]");
  if (!step) return;
  event.preventDefault();
  show(current + Number(step.dataset.step)); // the focus stays on the button, for pressing it again
});

// While the model loads, the page asks again until the highlights are there, and takes them in.
async function warmUp() {
  while (document.body.hasAttribute("data-warming")) {
    await new Promise((resolve) => setTimeout(resolve, refreshEvery));
    const answer = await asked(location.href);
    if (!answer?.ok) continue;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (page.body.hasAttribute("data-warming")) continue;
    document.querySelector("main").replaceWith(page.querySelector("main"));
    document.body.removeAttribute("data-warming");
    openLeaves(document);
    showFirst();
  }
}

function showFirst() {
  if (showFound()) return;
  const asked = indexOf(location.hash);
  const found = marks().findIndex((mark) => mark.hasAttribute("data-current"));
  if (asked < 0 && found < 0 && document.getElementById(location.hash.slice(1))) return; // the browser has gone there
  // A frame takes no focus from the page around it; on a page of its own the first mark is where reading goes on.
  const how = { smooth: false, focus: !isFramed };
  if (marks().length) show(asked < 0 ? Math.max(found, 0) : asked, how);
  else openPage(how);
}

// Where nothing is highlighted the pages open at the one that the section begins on. A reader who has scrolled stays.
function openPage({ focus }) {
  const page = document.querySelector("[data-opening]");
  if (!page || (scrollY && document.activeElement !== page)) return; // the browser has brought what has the focus somewhere in sight
  bringIntoView(page, "instant");
  if (focus) page.focus({ preventScroll: true });
}

// The find that was stepped to. The focus stays with whoever is looking.
function showFound() {
  const found = document.getElementById("found");
  if (found) bringIntoView(found, "instant");
  return found !== null;
}

document.addEventListener("highlighter:found", showFound);

// Another view of the document, taken in by find.js: by the browser's way back it may be that of its pages.
document.addEventListener("highlighter:taken", () => {
  openLeaves(document);
  showTaking(1);
});

// Beside an answer with several citations these are counted there, and one count is enough.
document.documentElement.toggleAttribute("data-counted", frameElement?.closest("[data-several]") != null);
openLeaves(document);
showTaking(1);
showFirst();
frameElement?.dispatchEvent(new Event("highlighter:opened"));
warmUp();
