// Upload files with a progress bar each, and update states without reloading. Without this file the form and the page's
// own refresh do.

import { prepareDeleting } from "./deletion.js";
import { fetchOrNotify } from "./connection.js";
import { _ } from "./translations.js";

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

function createProgressRow(name) {
  const row = document.createElement("p");
  const bar = Object.assign(document.createElement("progress"), { max: 1, value: 0, ariaLabel: _("Uploading %(name)s", { name }) });
  const words = [["name", name], ["sent", _("queued")]].map(([className, textContent]) =>
    Object.assign(document.createElement("span"), { className, textContent, dir: "auto" }),
  );
  row.append(...words, bar);
  return { row, bar, sent: words[1] };
}

function post(action, file, onProgress) {
  return new Promise((resolve) => {
    const data = new FormData();
    data.append("file", file);
    const request = new XMLHttpRequest(); // fetch reports no upload progress
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
  const maxBytes = Number(form.dataset.maxBytes);
  if (maxBytes && file.size > maxBytes) {
    return { refused: _("Larger than the upload limit of %(most)s MB.", { most: Math.floor(maxBytes / 2 ** 20) }) };
  }
  return post(form.action, file, (event) => {
    if (!event.lengthComputable) return;
    shown.bar.value = event.loaded / event.total;
    shown.sent.textContent = `${Math.round(100 * shown.bar.value)} %`;
  });
}

let queue = null; // the files being sent, if any

// Files added during an upload are queued: the page navigates only after the last one.
function add(form, files) {
  const status = form.querySelector("[data-uploading]");
  const more = files.map((file) => ({ file, shown: createProgressRow(file.name) }));
  if (!queue) status.replaceChildren();
  status.append(...more.map(({ shown }) => shown.row));
  if (queue) queue.push(...more);
  else sendAll(form, status, (queue = more));
}

// One request per file: a refused file shows the reason and does not stop the others.
async function sendAll(form, status, files) {
  let address = "";
  for (const { file, shown } of files) { // includes files added meanwhile
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
  // On another page of the list, or a filtered one, the new documents would not be visible.
  if (location.search && !status.querySelector(".refused")) return location.assign(form.action);
  refresh();
}

async function refresh() {
  const page = await fetchPage();
  if (page) updatePage(page);
  pollUntilDone();
}

function prepare(form) {
  const input = form.querySelector("input[type=file]");
  const addFiles = (files) => {
    if (files.length) add(form, [...files]);
  };
  input.addEventListener("change", () => {
    addFiles(input.files);
    input.value = ""; // choosing the same file again must fire a change event
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  // The whole page accepts drops: otherwise a file dropped beside the zone would replace the page.
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    form.classList.add("drag-over");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) form.classList.remove("drag-over");
  });
  document.addEventListener("drop", (event) => {
    form.classList.remove("drag-over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    addFiles(event.dataTransfer.files);
  });
}

for (const form of document.querySelectorAll("form[data-upload]")) prepare(form);
if (document.querySelector("[data-live=pending-deletions]")) prepareDeleting(refresh);
pollUntilDone();
