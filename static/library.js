// Update the states of documents without reloading. Without this file the page's own refresh does.

import { prepareDeleting } from "./deletion.js";
import { fetchOrNotify } from "./connection.js";
import { prepareSelection, restoreSelection } from "./selection.js";
import { prepareUploads } from "./uploads.js";

const pollIntervalMs = 1200;

async function fetchPage() {
  const answer = await fetchOrNotify(location.href);
  if (!answer?.ok) return null;
  if (answer.redirected) {
    location.replace(answer.url); // the answer is ready: this page was only waiting for it
    return null;
  }
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Replace only what changed, so that the scroll position and the keyboard focus stay.
function updatePage(page) {
  for (const list of document.querySelectorAll("[data-contents]")) {
    const newer = page.querySelector(`[data-live="${list.dataset.live}"]`);
    if (!newer || list.dataset.contents === newer.dataset.contents) continue;
    const hadFocus = list.contains(document.activeElement);
    list.dataset.contents = newer.dataset.contents;
    list.replaceChildren(...newer.childNodes); // the element stays, because screen readers observe it
    if (hadFocus) (list.querySelector("a, button") ?? document.querySelector("main")).focus({ preventScroll: true });
  }
  for (const part of document.querySelectorAll("[data-live]:not([data-contents])")) {
    const now = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (!now || now.outerHTML === part.outerHTML) continue;
    const focused = part.contains(document.activeElement);
    part.replaceWith(now);
    if (focused) now.querySelector("a, input")?.focus({ preventScroll: true });
  }
  restoreSelection();
  document.body.toggleAttribute("data-warming", page.body.hasAttribute("data-warming"));
}

let isPolling = false;

async function pollUntilDone() {
  if (isPolling) return;
  isPolling = true;
  while (document.querySelector("[data-unfinished], [data-restore]") || document.body.hasAttribute("data-warming")) {
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    const page = await fetchPage();
    if (page) updatePage(page);
  }
  isPolling = false;
}

async function refresh() {
  const page = await fetchPage();
  if (page) updatePage(page);
  pollUntilDone();
}

for (const form of document.querySelectorAll("form[data-upload]")) prepareUploads(form, refresh);
prepareSelection();
if (document.querySelector("[data-live=pending-deletions]")) prepareDeleting(refresh);
pollUntilDone();
