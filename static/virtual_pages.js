// Only pages near the window are in the document, so that a book of two thousand pages stays small: gaps as high as the pages
// that they stand for take the place of the others, from the first paint on. Pages with a highlight, the current result or selected
// text stay.

import { PageGeometry } from "./page_geometry.js";
import { _ } from "./translations.js";

const svgName = "http://www.w3.org/2000/svg";
const overlaySelector = ".highlight, .outlines, .hit";
const fewPages = 30; // so many are all in the document
const captionRems = 2.1; // the height of a caption, as in highlighter.css and page_view.html
const nearMargin = "100% 0px"; // of the window: pages within are shown,
const farMargin = "150% 0px"; // and removed where they are farther away than this

export class VirtualPages {
  // `show` is called with a page that comes near the window, `hide` with one that is far away.
  constructor(container, { show, hide }) {
    Object.assign(this, { container, show, hide, geometry: new PageGeometry(container.dataset) });
    this.labels = JSON.parse(container.dataset.labels ?? "[]");
    this.figures = new Map([...container.querySelectorAll(".document-page")].map((figure) => [Number(figure.dataset.page), figure]));
    this.wanted = new Set(this.figures.keys());
    this.nearObserver = new IntersectionObserver((entries) => this.handleNear(entries), { rootMargin: nearMargin });
    this.farObserver = new IntersectionObserver((entries) => this.handleFar(entries), { rootMargin: farMargin });
    this.isSmall = this.geometry.count <= fewPages;
    if (this.isSmall) this.include(this.geometry.first, this.geometry.last);
    for (const figure of this.figures.values()) {
      this.setRatio(figure);
      this.observe(figure);
    }
    this.arrange();
    this.keepPlace();
  }

  // Keep the same lines in the window when the width of the pages changes, and so the height of all before them.
  keepPlace() {
    let place = null;
    let width = this.container.clientWidth;
    const read = () => {
      if (!this.container.isConnected || this.container.clientWidth !== width) return;
      const page = this.findPageAt(0);
      place = { page, down: -this.measureTop(page) / width };
    };
    addEventListener("scroll", read, { passive: true });
    new ResizeObserver(() => {
      const isChanged = this.container.clientWidth !== width;
      width = this.container.clientWidth;
      if (isChanged && width && place) scrollBy({ top: this.measureTop(place.page) + place.down * width, behavior: "instant" });
    }).observe(this.container);
  }

  // Put pages into the document.
  include(first, last = first) {
    for (let page = Math.max(first, this.geometry.first); page <= Math.min(last, this.geometry.last); page += 1) this.wanted.add(page);
    this.arrange();
  }

  getFigure(page) {
    if (!this.figures.has(page)) this.figures.set(page, this.createFigure(page));
    return this.figures.get(page);
  }

