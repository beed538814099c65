// Small pictures of all pages in the side panel. Only those in sight are in the document.

import { _ } from "./translations.js";
import { getOpenedPages } from "./page_view.js";
import { findShownPage } from "./shown_page.js";

const imageWidth = 160; // pixels, the narrowest that the server draws
const rowHeight = 190; // pixels, as in highlighter.css
const columns = 2;
const extraRows = 1; // above and below those in sight
const restMs = 100; // rows that a reader only scrolls past are not drawn

export function openThumbnails(pane) {
  if (!getOpenedPages()) return;
  if (!pane.querySelector(".thumbnails")) createList(pane);
  goTo(pane, findShownPage());
}

function createList(pane) {
  const list = Object.assign(document.createElement("div"), { className: "thumbnails" });
  list.style.setProperty("--rows", Math.ceil(getOpenedPages().geometry.count / columns));
  pane.append(list);
  let timer = 0;
  pane.addEventListener("scroll", () => {
    draw(pane, list);
    clearTimeout(timer);
    timer = setTimeout(() => loadImages(list), restMs);
  });
  list.addEventListener("keydown", (event) => handleKey(event, pane));
  document.addEventListener("highlighter:page", ({ detail }) => !pane.hidden && goTo(pane, detail.page));
}

function draw(pane, list) {
  const { geometry } = getOpenedPages();
  const row = Math.floor(pane.scrollTop / rowHeight) - extraRows;
  const rows = Math.ceil(pane.clientHeight / rowHeight) + 2 * extraRows;
  const first = Math.max(geometry.first + row * columns, geometry.first);
  const last = Math.min(geometry.first + (row + rows) * columns - 1, geometry.last);
  const drawn = new Map([...list.children].map((link) => [Number(link.dataset.page), link]));
  for (const [page, link] of drawn) if (page < first || page > last) link.remove();
  for (let page = first; page <= last; page += 1) if (!drawn.has(page)) list.append(createLink(page, geometry));
}

function createLink(page, geometry) {
  const link = Object.assign(document.createElement("a"), { href: `#page-${page}`, className: "thumbnail" });
  link.dataset.page = page;
  const at = page - geometry.first;
  link.style.setProperty("--row", Math.floor(at / columns));
  link.style.setProperty("--column", at % columns);
  const { width, height } = geometry.getSize(page);
  const picture = Object.assign(new Image(), { alt: "", decoding: "async" });
  picture.style.setProperty("aspect-ratio", width / height);
  const name = Object.assign(document.createElement("span"), { textContent: page });
  link.setAttribute("aria-label", _("Page %(page)s", { page }));
  link.append(picture, name);
  return link;
}

function loadImages(list) {
  const { dataset } = getOpenedPages()?.container ?? {};
  for (const link of dataset ? list.children : []) {
    const picture = link.querySelector("img:not([src])");
    if (picture) picture.src = `${dataset.picture.replace(`/pages/${dataset.first}.`, `/pages/${link.dataset.page}.`)}&width=${imageWidth}`;
  }
}

// Mark a page, and scroll the list to it.
function goTo(pane, page, { focus = false } = {}) {
  const list = pane.querySelector(".thumbnails");
  const top = Math.floor((page - getOpenedPages().geometry.first) / columns) * rowHeight;
  if (top < pane.scrollTop || top + rowHeight > pane.scrollTop + pane.clientHeight) pane.scrollTop = top - pane.clientHeight / 3;
  draw(pane, list);
  loadImages(list);
  for (const link of list.children) {
    if (Number(link.dataset.page) === page) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (focus && Number(link.dataset.page) === page) link.focus({ preventScroll: true });
  }
}

function handleKey(event, pane) {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
  const { first, last } = getOpenedPages().geometry;
  const page = Number(event.target.closest("[data-page]")?.dataset.page) + by;
  if (!by || !(page >= first && page <= last)) return;
  event.preventDefault();
  goTo(pane, page, { focus: true });
}
