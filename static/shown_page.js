// The page of the page view that counts as the shown one: that of the current highlight until the reader scrolls or goes
// elsewhere, wherever in the window it stands; then the page a third of the way down the window.

import { getOpenedPages } from "./page_view.js";

const scrollingKeys = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "];
const findHighlight = () => document.querySelector(".document-page .highlight[aria-current]");
let highlight = findHighlight();

export function findShownPage() {
  const pages = getOpenedPages();
  if (!pages) return null;
  return highlight && isInWindow(highlight) ? Number(highlight.closest("[data-page]").dataset.page) : pages.findPageAt(innerHeight / 3);
}

function isInWindow(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return element.isConnected && bottom > 0 && top < innerHeight;
}

const forgetHighlight = () => (highlight = null);
for (const input of ["wheel", "touchmove"]) addEventListener(input, forgetHighlight, { passive: true });
addEventListener("keydown", (event) => scrollingKeys.includes(event.key) && forgetHighlight(), { capture: true });
document.addEventListener("highlighter:went", forgetHighlight);
document.addEventListener("highlighter:shown", () => (highlight = findHighlight()));