  handleNear(entries) {
    const before = this.wanted.size;
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      if (entry.target.matches(".document-page")) this.show(entry.target);
      else for (const page of this.listPagesInGap(entry)) this.wanted.add(page);
    }
    if (this.wanted.size > before) this.arrange();
  }

  handleFar(entries) {
    const far = entries.filter(({ target, isIntersecting }) => !isIntersecting && target.isConnected).map(({ target }) => target);
    const removed = this.isSmall ? [] : far.filter((figure) => !isPinned(figure)); // all before any is hidden: to read the selection needs the layout
    for (const figure of far) this.hide(figure);
    for (const { dataset } of removed) this.wanted.delete(Number(dataset.page));
    if (removed.length) this.arrange();
  }

  // Return the page at a height of the window, or the nearest one.
  findPageAt(y) {
    const child = [...this.container.children].find((one) => one.getBoundingClientRect().bottom > y) ?? this.container.lastElementChild;
    const [first, last] = readPageRange(child);
    const box = child.getBoundingClientRect();
    return this.geometry.findPage(first, last, y - box.top, this.readScale(first, last, box));
  }

  // Return where a page begins, in pixels below the top of the window.
  measureTop(page) {
    const child = this.container.firstElementChild;
    const box = child.getBoundingClientRect();
    const { width, caption } = this.readScale(...readPageRange(child), box);
    return box.top + this.geometry.sumRatios(this.geometry.first, page - 1) * width + (page - this.geometry.first) * caption;
  }

  // Return the width of a page and the height of its caption, from the box of a page or a gap.
  readScale(first, last, { width, height }) {
    return { width, caption: (height - this.geometry.sumRatios(first, last) * width) / (last - first + 1) };
  }

  // Return the pages of a gap that are near the window.
  listPagesInGap({ target, boundingClientRect: box, intersectionRect: near }) {
    const [first, last] = readPageRange(target);
    const scale = this.readScale(first, last, box);
    const begin = this.geometry.findPage(first, last, near.top - box.top, scale);
    const end = this.geometry.findPage(first, last, near.bottom - box.top, scale);
    return Array.from({ length: end - begin + 1 }, (unused, at) => begin + at);
  }

  // Bring the document in line with the wanted pages. The height of the whole stays, so nothing moves on the screen.
  arrange() {
    const figures = [...this.wanted].sort((a, b) => a - b).map((page) => this.getFigure(page));
    const wanted = new Set(figures);
    for (const child of [...this.container.children]) if (!wanted.has(child)) this.remove(child);
    let [place, next] = [this.container.firstElementChild, this.geometry.first];
    for (const figure of figures) {
      const page = Number(figure.dataset.page);
      this.insertGap(next, page - 1, place);
      if (figure === place) place = place.nextElementSibling;
      else {
        this.container.insertBefore(figure, place);
        this.observe(figure);
      }
      next = page + 1;
    }
    this.insertGap(next, this.geometry.last, null);
  }

  observe(figure) {
    this.nearObserver.observe(figure);
    this.farObserver.observe(figure);
  }

  remove(child) {
    this.nearObserver.unobserve(child);
    this.farObserver.unobserve(child);
    child.remove();
  }

  insertGap(first, last, place) {
    if (first > last) return;
    const gap = document.createElement("div");
    Object.assign(gap, { className: "page-gap", ariaHidden: "true" });
    Object.assign(gap.dataset, { first, last });
    // Browsers round the sides of a ratio to a 64th: of a width of 1, a gap of 2,000 pages would be wrong by 14 pixels.
    gap.append(createSvg({ viewBox: `0 0 1000 ${1000 * this.geometry.sumRatios(first, last)}` }), createSvg({ height: `${captionRems * (last - first + 1)}rem` }));
    this.container.insertBefore(gap, place);
    this.nearObserver.observe(gap);
  }

  // For print: a page is as wide as lets it fit on a sheet.
  setRatio(figure) {
    const { width, height } = this.geometry.getSize(Number(figure.dataset.page));
    figure.style.setProperty("--page-ratio", width / height);
  }

  createFigure(page) {
    const { width, height } = this.geometry.getSize(page);
    const figure = Object.assign(document.createElement("figure"), { className: "document-page", id: `page-${page}` });
    figure.dataset.page = page;
    const layer = createSvg({ viewBox: `0 0 ${width} ${height}`, width, height });
    const label = this.labels[page - this.geometry.first];
    const count = _("%(at)s of %(all)s", { at: page, all: this.container.dataset.count });
    const caption = Object.assign(document.createElement("figcaption"), { textContent: label ? `${label} · ${count}` : count });
    figure.append(createPlaceholder(page), layer, caption);
    this.setRatio(figure);
    return figure;
  }

  // Take the highlights and results of other pages of the same document, and show the pages with them.
  replaceOverlays(newPages) {
    const fresh = new Map();
    for (const figure of newPages.querySelectorAll(".document-page")) {
      const overlays = [...figure.querySelectorAll(overlaySelector)];
      if (overlays.length) fresh.set(Number(figure.dataset.page), overlays);
    }
    for (const page of new Set([...this.figures.keys(), ...fresh.keys()])) {
      const layer = this.getFigure(page).querySelector("svg");
      layer.querySelectorAll(overlaySelector).forEach((one) => one.remove());
      layer.prepend(...(fresh.get(page) ?? []));
      if (isPinned(this.getFigure(page))) this.wanted.add(page);
    }
    this.arrange();
  }
}

function createSvg(attributes) {
  const svg = document.createElementNS(svgName, "svg");
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  return svg;
}

// The text waits for the image, or stands in its place.
export function createPlaceholder(page) {
  return Object.assign(document.createElement("span"), { className: "page-placeholder", textContent: _("Page %(page)s", { page }) });
}

// Return the first and the last page that a child of the container stands for: a page or a gap.
function readPageRange({ dataset: { page, first = page, last = page } }) {
  return [Number(first), Number(last)];
}

function isPinned(figure) {
  const selection = getSelection();
  return (
    figure.querySelector("[data-n], [data-current]") !== null ||
    figure.contains(document.activeElement) ||
    (!selection.isCollapsed && selection.containsNode(figure, true))
  );
}
