// The side panel of the viewer: contents, small pictures of the pages, and the results of a search. In a wide window it stands
// beside the text and stays open from section to section; in a narrow one it is a drawer over it.

import { fetchOrNotify } from "./connection.js";
import { foldOutline, markOutline, scrollIntoPane } from "./outline.js";
import { isSingleKey } from "./keyboard.js";
import { goToPage } from "./page_view.js";
import { openThumbnails } from "./thumbnails.js";
import { _ } from "./translations.js";

const STORAGE_KEY = "highlighter.side-panel"; // the open tab, for this window
const wideWindow = matchMedia("(min-width: 80rem)");
const panel = document.querySelector("[data-side-panel]");
const pane = (name) => panel.querySelector(`[data-side-pane="${name}"]`);
const tabs = () => [...panel.querySelectorAll("[data-side-tab]")].filter((tab) => !tab.hidden);
const findQuery = () => new URLSearchParams(location.search);

function remember(tab) {
  try {
    if (tab) sessionStorage.setItem(STORAGE_KEY, tab);
    else sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // without storage the panel is closed on the next page
  }
}

function readRemembered() {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

async function load(name, url) {
  if (pane(name).dataset.loaded === url) return;
  pane(name).dataset.loaded = url;
  const loading = Object.assign(document.createElement("p"), { textContent: _("Loading …") });
  loading.dataset.sideLoading = "";
  pane(name).replaceChildren(loading);
  const answer = await fetchOrNotify(url, { retry: () => load(name, url) });
  if (pane(name).dataset.loaded !== url) return; // another list was asked for meanwhile
  if (!answer?.ok) {
    delete pane(name).dataset.loaded;
    loading.textContent = _("Connection lost. Try again.");
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  pane(name).replaceChildren(...(page.querySelector("[data-side-content]") ?? page.querySelector("main")).childNodes);
}

const fill = {
  async outline() {
    await load("outline", panel.querySelector("[data-side-tab=outline]").dataset.url);
    foldOutline(pane("outline"));
    markOutline(pane("outline"));
  },
  thumbnails: () => openThumbnails(pane("thumbnails")),
  async finds() {
    await load("finds", buildListUrl(panel.dataset.findList));
    markFind();
  },
};

// The URL of the list of results with the parameters of the page, which are the reader's view and question, too.
function buildListUrl(url) {
  const query = findQuery();
  query.delete("hit");
  query.set("from", document.querySelector("[data-chunk-index]").dataset.chunkIndex);
  if (!new URL(url, location.href).searchParams.has("list")) query.set("from_hit", findQuery().get("hit") ?? "1");
  return `${url}${url.includes("?") ? "&" : "?"}${query}`;
}

function markFind() {
  const number = findQuery().get("hit");
  for (const link of pane("finds").querySelectorAll("[data-find-number]")) {
    if (link.dataset.findNumber === number) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  scrollIntoPane(pane("finds"), pane("finds").querySelector("[aria-current]"));
}

function show(name, { focus = false } = {}) {
  for (const tab of tabs()) tab.setAttribute("aria-pressed", String(tab.dataset.sideTab === name));
  for (const one of panel.querySelectorAll("[data-side-pane]")) one.hidden = one.dataset.sidePane !== name;
  if (!panel.open) {
    if (wideWindow.matches) panel.setAttribute("open", "");
    else panel.showModal();
  }
  document.body.classList.toggle("side-open", wideWindow.matches);
  updateOpener();
  if (wideWindow.matches) remember(name);
  if (focus) panel.querySelector(`[data-side-tab="${name}"]`).focus();
  return fill[name]();
}

function close({ focus = true } = {}) {
  if (panel.matches(":modal")) panel.close();
  panel.removeAttribute("open");
  document.body.classList.remove("side-open");
  remember(null);
  updateOpener();
  if (focus) document.querySelector("[data-side-opener]")?.focus();
}

function updateOpener() {
  const opener = document.querySelector("[data-side-opener]");
  opener?.setAttribute("role", "button");
  opener?.setAttribute("aria-expanded", String(panel.open));
}

// The tab of results is there while the page shows the results of a search.
function offerFinds() {
  const tab = panel.querySelector("[data-side-tab=finds]");
  tab.hidden = !findQuery().get("find");
  if (!panel.open || pane("finds").hidden) return;
  if (tab.hidden) show("outline");
  else fill.finds();
}

document.addEventListener("click", (event) => {
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey);
  if (event.target.closest("[data-side-opener]") && isPlain) {
    event.preventDefault();
    if (panel.open) close();
    else show(chooseTab(), { focus: true });
  }
});

const chooseTab = () => (findQuery().get("find") ? "finds" : "outline");

panel.addEventListener("click", (event) => {
  const tab = event.target.closest("[data-side-tab]");
  const link = event.target.closest("a[href]");
  if (tab) show(tab.dataset.sideTab);
  else if (event.target.closest("[data-side-close]") || event.target === panel) close(); // a click on the dialog itself is one beside it
  else if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) followLink(event, link);
});

function followLink(event, link) {
  if (link.closest(".pager")) {
    event.preventDefault();
    load("finds", buildListUrl(panel.dataset.findList + link.getAttribute("href").replace(/.*(?=\?)/, ""))).then(markFind);
    return;
  }
  if (!wideWindow.matches) close({ focus: false });
  const page = Number(link.dataset.page);
  if (page && goToPage(page)) {
    event.preventDefault();
    history.replaceState(history.state, "", `#page-${page}`);
  }
}

panel.addEventListener("close", () => close());
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && panel.open && panel.contains(event.target)) close();
  if (event.key !== "o" || !isSingleKey(event)) return;
  event.preventDefault();
  if (panel.open) close();
  else show(chooseTab(), { focus: true });
});
document.addEventListener("highlighter:page", () => panel.open && markOutline(pane("outline")));
document.addEventListener("highlighter:taken", () => {
  updateOpener();
  offerFinds();
});
wideWindow.addEventListener("change", () => panel.open && close({ focus: false }));

updateOpener();
offerFinds();
const remembered = readRemembered();
if (wideWindow.matches && tabs().some((tab) => tab.dataset.sideTab === remembered)) show(remembered);
