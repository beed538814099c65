// The page box: a number and Enter lead to that page, "g" focuses it, and in the page view it shows the page in the window.
// Without this file, and in the text view, its form does the same.

import { isSingleKey } from "./keyboard.js";
import { getOpenedPages, goToPage } from "./page_view.js";
import { findShownPage } from "./shown_page.js";

const box = () => document.querySelector("[data-page-box] input[name=page]");

function readPage(field) {
  const text = field.value.trim();
  const labels = JSON.parse(document.querySelector("[data-labels]")?.dataset.labels ?? "[]");
  const at = labels.findIndex((label) => label && label.toLowerCase() === text.toLowerCase());
  return /^\d+$/.test(text) ? Number(text) : at < 0 ? 0 : at + 1;
}

document.addEventListener("submit", (event) => {
  if (!event.target.closest("[data-page-box]") || !getOpenedPages()) return;
  event.preventDefault();
  const page = readPage(box());
  if (goToPage(page)) {
    history.replaceState(history.state, "", `#page-${page}`);
    const figure = getOpenedPages().getFigure(page);
    figure.tabIndex = -1;
    return figure.focus({ preventScroll: true }); // so that the keys of the page work again
  }
  box().setCustomValidity(box().dataset.message);
  box().reportValidity();
});

// In the text view only a number can be checked here: the server knows what is printed on the pages.
document.addEventListener("input", (event) => {
  if (event.target !== box()) return;
  const text = event.target.value.trim();
  const isOutside = /^\d+$/.test(text) && !(Number(text) >= 1 && Number(text) <= Number(event.target.dataset.last));
  event.target.setCustomValidity(isOutside ? event.target.dataset.message : "");
});

document.addEventListener("focusin", (event) => event.target === box() && box().select());
document.addEventListener("focusout", (event) => event.target === box() && showCurrentPage());

document.addEventListener("keydown", (event) => {
  if (event.key !== "g" || !isSingleKey(event) || !box()) return;
  event.preventDefault();
  box().focus();
});

// Tell everything that follows the reader which page is in the window.
let shown = 0;
let isWaiting = false;

function showCurrentPage() {
  isWaiting = false;
  const page = findShownPage();
  if (!page) return;
  if (box() && document.activeElement !== box()) box().value = page;
  markPlace(page);
  if (page !== shown) document.dispatchEvent(new CustomEvent("highlighter:page", { detail: { page } }));
  shown = page;
}

// The line below the title names the section that was opened: it goes where the reader is on other pages.
function markPlace(page) {
  const line = document.querySelector("[data-place]");
  const [first, last] = line.dataset.place.split(" ").map(Number);
  line.classList.toggle("elsewhere", page < first || page > last);
}

function showSoon() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(showCurrentPage);
}

addEventListener("scroll", showSoon, { passive: true });
for (const name of ["highlighter:shown", "highlighter:taken"]) document.addEventListener(name, showSoon);
showSoon();
