// The viewer as a guest in somebody's page: tells that page how it is, and hears what it is asked. Whoever is not named
// in the link is neither told nor heard. The messages are in docs/embed.md.

const told = JSON.parse(document.getElementById("embed").textContent);
const here = new URL(location.href);
const version = { source: "highlighter", v: 1 };
const trusted = [here.origin, ...told.origins];
const renewBefore = 30; // seconds
const kept = new URLSearchParams([...here.searchParams].filter(([name]) => name === "theme" || name === "lang"));
let port = null;
let root = told.root;
let timer = 0;

const ours = (data) => data?.source === version.source && data.v === version.v && typeof data.type === "string";
const say = (type, what = {}) => port?.postMessage({ ...version, type, ...what });
const count = (number) => Number.isInteger(number) && number >= 0;
const shownView = () => document.querySelector(".tabs [aria-current]")?.dataset.view ?? "";
const claimsOf = (path) => JSON.parse(atob(path.split("/embed/")[1].split(/[./?]/)[1].replaceAll("-", "+").replaceAll("_", "/")));

// Says that it is there, to anyone; and everything else to the page around it alone, once that has said who it is.
addEventListener("message", ({ source, origin, data, ports }) => {
  if (source !== parent || source === window || !trusted.includes(origin)) return;
  if (!ours(data) || data.type !== "connect" || !ports[0]) return;
  port?.close();
  port = ports[0];
  port.onmessage = ({ data }) => ours(data) && Object.hasOwn(heard, data.type) && heard[data.type](data);
  introduce();
});
if (parent !== window) parent.postMessage({ ...version, type: "ready" }, "*");

function introduce() {
  const { document_id, chunk_index, problem } = told;
  const marks = document.querySelectorAll("[data-n][id]").length;
  say("ready", { document_id, chunk_index, view: shownView(), title: document.querySelector("h1")?.textContent.trim(), marks });
  tellHeight();
  if (problem) say(problem.status === 410 ? "link.expired" : "error", problem);
  else if (told.missing) say("evidence.missing", { why: document.querySelector("#status .notice, .quoted")?.textContent.replace(/\s+/g, " ").trim() });
  else tellSelected();
  if (!problem) waitForTheEnd();
}

function tellHeight() {
  say("resize", { height: Math.ceil(document.body.getBoundingClientRect().height) });
}
new ResizeObserver(tellHeight).observe(document.body);

// A frame made lower (a phone turned, a panel drawn smaller) must not lose what it is there to show.
let high = innerHeight;
addEventListener("resize", () => {
  if (innerHeight < high) document.querySelector("[data-n][id][aria-current]")?.scrollIntoView({ block: "nearest" });
  high = innerHeight;
});

function tellSelected() {
  const mark = document.querySelector("[data-n][id][aria-current]");
  if (!mark) return;
  const number = Number(mark.dataset.n);
  say("evidence.selected", { number, of: document.querySelectorAll("[data-n][id]").length, ...told.selected[number - 1] });
}
document.addEventListener("highlighter:shown", tellSelected);

// A link that is about to end is renewed while somebody reads, without moving what they read.
function waitForTheEnd() {
  clearTimeout(timer);
  const left = claimsOf(root).exp - Date.now() / 1000;
  timer = setTimeout(() => say("link.expired", { seconds: Math.max(0, claimsOf(root).exp - Date.now() / 1000) }), 1000 * Math.max(left - renewBefore, left / 2, 0));
}

function renew(fresh) {
  const now = fresh.pathname.match(/^.*?\/embed\/[^/]+/)?.[0];
  if (!now) return;
  const place = ({ s, c, d, n, p }) => JSON.stringify([s, c, d, n, p]);
  if (told.problem || place(claimsOf(now)) !== place(claimsOf(root))) return go(fresh);
  for (const element of document.querySelectorAll("[href], [data-picture], [data-words]")) {
    for (const name of ["href", "data-picture", "data-words"]) {
      const address = element.getAttribute(name);
      if (address?.includes(root)) element.setAttribute(name, address.replace(root, now));
    }
  }
  root = now;
  waitForTheEnd();
}

// Without a step in the history, which is that of the page around us.
function go(address) {
  const url = new URL(address, here);
  if (url.origin !== here.origin || !url.pathname.includes("/embed/")) return;
  for (const [name, value] of kept) url.searchParams.set(name, value);
  location.replace(url);
}

// From the part that is shown, which may be another than the one that the link opened at.
function goTo(query, place = told.place, hash = "") {
  const url = new URL(root + place, here);
  const asked = here.searchParams.get("q");
  const kept = { view: shownView() || "text", ...(asked && { q: asked }) };
  for (const [name, value] of Object.entries({ ...kept, ...query })) url.searchParams.set(name, value);
  url.hash = hash;
  go(url);
}

const heard = {
  goto({ mark, page, start, end, document_id, chunk_index }) {
    if (count(mark)) document.dispatchEvent(new CustomEvent("highlighter:goto", { detail: { number: mark } }));
    else if (count(start) && count(end)) goTo({ at: `${start}-${end}` });
    else if (/^\w+$/.test(document_id) && count(chunk_index)) goTo({}, `/${document_id}/${chunk_index}`);
    else if (count(page)) goTo({ view: "page", page }, told.place, `page-${page}`);
  },
  question({ question }) {
    if (typeof question === "string" && question.trim()) goTo({ q: question.trim() });
  },
  view({ view }) {
    const tab = document.querySelector(`.tabs [data-view="${view === "page" ? "page" : "text"}"]`);
    if (tab && tab.dataset.view !== shownView()) go(tab.href);
  },
  theme({ theme }) {
    const style = Object.hasOwn(told.styles, theme) && told.styles[theme];
    if (!style) return;
    kept.set("theme", theme);
    document.documentElement.dataset.theme = theme;
    const old = document.querySelector("link[rel=stylesheet]");
    const fresh = old.cloneNode();
    fresh.href = style;
    fresh.onload = () => old.remove(); // so that nothing is seen without a style
    old.after(fresh);
  },
  "refresh-link"({ url }) {
    const fresh = new URL(url, here);
    if (fresh.origin === here.origin) renew(fresh);
  },
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const url = new URL(link.href);
  const tab = link.target === "_blank";
  if (!tab && url.pathname === here.pathname && url.search === here.search) return; // within this page
  say("navigate", { url: url.href, tab });
  if (tab) return;
  event.preventDefault();
  go(url);
});

// When the key comes up: else it would come up in the page around us, which may have uses of its own for it. And not
// before that is over, since with us goes the frame that the browser tells of the key.
let escaping = false;
document.addEventListener("keydown", (event) => {
  escaping = event.key === "Escape" && !event.defaultPrevented;
});
document.addEventListener("keyup", (event) => {
  if (escaping && event.key === "Escape") setTimeout(() => say("close"));
});
