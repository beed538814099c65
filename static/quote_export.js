// Copy a highlighted sentence with its citation, or give feedback on the highlight. Without this file feedback is sent by
// a form that leads to a page of its own.

import { copy } from "./clipboard.js";
import { isSingleKey } from "./keyboard.js";
import { fetchOrNotify } from "./connection.js";
import { _ } from "./translations.js";

const bars = () => [...document.querySelectorAll(".quote-export")];
const getShownBar = () => bars().find((one) => !one.hidden);

// Show the bar of the current highlight, or of the first one.
export function showQuoteExport(number) {
  const all = bars();
  const wanted = all.find((one) => one.dataset.mark === String(number)) ?? all[0];
  for (const one of all) one.hidden = one !== wanted;
  document.querySelector("[data-quote-exports]")?.toggleAttribute("data-single", all.length > 0);
}

const menu = () => getShownBar()?.querySelector("[data-menu]");
const statusOf = (bar) => bar.querySelector("[data-status]");

function close(open, { back = true } = {}) {
  open.open = false;
  if (back) open.querySelector("summary").focus();
}

async function postFeedback(address, data) {
  const answer = await fetchOrNotify(address, { method: "POST", body: data });
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer?.ok) return { id: page.querySelector("[data-feedback-id]")?.dataset.feedbackId ?? "" };
  return { refused: page?.querySelector("[data-sentence]")?.textContent ?? _("Connection lost. Try again.") };
}

function createButton(words, onClick) {
  const element = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: words });
  element.addEventListener("click", onClick);
  return element;
}

function noteField(form, bar, first) {
  const noteForm = document.createElement("form");
  const words = Object.assign(document.createElement("input"), { name: "note", maxLength: 1000, required: true, placeholder: _("What is wrong? (optional)") });
  words.setAttribute("aria-label", words.placeholder);
  noteForm.append(words, Object.assign(document.createElement("button"), { className: "ghost", textContent: _("Send") }));
  noteForm.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    data.set("verdict", "wrong");
    data.set("note", words.value);
    const response = await postFeedback(form.action, data);
    if (response.refused) return showStatus(bar, response.refused);
    showStatus(bar, _("Thanks for the feedback."), [first, response.id], form);
  });
  return noteForm;
}

function showStatus(bar, words, ids = [], form = null, more = []) {
  const undo = createButton(_("Undo"), async () => {
    for (const id of ids) await postFeedback(`${form.action}/${id}/undo`, new FormData());
    for (const one of form.querySelectorAll("[name=verdict]")) one.removeAttribute("aria-pressed");
    showStatus(bar, _("Feedback withdrawn."));
  });
  statusOf(bar).replaceChildren(Object.assign(document.createElement("span"), { textContent: words }), " ", ...(ids.length ? [undo] : []), ...more);
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-feedback]");
  if (!form) return;
  event.preventDefault();
  const data = new FormData(form);
  data.set("verdict", event.submitter.value);
  const bar = form.closest(".quote-export");
  const response = await postFeedback(form.action, data);
  if (response.refused) return showStatus(bar, response.refused);
  for (const one of form.querySelectorAll("[name=verdict]")) one.setAttribute("aria-pressed", String(one === event.submitter));
  const wrong = event.submitter.value === "wrong";
  showStatus(bar, _("Thanks for the feedback."), [response.id], form, wrong ? [noteField(form, bar, response.id)] : []);
});

document.addEventListener("click", (event) => {
  const open = document.querySelector("[data-menu][open]");
  const choice = event.target.closest("[data-menu] [data-copy]");
  if (choice) copy(choice, (words) => (statusOf(choice.closest(".quote-export")).textContent = words)).then(() => open && setTimeout(() => close(open), 600));
  else if (open && !open.contains(event.target)) close(open, { back: false });
});

document.addEventListener("keydown", (event) => {
  const open = document.querySelector("[data-menu][open]");
  if (event.key === "Escape" && open) {
    event.preventDefault();
    return close(open);
  }
  if (event.key !== "c" || !isSingleKey(event) || !menu()) return;
  event.preventDefault();
  menu().open = true;
  menu().querySelector("button").focus();
});
