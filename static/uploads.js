// Send files one after the other, with a progress bar each. Without this file the form sends them all at once.

import { addRow, clearRows, followAgain, followStates, isAnyRefused, refuse, showProgress, showRefused, showUploaded } from "./upload_rows.js";
import { _ } from "./translations.js";

let queue = null; // the rows of the files being sent, if any

function post(form, file, onProgress) {
  return new Promise((resolve) => {
    const data = new FormData(form);
    data.set("file", file);
    const request = new XMLHttpRequest(); // fetch reports no upload progress
    request.upload.addEventListener("progress", onProgress);
    request.addEventListener("load", () => {
      if (request.status < 400) return resolve({ address: request.responseURL });
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      const sentence = page.querySelector("[data-sentence]")?.textContent;
      resolve({ refused: sentence ?? _("The server returned an error (%(status)s).", request), canRetry: request.status >= 500 || request.status === 429 });
    });
    request.addEventListener("error", () => resolve({ refused: _("Connection lost. Try again."), canRetry: true }));
    request.open("POST", form.action);
    request.send(data);
  });
}

async function send(form, row) {
  const refused = refuse(row.file, Number(form.dataset.maxBytes));
  if (refused) return { refused };
  return post(form, row.file, (event) => {
    if (event.lengthComputable) showProgress(row, event.loaded / event.total);
  });
}

// Files added during an upload are queued: the page navigates only after the last one.
function add(form, files, refresh) {
  if (!queue) clearRows();
  const more = files.map(addRow);
  if (queue) queue.push(...more);
  else sendAll(form, (queue = more), refresh);
}

// One request per file: a refused file shows the reason and does not stop the others.
// One file alone is opened, unless it is sent again beside others.
async function sendAll(form, queued, refresh, opensOnlyFile = true) {
  let address = "";
  for (const row of queued) { // includes files added meanwhile
    const answer = await send(form, row);
    if (answer.refused) showRefused(row, answer.refused, answer.canRetry ? (file) => sendAgain(form, file, refresh) : null);
    else {
      showUploaded(row, answer.address);
      address = answer.address;
      followStates();
    }
  }
  queue = null;
  if (opensOnlyFile && queued.length === 1 && address) return location.assign(address);
  // On another page of the list, or a filtered one, the new documents would not be visible.
  if (location.search && !isAnyRefused()) return location.assign(form.action);
  refresh();
}

function sendAgain(form, file, refresh) {
  const row = addRow(file);
  if (queue) queue.push(row);
  else sendAll(form, (queue = [row]), refresh, false);
}

// Retry a document whose reading failed, without leaving the page.
async function retry(form, refresh) {
  await fetch(form.action, { method: "POST", body: new FormData(form) }).catch(() => null);
  followAgain(form.action);
  refresh();
}

export function prepareUploads(form, refresh) {
  const input = form.querySelector("input[type=file]");
  const addFiles = (files) => {
    if (files.length) add(form, [...files], refresh);
  };
  input.addEventListener("change", () => {
    addFiles(input.files);
    input.value = ""; // choosing the same file again must fire a change event
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-retry]")) return;
    event.preventDefault();
    retry(event.target, refresh);
  });
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
