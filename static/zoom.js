// Zoom of the page view, by buttons and keys. The factor stays with the pages when the content around them is replaced.

import { isSingleKey } from "./keyboard.js";

const narrow = 480; // pixels: on a phone a whole page is too small to read
const minLineHeight = 10; // pixels: of a line
const steps = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];
const findZoom = 1.6; // on a phone, where the width of the lines is unknown

const getPages = () => document.querySelector("[data-document-pages]");
const factorOf = (pages) => Number(pages.dataset.factor ?? 1);

// Show the buttons; new pages get the size that suits the window.
export function offerZoom(pages) {
  document.querySelector("[data-zoom]").hidden = false;
  setFactor(pages, pages.dataset.factor ?? (innerWidth < narrow ? fitHighlight(pages) : 1));
}

function setFactor(pages, factor) {
  pages.dataset.factor = factor;
  pages.style.setProperty("--zoom", factor);
  document.querySelector("[data-zoom-now]").textContent = `${Math.round(factor * 100)} %`;
}

function zoom(pages, by) {
  const middle = readMiddlePosition(pages);
  const factor = factorOf(pages);
  const larger = steps.find((step) => step > factor + 0.01) ?? steps.at(-1);
  const smaller = steps.findLast((step) => step < factor - 0.01) ?? steps[0];
  setFactor(pages, by > 0 ? larger : by < 0 ? smaller : 1);
  restoreMiddlePosition(pages, middle);
  pages.dispatchEvent(new Event("highlighter:zoomed"));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-zoom-by]");
  if (button && getPages()) zoom(getPages(), Number(button.dataset.zoomBy));
});

document.addEventListener("keydown", (event) => {
  const by = { "+": 1, "=": 1, "-": -1, 0: 0 }[event.key];
  if (by === undefined || !isSingleKey(event) || !getPages()) return;
  event.preventDefault();
  zoom(getPages(), by);
});

// Fit the first highlighted sentence to the window's width: the whole sentence if readable, else its beginning.
function fitHighlight(pages) {
  const firstMark = pages.querySelector("[data-n][id]");
  if (firstMark) {
    const fillFactor = ({ width }) => Math.min(Math.max((pages.clientWidth - 32) / width, 1), 2.2);
    const wholeFactor = fillFactor(highlightExtent(pages, firstMark.dataset.n));
    const line = firstMark.querySelector("rect").getBoundingClientRect().height;
    return line * wholeFactor < minLineHeight ? fillFactor(firstMark.getBoundingClientRect()) : wholeFactor;
  }
  return pages.querySelector("#found") ? findZoom : 1;
}

// Measure how far a highlighted sentence reaches across its pages.
export function highlightExtent(pages, number) {
  const boxes = [...pages.querySelectorAll(`.highlight[data-n="${number}"]`)].map((part) => part.getBoundingClientRect());
  if (!boxes.length) return null;
  const left = Math.min(...boxes.map((box) => box.left));
  return { left, width: Math.max(...boxes.map((box) => box.right)) - left };
}

// Read what is in the middle of the window: the page, how far down it, how far across all.
function readMiddlePosition(pages) {
  const middle = innerHeight / 2;
  const page = [...pages.querySelectorAll(".document-page")].find((one) => one.getBoundingClientRect().bottom > middle);
  if (!page) return null;
  const box = page.getBoundingClientRect();
  const across = (pages.scrollLeft + pages.clientWidth / 2) / pages.scrollWidth;
  return { page, down: (middle - box.top) / box.height, across };
}

function restoreMiddlePosition(pages, place) {
  if (!place) return;
  const box = place.page.getBoundingClientRect();
  scrollBy({ top: box.top + place.down * box.height - innerHeight / 2, behavior: "instant" });
  pages.scrollLeft = place.across * pages.scrollWidth - pages.clientWidth / 2;
}
