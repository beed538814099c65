// The viewer in another site's page: reports its state to that page and accepts its messages. Only origins named in the
// link take part. The messages are described in docs/how-to/embed.md.

const config = JSON.parse(document.getElementById("embed").textContent);
const here = new URL(location.href);
const version = { source: "highlighter", v: 1 };
const trusted = [here.origin, ...config.origins];
const renewBefore = 30; // seconds
const keptParameters = new URLSearchParams([...here.searchParams].filter(([name]) => name === "theme" || name === "lang"));
let port = null;
let root = config.root;
let timer = 0;

const isMessage = (data) => data?.source === version.source && data.v === version.v && typeof data.type === "string";
const post = (type, what = {}) => port?.postMessage({ ...version, type, ...what });
const isCount = (number) => Number.isInteger(number) && number >= 0;
const shownView = () => document.querySelector(".tabs [aria-current]")?.dataset.view ?? "";
const readClaims = (path) => JSON.parse(atob(path.split("/embed/").at(-1).split(/[./?]/)[1].replaceAll("-", "+").replaceAll("_", "/")));

// Announce the viewer to anyone; send everything else only to the embedding page, once its origin is known.
addEventListener("message", ({ source, origin, data, ports }) => {
  if (source !== parent || source === window || !trusted.includes(origin)) return;
  if (!isMessage(data) || data.type !== "connect" || !ports[0]) return;
  port?.close();
  port = ports[0];
  port.onmessage = ({ data }) => isMessage(data) && Object.hasOwn(handlers, data.type) && handlers[data.type](data);
  introduce();
});
if (parent !== window) parent.postMessage({ ...version, type: "ready" }, "*");

function introduce() {
  const { document_id, chunk_index, problem } = config;
  const marks = document.querySelectorAll("[data-n][id]").length;
  post("ready", { document_id, chunk_index, view: shownView(), title: document.querySelector("h1")?.textContent.trim(), marks });
  reportHeight();
  if (problem) post(problem.status === 410 ? "link.expired" : "error", problem);
  else if (config.missing) post("evidence.missing", { why: document.querySelector("#status .notice, .quote-result")?.textContent.replace(/\s+/g, " ").trim() });
  else reportSelection();
  if (!problem) scheduleRenewal();
}

function reportHeight() {
  post("resize", { height: Math.ceil(document.body.getBoundingClientRect().height) });
}
new ResizeObserver(reportHeight).observe(document.body);

// When the frame gets lower (a rotated phone, a smaller panel), keep the current highlight visible.
let lastHeight = innerHeight;
addEventListener("resize", () => {
  if (innerHeight < lastHeight) document.querySelector("[data-n][id][aria-current]")?.scrollIntoView({ block: "nearest" });
  lastHeight = innerHeight;
});

function reportSelection() {
  const mark = document.querySelector("[data-n][id][aria-current]");
  if (!mark) return;
  const number = Number(mark.dataset.n);
  post("evidence.selected", { number, of: document.querySelectorAll("[data-n][id]").length, ...config.selected[number - 1] });
}
document.addEventListener("highlighter:shown", reportSelection);

// Renew a link that is about to expire without moving the text.
function scheduleRenewal() {
  clearTimeout(timer);
  const left = readClaims(root).exp - Date.now() / 1000;
  timer = setTimeout(() => post("link.expired", { seconds: Math.max(0, readClaims(root).exp - Date.now() / 1000) }), 1000 * Math.max(left - renewBefore, left / 2, 0));
}

function renewLink(fresh) {
  const now = fresh.pathname.match(/^.*?\/embed\/[^/]+/)?.[0];
  if (!now) return;
  const place = ({ s, c, d, n, p }) => JSON.stringify([s, c, d, n, p]);
  if (config.problem || place(readClaims(now)) !== place(readClaims(root))) return navigate(fresh);
  for (const element of document.querySelectorAll("[href], [data-picture], [data-words]")) {
    for (const name of ["href", "data-picture", "data-words"]) {
      const address = element.getAttribute(name);
      if (address?.includes(root)) element.setAttribute(name, address.replace(root, now));
    }
  }
  root = now;
  scheduleRenewal();
}

// Replace the URL without a history entry: the history belongs to the embedding page.
function navigate(address) {
  const url = new URL(address, here);
  if (url.origin !== here.origin || !url.pathname.includes("/embed/")) return;
  for (const [name, value] of keptParameters) url.searchParams.set(name, value);
  location.replace(url);
}

// Navigate from the section that is shown, which may differ from the one the link opened.
function navigateTo(query, place = config.place, hash = "") {
  const url = new URL(root + place, here);
  const question = here.searchParams.get("q");
  const currentParameters = { view: shownView() || "text", ...(question && { q: question }) };
  for (const [name, value] of Object.entries({ ...currentParameters, ...query })) url.searchParams.set(name, value);
  url.hash = hash;
  navigate(url);
}

const handlers = {
  goto({ mark, page, start, end, document_id, chunk_index }) {
    if (isCount(mark)) document.dispatchEvent(new CustomEvent("highlighter:goto", { detail: { number: mark } }));
    else if (isCount(start) && isCount(end)) navigateTo({ at: `${start}-${end}` });
    else if (/^\w+$/.test(document_id) && isCount(chunk_index)) navigateTo({}, `/${document_id}/${chunk_index}`);
    else if (isCount(page)) navigateTo({ view: "page", page }, config.place, `page-${page}`);
  },
  question({ question }) {
    if (typeof question === "string" && question.trim()) navigateTo({ q: question.trim() });
  },
  view({ view }) {
    const tab = document.querySelector(`.tabs [data-view="${view === "page" ? "page" : "text"}"]`);
    if (tab && tab.dataset.view !== shownView()) navigate(tab.href);
  },
  theme({ theme }) {
    const style = Object.hasOwn(config.styles, theme) && config.styles[theme];
    if (!style) return;
    keptParameters.set("theme", theme);
    document.documentElement.dataset.theme = theme;
    const old = document.querySelector("link[rel=stylesheet]");
    const fresh = old.cloneNode();
    fresh.href = style;
    fresh.onload = () => old.remove(); // the page is never shown without a style
    old.after(fresh);
  },
  "refresh-link"({ url }) {
    const fresh = new URL(url, here);
    if (fresh.origin === here.origin) renewLink(fresh);
  },
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const url = new URL(link.href);
  const tab = link.target === "_blank";
  if (!tab && url.pathname === here.pathname && url.search === here.search) return; // within this page
  post("navigate", { url: url.href, tab });
  if (tab) return;
  event.preventDefault();
  navigate(url);
});

// Post "close" on keyup: on keydown the keyup would reach the embedding page, which may use it. And only after the event
// is over, because the frame that handles the key is removed with the viewer.
let escaping = false;
document.addEventListener("keydown", (event) => {
  escaping = event.key === "Escape" && !event.defaultPrevented;
});
document.addEventListener("keyup", (event) => {
  if (escaping && event.key === "Escape") setTimeout(() => post("close"));
});
