// The page view: draw pages as they come near the window, with a selectable text layer, highlights and find results.

import { _ } from "./translations.js";
import { offerZoom } from "./zoom.js";

const svgName = "http://www.w3.org/2000/svg";

export function openPages(sheet) {
  const pages = sheet.querySelector("[data-document-pages]");
  if (!pages) return;
  offerZoom(pages);
  if (pages.dataset.opened !== undefined) return; // reused pages keep their observers
  pages.dataset.opened = "";
  const nearPages = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) nearPages.delete(target);
        else if (nearPages.add(target)) prepareImage(target, pages);
      }
    },
    { rootMargin: "100% 0px" },
  );
  for (const page of pages.querySelectorAll(".document-page")) watcher.observe(page);
  pages.addEventListener("scroll", () => (pages.dataset.across = pages.scrollLeft));
  pages.addEventListener("highlighter:zoomed", () => nearPages.forEach((page) => drawAtWidth(page, pages)));
}

// Reuse pages that are drawn already, and replace only their highlights and find results.
export function reusePages(oldPages, sheet) {
  const newPages = sheet.querySelector("[data-document-pages]");
  if (!oldPages || oldPages.dataset.documentPages !== newPages?.dataset.documentPages) return;
  const across = oldPages.dataset.across;
  for (const page of oldPages.querySelectorAll(".document-page")) {
    const layer = page.querySelector("svg");
    layer.querySelectorAll(".highlight, .hit").forEach((one) => one.remove());
    layer.prepend(...newPages.querySelectorAll(`#${page.id} :is(.highlight, .hit)`));
  }
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
  if (!page.dataset.worded) addTextLayer(page);
}

// Load the narrowest image that matches the screen's resolution; the current image stays until then.
function drawAtWidth(page, pages) {
  const widths = pages.dataset.widths.split(" ").map(Number);
  const wanted = page.clientWidth * devicePixelRatio;
  const width = widths.find((one) => one >= wanted) ?? widths.at(-1);
  if (Number(page.dataset.drawn ?? page.querySelector("img")?.dataset.width ?? 0) >= width) return;
  page.dataset.drawn = width;
  const picture = new Image();
  picture.alt = _("Page %(page)s", page.dataset);
  picture.dataset.watched = "";
  picture.onload = () => fill(page, picture);
  picture.onerror = () => showImageError(page, picture.src);
  picture.src = `${page.dataset.picture}&width=${width}`;
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

async function addTextLayer(page) {
  page.dataset.worded = "requested";
  const answer = await fetch(page.dataset.words).catch(() => null);
  if (!answer?.ok) return;
  const { lines } = await answer.json();
  const layer = document.createElementNS(svgName, "g");
  layer.setAttribute("class", "text-layer");
  layer.append(...lines.map(createTextLine));
  page.querySelector("svg").append(layer);
  page.dataset.worded = "loaded";
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
