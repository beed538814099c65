// Find in document without leaving the page: Enter and Shift+Enter step from find to find, "f" goes to the box.
// Everything here works without this file, by links and a form; it takes in what they lead to and tells the views.

import { takeOver } from "./leaves.js";
import { isForItself } from "./pressed.js";
import { asked } from "./reached.js";

const here = () => location.pathname + location.search;
let arrived = here();
let taking = null; // what stops the answer being waited for

const box = () => document.querySelector("[data-find] input[type=search]");

// Every view that shows spans may listen: the text view scrolls, others draw.
function tell() {
  const { start, end, page, chunk } = document.querySelector("[data-found]")?.dataset ?? {};
  if (start === undefined) return;
  const span = { start: Number(start), end: Number(end), page: Number(page), chunk: Number(chunk) };
  document.dispatchEvent(new CustomEvent("highlighter:found", { detail: span }));
}

async function take(address, { push = true } = {}) {
  taking?.abort(); // what answers late must not take the place of what was asked for after it
  const { signal } = (taking = new AbortController());
  try {
    const answer = await asked(address, { signal, retry: () => take(address, { push }) });
    if (!answer) return;
    const page = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    if (page && page.querySelector("main [data-find]")) takeIn(page, push && answer.url);
    else location.assign(page ? answer.url : address);
  } catch (err) {
    if (!signal.aborted) throw err;
  }
}

function takeIn(page, address) {
  const main = page.querySelector("main");
  const focused = document.activeElement;
  const back = focused === box() ? "[data-find] input[type=search]" : focused?.dataset?.turn ? `[data-turn="${focused.dataset.turn}"]` : null;
  const leaves = document.querySelector("[data-leaves]");
  document.querySelector("main").replaceWith(main);
  takeOver(leaves, main);
  document.title = page.title;
  document.body.className = page.body.className;
  if (address) history.pushState({}, "", address);
  arrived = here();
  if (back) document.querySelector(back)?.focus({ preventScroll: true });
  document.querySelector("[data-announce]").textContent = document.querySelector(".finds")?.textContent.trim() ?? "";
  document.dispatchEvent(new CustomEvent("highlighter:taken")); // for whoever works on what was taken in
  tell();
}

document.addEventListener("click", (event) => {
  const turn = event.target.closest("[data-turn][href]");
  if (!turn || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  take(turn.href);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-find]");
  if (!form || !document.body.classList.contains("reading")) return;
  event.preventDefault();
  const sought = new URLSearchParams(new FormData(form));
  const known = new URLSearchParams(location.search);
  const same = ["find", "by"].every((name) => sought.get(name) === known.get(name));
  const turn = document.querySelector(`[data-turn="1"][href]`);
  take(same && turn ? turn.href : `${form.action}?${sought}`);
});

document.addEventListener("keydown", (event) => {
  if (event.target === box() && event.key === "Enter" && event.shiftKey) {
    const turn = document.querySelector(`[data-turn="-1"][href]`);
    if (!turn) return;
    event.preventDefault();
    take(turn.href);
  }
  if (event.key === "f" && isForItself(event) && box()) {
    event.preventDefault();
    box().select();
  }
});

// A link within the page is a step in the history, too: what is there stays.
addEventListener("popstate", () => {
  if (here() === arrived) return;
  arrived = here();
  take(location.href, { push: false });
});
