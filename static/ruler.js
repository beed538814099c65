// The ruler beside the scroll bar shows where highlights and results are; a click on one leads there. It repeats what the
// links above the text do, so screen readers and the keyboard leave it out.

import { getOpenedPages } from "./page_view.js";

const ruler = Object.assign(document.createElement("div"), { className: "ruler", ariaHidden: "true" });
document.body.append(ruler);

function draw() {
  const height = document.documentElement.scrollHeight;
  const tint = [...(document.querySelector(".sheet")?.classList ?? [])].find((name) => name.startsWith("tint-"));
  ruler.className = tint ? `ruler ${tint}` : "ruler"; // the colour of the highlights
  ruler.replaceChildren(...(height > innerHeight + 1 ? [...listMarks(), ...listFinds()] : []).map((tick) => createTick(tick, height)));
}

const measureTop = (element) => scrollY + element.getBoundingClientRect().top;

function listMarks() {
  return [...document.querySelectorAll("[data-n][id]")].map((mark) => ({ top: measureTop(mark), mark: mark.dataset.n }));
}

// In the page view one tick for each page with results, because most pages are not in the document.
function listFinds() {
  const pages = getOpenedPages();
  if (!pages) return [...document.querySelectorAll("mark.hit")].map((hit) => ({ top: measureTop(hit), find: hit.dataset.hit }));
  return JSON.parse(pages.container.dataset.finds ?? "[]").map(([page, find]) => ({ top: scrollY + pages.measureTop(page), find }));
}

function createTick({ top, mark, find }, height) {
  const tick = Object.assign(document.createElement("a"), { tabIndex: -1, className: mark ? "mark" : "find" });
  tick.style.setProperty("top", `${(100 * top) / height}%`);
  if (mark) {
    tick.href = `#mark-${mark}`;
    tick.addEventListener("click", (event) => {
      event.preventDefault();
      document.dispatchEvent(new CustomEvent("highlighter:goto", { detail: { number: Number(mark) } }));
    });
    return tick;
  }
  const url = new URL(location.href);
  url.searchParams.set("hit", find);
  Object.assign(tick, { href: `${url.pathname}${url.search}#found` });
  tick.dataset.findNumber = find; // find.js loads it in place
  return tick;
}

let timer = 0;
function drawSoon() {
  clearTimeout(timer);
  timer = setTimeout(draw, 150);
}
for (const name of ["highlighter:taken", "highlighter:shown"]) document.addEventListener(name, drawSoon);
new ResizeObserver(drawSoon).observe(document.body);
