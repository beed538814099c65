// Uploads with a bar for each file, and states that follow by themselves. Without this file the form and the page's
// own refresh do.

import { prepareDeleting } from "./deleting.js";
import { asked } from "./reached.js";
import { _ } from "./words.js";

const followEvery = 1200;

async function freshPage() {
  const answer = await asked(location.href);
  if (!answer?.ok) return null;
  if (answer.redirected) {
    location.replace(answer.url); // the question is answered: this page was only waiting for that
    return null;
  }
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Only what changed is exchanged, so that a reader's place and keyboard focus stay where they are.
function takeIn(page) {
  for (const list of document.querySelectorAll("[data-holds]")) {
    const newer = page.querySelector(`[data-live="${list.dataset.live}"]`);
    if (!newer || list.dataset.holds === newer.dataset.holds) continue;
    const held = list.contains(document.activeElement);
    list.dataset.holds = newer.dataset.holds;
    list.replaceChildren(...newer.childNodes); // and it stays the same element, which a screen reader listens to
    if (held) (list.querySelector("a, button") ?? document.querySelector("main")).focus({ preventScroll: true });
  }
  for (const part of document.querySelectorAll("[data-live]:not([data-holds])")) {
    const now = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (!now || now.outerHTML === part.outerHTML) continue;
    const focused = part.contains(document.activeElement);
    part.replaceWith(now);
    if (focused) now.querySelector("a, input")?.focus({ preventScroll: true });
  }
  document.body.toggleAttribute("data-warming", page.body.hasAttribute("data-warming"));
}

let following = false;

async function follow() {
  if (following) return;
  following = true;
  while (document.querySelector("[data-unfinished], [data-restore]") || document.body.hasAttribute("data-warming")) {
    await new Promise((resolve) => setTimeout(resolve, followEvery));
    const page = await freshPage();
    if (page) takeIn(page);
  }
  following = false;
}

function line(name) {
  const row = document.createElement("p");
  const bar = Object.assign(document.createElement("progress"), { max: 1, value: 0, ariaLabel: _("Uploading %(name)s", { name }) });
  const words = [["name", name], ["sent", _("queued")]].map(([className, textContent]) =>
    Object.assign(document.createElement("span"), { className, textContent }),
  );
  row.append(...words, bar);
  return { row, bar, sent: words[1] };
}

function post(action, file, onProgress) {
  return new Promise((resolve) => {
    const data = new FormData();
    data.append("file", file);
    const request = new XMLHttpRequest(); // fetch tells nothing of how far an upload has come
    request.upload.addEventListener("progress", onProgress);
    request.addEventListener("load", () => {
      if (request.status < 400) return resolve({ address: request.responseURL });
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      const sentence = page.querySelector("[data-sentence]")?.textContent;
      resolve({ refused: sentence ?? _("The server returned an error (%(status)s).", request) });
    });
    request.addEventListener("error", () => resolve({ refused: _("Connection lost. Try again.") }));
    request.open("POST", action);
    request.send(data);
  });
}

async function send(form, file, shown) {
  const most = Number(form.dataset.most);
  if (most && file.size > most) {
    return { refused: _("Larger than the upload limit of %(most)s MB.", { most: Math.floor(most / 2 ** 20) }) };
  }
  return post(form.action, file, (event) => {
    if (!event.lengthComputable) return;
    shown.bar.value = event.loaded / event.total;
    shown.sent.textContent = `${Math.round(100 * shown.bar.value)} %`;
  });
}

let queue = null; // while files are being sent

// Files that come while others are on their way wait behind them: nobody is taken elsewhere before the last is sent.
function add(form, files) {
  const status = form.querySelector("[data-uploading]");
  const more = files.map((file) => ({ file, shown: line(file.name) }));
  if (!queue) status.replaceChildren();
  status.append(...more.map(({ shown }) => shown.row));
  if (queue) queue.push(...more);
  else sendAll(form, status, (queue = more));
}

// One request a file: a file that is refused says why and keeps no other from coming in.
async function sendAll(form, status, files) {
  let address = "";
  for (const { file, shown } of files) { // those that are added meanwhile, too
    const answer = await send(form, file, shown);
    if (answer.refused) {
      shown.sent.remove();
      shown.bar.replaceWith(Object.assign(document.createElement("span"), { className: "refused", textContent: answer.refused }));
    } else {
      shown.bar.value = 1;
      shown.sent.textContent = "✓ " + _("uploaded");
      address = answer.address;
    }
  }
  queue = null;
  if (files.length === 1 && address) return location.assign(address);
  // On another page of the list, or a narrowed one, what came in would not be seen.
  if (location.search && !status.querySelector(".refused")) return location.assign(form.action);
  refresh();
}

async function refresh() {
  const page = await freshPage();
  if (page) takeIn(page);
  follow();
}

function prepare(form) {
  const input = form.querySelector("input[type=file]");
  const take = (files) => {
    if (files.length) add(form, [...files]);
  };
  input.addEventListener("change", () => {
    take(input.files);
    input.value = ""; // so that choosing the same file again is a change again
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  // The whole page takes drops: a file let go beside the zone would else replace the page.
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    form.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) form.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    form.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files);
  });
}

for (const form of document.querySelectorAll("form[data-upload]")) prepare(form);
if (document.querySelector("[data-live=leaving]")) prepareDeleting(refresh);
follow();
