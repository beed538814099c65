// Find in document within the page: Enter and Shift+Enter step through the results, "f" focuses the box. Without this
// file links and a form do the same; here their pages are loaded in place, and the views are notified.

import { reusePages } from "./page_view.js";
import { isSingleKey } from "./keyboard.js";
import { fetchOrNotify } from "./connection.js";

const readUrl = () => location.pathname + location.search;
let currentUrl = readUrl();
let pendingRequest = null; // the controller that aborts the pending request

const box = () => document.querySelector("[data-find] input[type=search]");

// Every view that shows spans can listen: the text view scrolls, others draw.
function announceFind() {
  const { start, end, page, chunk } = document.querySelector("[data-found]")?.dataset ?? {};
  if (start === undefined) return;
  const span = { start: Number(start), end: Number(end), page: Number(page), chunk: Number(chunk) };
  document.dispatchEvent(new CustomEvent("highlighter:found", { detail: span }));
}

async function load(address, { push = true } = {}) {
  pendingRequest?.abort(); // a late response must not replace a newer one
  const { signal } = (pendingRequest = new AbortController());
  const form = document.querySelector("[data-find]");
  form?.setAttribute("aria-busy", "true");
  try {
    const answer = await fetchOrNotify(address, { signal, retry: () => load(address, { push }) });
    if (!answer) return;
    const page = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    if (page && page.querySelector("main [data-find]")) replaceMain(page, push && answer.url);
    else location.assign(page ? answer.url : address);
  } catch (err) {
    if (!signal.aborted) throw err;
  } finally {
    if (!signal.aborted) form?.removeAttribute("aria-busy");
  }
}

function replaceMain(page, address) {
  const main = page.querySelector("main");
  const focused = document.activeElement;
  const focusSelector = focused === box() ? "[data-find] input[type=search]" : focused?.dataset?.findStep ? `[data-find-step="${focused.dataset.findStep}"]` : null;
  const pages = document.querySelector("[data-document-pages]");
  document.querySelector("main").replaceWith(main);
  reusePages(pages, main);
  document.title = page.title;
  document.body.className = page.body.className;
  if (address) history.pushState({}, "", address);
  currentUrl = readUrl();
  if (focusSelector) document.querySelector(focusSelector)?.focus({ preventScroll: true });
  document.querySelector("[data-announce]").textContent = document.querySelector(".find-position")?.textContent.trim() ?? "";
  document.dispatchEvent(new CustomEvent("highlighter:taken")); // for scripts that work on the new content
  announceFind();
}

document.addEventListener("click", (event) => {
  const stepLink = event.target.closest("[data-find-step][href], [data-find-number]");
  if (!stepLink || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  load(stepLink.href);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-find]");
  if (!form || !document.body.classList.contains("reading")) return;
  event.preventDefault();
  const query = new URLSearchParams(new FormData(form));
  const currentQuery = new URLSearchParams(location.search);
  const isUnchanged = ["find", "by"].every((name) => query.get(name) === currentQuery.get(name));
  const stepLink = document.querySelector(`[data-find-step="1"][href]`);
  load(isUnchanged && stepLink ? stepLink.href : `${form.action}?${query}`);
});

document.addEventListener("keydown", (event) => {
  if (event.target === box() && event.key === "Enter" && event.shiftKey) {
    const stepLink = document.querySelector(`[data-find-step="-1"][href]`);
    if (!stepLink) return;
    event.preventDefault();
    load(stepLink.href);
  }
  if (event.key === "f" && isSingleKey(event) && box()) {
    event.preventDefault();
    box().focus(); // scrolls clear of the header, which select() does not
    box().select();
  }
});

// A link within the page adds a history entry, too; the content stays.
addEventListener("popstate", () => {
  if (readUrl() === currentUrl) return;
  currentUrl = readUrl();
  load(location.href, { push: false });
});
