// The page view: draw pages as they come near the window, with a selectable text layer, highlights and find results.

import { VirtualPages, createPlaceholder } from "./virtual_pages.js";
import { _ } from "./translations.js";
import { offerZoom } from "./zoom.js";

const svgName = "http://www.w3.org/2000/svg";
const restMs = 120; // a page that a reader only scrolls past is not drawn
const requests = new WeakMap(); // of each page near the window, an AbortController for its image and words
let openedPages = null; // the VirtualPages of the view
let lastTurn = Promise.resolve(); // of the text layers that wait

export function openPages(sheet) {
  const pages = sheet.querySelector("[data-document-pages]");
  if (!pages) return;
  offerZoom(pages);
  if (pages.dataset.opened !== undefined) return; // reused pages keep their observers
  pages.dataset.opened = "";
  const nearPages = new Set();
  openedPages = new VirtualPages(pages, {
    show(page) {
      nearPages.add(page);
      if (!requests.has(page)) requests.set(page, new AbortController());
      setTimeout(() => nearPages.has(page) && prepareImage(page, pages), restMs);
    },
    hide(page) {
      nearPages.delete(page);
      release(page);
    },
  });
  pages.addEventListener("scroll", () => (pages.dataset.across = pages.scrollLeft));
  pages.addEventListener("highlighter:zoomed", () => nearPages.forEach((page) => drawAtWidth(page, pages)));
}

// Return the VirtualPages of the page view; null in the text view.
export const getOpenedPages = () => (openedPages?.container.isConnected ? openedPages : null);

// Scroll to a page by its number; return whether the view has it.
export function goToPage(page) {
  const { geometry } = getOpenedPages() ?? {};
  if (!geometry || !(page >= geometry.first && page <= geometry.last)) return false;
  openedPages.include(page - 1, page + 1);
  document.dispatchEvent(new Event("highlighter:went"));
  const header = document.querySelector(".sheet > header");
  const covered = getComputedStyle(header).position === "sticky" ? header.getBoundingClientRect().height : 0;
  const { top } = openedPages.getFigure(page).getBoundingClientRect();
  scrollTo({ top: scrollY + top - covered - 8, behavior: "instant" });
  return true;
}

// Reuse pages that are drawn already, and replace only their highlights and find results.
export function reusePages(oldPages, sheet) {
  const newPages = sheet.querySelector("[data-document-pages]");
  if (!oldPages || oldPages.dataset.documentPages !== newPages?.dataset.documentPages) return;
  const across = oldPages.dataset.across;
  openedPages.replaceOverlays(newPages);
  oldPages.dataset.finds = newPages.dataset.finds ?? "[]";
  newPages.replaceWith(oldPages);
  oldPages.scrollLeft = across ?? 0; // lost when the element was moved
}

function prepareImage(page, pages) {
  const servedImage = page.querySelector("img:not([data-watched])"); // it came with the page and may have failed already
  if (servedImage) {
    servedImage.dataset.watched = "";
    if (servedImage.complete && !servedImage.naturalWidth) showImageError(page, servedImage.src);
    else servedImage.addEventListener("error", () => showImageError(page, servedImage.src));
  }
  drawAtWidth(page, pages);
  if (!page.dataset.worded) addTextLayer(page, pages);
}

// Free the image of a page, and in a long document its words. A highlighted page keeps its image, because it is printed.
function release(page) {
  requests.get(page)?.abort(); // a server that is busy need not draw it
  requests.delete(page);
  delete page.dataset.drawn;
  if (!openedPages.isSmall || page.dataset.worded === "requested") {
    page.querySelector(".text-layer")?.remove();
    delete page.dataset.worded;
  }
  if (!page.querySelector(".highlight, [data-current]")) fill(page, createPlaceholder(page.dataset.page));
}

// Return the URL of a page's image or words: the container has that of the first page.
const buildPageUrl = (url, { first }, page) => url.replace(`/pages/${first}.`, `/pages/${page.dataset.page}.`);

// Load the narrowest image that matches the screen's resolution; the current image stays until then.
function drawAtWidth(page, pages) {
  const widths = pages.dataset.widths.split(" ").map(Number);
  const wanted = page.clientWidth * devicePixelRatio;
  const width = widths.find((one) => one >= wanted) ?? widths.at(-1);
  if (Number(page.dataset.drawn ?? page.querySelector("img")?.dataset.width ?? 0) >= width) return;
  page.dataset.drawn = width;
  const picture = new Image();
  picture.alt = _("Page %(page)s", page.dataset);
  picture.decoding = "async";
  Object.assign(picture.dataset, { width, watched: "" });
  const { signal } = requests.get(page);
  picture.onload = () => signal.aborted || fill(page, picture);
  picture.onerror = () => signal.aborted || showImageError(page, picture.src);
  signal.addEventListener("abort", () => picture.complete || picture.removeAttribute("src"));
  picture.src = `${buildPageUrl(pages.dataset.picture, pages.dataset, page)}&width=${width}`;
}

function fill(page, content) {
  page.querySelectorAll("img, .page-placeholder, .page-error").forEach((one) => one.remove());
  page.prepend(content);
}

async function showImageError(page, address) {
  const answer = await fetch(address).catch(() => null);
  const errorPage = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
  const note = document.createElement("p");
  note.className = "page-error";
  note.textContent = errorPage.querySelector("[data-sentence]")?.textContent ?? _("The server is not responding.");
  fill(page, note);
  delete page.dataset.drawn;
}

async function addTextLayer(page, pages) {
  page.dataset.worded = "requested";
  const { signal } = requests.get(page);
  const answer = await fetch(buildPageUrl(pages.dataset.words, pages.dataset, page), { signal }).catch(() => null);
  if (!answer?.ok) return;
  const { lines } = await answer.json().catch(() => ({ lines: [] }));
  await waitForTurn();
  if (signal.aborted) return;
  const layer = document.createElementNS(svgName, "g");
  layer.setAttribute("class", "text-layer");
  layer.append(...lines.map(createTextLine));
  page.querySelector("svg").append(layer);
  page.dataset.worded = "loaded";
}

// One text layer in each frame: to lay out those of several pages at once would hold up the page.
function waitForTurn() {
  lastTurn = lastTurn.then(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return lastTurn;
}

function createTextLine({ turn, words }) {
  const text = document.createElementNS(svgName, "text");
  const isHorizontal = turn !== 90 && turn !== 270;
  text.setAttribute("font-size", Math.max(...words.map((word) => (isHorizontal ? word.height : word.width))) * 0.8);
  words.forEach((word, at) => {
    const part = text.appendChild(document.createElementNS(svgName, "tspan"));
    part.textContent = word.text;
    const run = placeWord(part, word, turn);
    part.setAttribute("textLength", Math.max(run, 0.1));
    part.setAttribute("lengthAdjust", "spacingAndGlyphs");
    if (at < words.length - 1) text.append(" ");
  });
  if (turn > 0) text.setAttribute("transform", `rotate(${-turn})`);
  return text;
}

// Place a word in the coordinates in which its line is horizontal, and return its width there.
function placeWord(part, { x, y, width, height }, turn) {
  const places = {
    90: [-(y + height), x + 0.8 * width, height],
    180: [-(x + width), -(y + 0.2 * height), width],
    270: [y, -(x + 0.2 * width), height],
  };
  const [along, base, run] = places[turn] ?? [x, y + 0.8 * height, width];
  part.setAttribute("x", along);
  part.setAttribute("y", base);
  return run;
}
