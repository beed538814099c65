// The list of the files that are uploaded, below a line that sums them up: "24 files: 20 ready, 3 being read, 1 failed".

import { fetchOrNotify } from "./connection.js";
import { _, ngettext } from "./translations.js";

const MAX_OPEN_ROWS = 5; // more are folded below their sum
const POLL_INTERVAL_MS = 1200;
const MAX_IDS = 50; // of one request
const UNREADABLE_TYPE = /^(audio|video|font)\/|^image\/(?!svg|png|jpeg|tiff|gif|webp)/;
const CAMERA_NAME = /\.(heic|heif|avif)$/i;
const UNREADABLE_NAME = /\.(zip|rar|7z|gz|tar|iso|dmg|exe|msi|apk|bin)$/i;
const OLD_OFFICE_NAME = /\.(doc|xls|ppt)$/i;

const part = (name) => document.querySelector(`[data-${name}]`);
const rows = new Set();
let isPolling = false;

export const isAnyRefused = () => [...rows].some((row) => row.outcome === "failed");

// Return the sentence that refuses a file before it is sent, or "".
export function refuse(file, maxBytes) {
  if (OLD_OFFICE_NAME.test(file.name)) return _("This is an old Office format. Save the file as .docx, .xlsx or .pptx first.");
  if (CAMERA_NAME.test(file.name)) return _("Pictures in HEIC or AVIF are not read. Save the picture as JPEG or PNG.");
  if (UNREADABLE_TYPE.test(file.type) || UNREADABLE_NAME.test(file.name)) return _("Files of this kind are not read. Upload a PDF, Office or text file, or a scan as PNG, JPEG, TIFF, GIF or WebP.");
  if (maxBytes && file.size > maxBytes) return _("Larger than the upload limit of %(most)s MB.", { most: Math.floor(maxBytes / 2 ** 20) });
  return "";
}

export function clearRows() {
  rows.clear();
  part("upload-rows").replaceChildren();
}

export function addRow(file) {
  const element = document.createElement("li");
  const [name, sent] = [["name", file.name], ["sent", _("queued")]].map(([className, textContent]) => Object.assign(document.createElement("span"), { className, textContent, dir: "auto" }));
  const bar = Object.assign(document.createElement("progress"), { max: 1, value: 0, ariaLabel: _("Uploading %(name)s", { name: file.name }) });
  element.append(name, sent, bar);
  const row = { file, element, name, sent, bar, outcome: "waiting", id: "" };
  rows.add(row);
  part("upload-rows").append(element);
  part("uploading").hidden = false;
  part("uploading").open = rows.size <= MAX_OPEN_ROWS;
  showSum();
  return row;
}

export function showProgress(row, share) {
  row.outcome = "sending";
  row.bar.value = share;
  row.sent.textContent = `${Math.round(100 * share)} %`;
  showSum();
}

export function showRefused(row, sentence, retry = null) {
  row.outcome = "failed";
  row.sent.remove();
  const refused = Object.assign(document.createElement("span"), { className: "refused", textContent: sentence });
  row.bar.replaceWith(refused);
  if (retry) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "ghost", textContent: _("Retry"), ariaLabel: _("Retry %(name)s", { name: row.file.name }) });
    button.addEventListener("click", () => {
      rows.delete(row);
      row.element.remove();
      retry(row.file);
    });
    refused.after(button);
  }
  showSum();
}

// The address of an uploaded file is that of its document.
export function showUploaded(row, address) {
  row.outcome = "reading";
  row.id = new URL(address, location.href).pathname.split("/").at(-1);
  row.name.replaceWith(Object.assign(document.createElement("a"), { className: "name", href: address, textContent: row.file.name, dir: "auto" }));
  row.sent.textContent = _("queued");
  row.bar.remove();
  showSum();
}

function showSum() {
  const count = (...outcomes) => [...rows].filter((row) => outcomes.includes(row.outcome)).length;
  const parts = [
    [count("ready"), (num) => _("%(num)s ready", { num })],
    [count("reading"), (num) => _("%(num)s being read", { num })],
    [count("waiting", "sending"), (num) => _("%(num)s to be sent", { num })],
    [count("failed"), (num) => _("%(num)s failed", { num })],
  ];
  const sum = parts.filter(([num]) => num).map(([num, describe]) => describe(num));
  part("upload-summary").textContent = `${ngettext("%(num)s file", "%(num)s files", rows.size)}: ${sum.join(", ")}`;
  if (!count("waiting", "sending", "reading")) part("upload-status").textContent = part("upload-summary").textContent; // said once, at the end
}

// Follow the documents until each is read.
export async function followStates() {
  if (isPolling) return;
  isPolling = true;
  for (let reading = listReading(); reading.length; reading = listReading()) {
    await updateStates(reading.slice(0, MAX_IDS));
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  isPolling = false;
}

const listReading = () => [...rows].filter((row) => row.id && row.outcome === "reading");

async function updateStates(reading) {
  const query = new URLSearchParams(reading.map((row) => ["doc", row.id]));
  const answer = await fetchOrNotify(`${part("upload-rows").dataset.states}?${query}`);
  if (!answer?.ok) return;
  const states = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const row of reading) {
    const state = states.querySelector(`[data-document="${row.id}"]`);
    row.outcome = state?.dataset.outcome ?? "failed"; // deleted in the meantime
    row.sent.replaceChildren(...(state?.childNodes ?? [_("deleted")]));
  }
  showSum();
}

// A document that is read again is followed again.
export function followAgain(action) {
  const row = [...rows].find(({ id }) => id && action.endsWith(`/${id}/retry`));
  if (row) row.outcome = "reading";
  followStates();
}
