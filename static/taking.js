// A lit sentence is taken along with its citation, or called right or wrong, where it is read. Without this file verdicts
// are sent by a form that leads to a page of its own.

import { copy } from "./copying.js";
import { isForItself } from "./pressed.js";
import { asked } from "./reached.js";
import { _ } from "./words.js";

const bars = () => [...document.querySelectorAll(".taking")];
const shown = () => bars().find((one) => !one.hidden);

// The bar of the mark that is looked at; of the first until one is.
export function showTaking(number) {
  const all = bars();
  const wanted = all.find((one) => one.dataset.of === String(number)) ?? all[0];
  for (const one of all) one.hidden = one !== wanted;
  document.querySelector("[data-takings]")?.toggleAttribute("data-one", all.length > 0);
}

const menu = () => shown()?.querySelector("[data-menu]");
const said = (bar) => bar.querySelector("[data-said]");

function close(open, { back = true } = {}) {
  open.open = false;
  if (back) open.querySelector("summary").focus();
}

async function posted(address, data) {
  const answer = await asked(address, { method: "POST", body: data });
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer?.ok) return { id: page.querySelector("[data-feedback-id]")?.dataset.feedbackId ?? "" };
  return { refused: page?.querySelector("[data-sentence]")?.textContent ?? _("Connection lost. Try again.") };
}

function button(words, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: words });
  made.addEventListener("click", act);
  return made;
}

function noteField(form, bar, first) {
  const noting = document.createElement("form");
  const words = Object.assign(document.createElement("input"), { name: "note", maxLength: 1000, required: true, placeholder: _("What is wrong? (optional)") });
  words.setAttribute("aria-label", words.placeholder);
  noting.append(words, Object.assign(document.createElement("button"), { className: "ghost", textContent: _("Send") }));
  noting.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    data.set("verdict", "wrong");
    data.set("note", words.value);
    const done = await posted(form.action, data);
    if (done.refused) return tell(bar, done.refused);
    tell(bar, _("Thanks for the feedback."), [first, done.id], form);
  });
  return noting;
}

function tell(bar, words, ids = [], form = null, more = []) {
  const undo = button(_("Undo"), async () => {
    for (const id of ids) await posted(`${form.action}/${id}/undo`, new FormData());
    for (const one of form.querySelectorAll("[name=verdict]")) one.removeAttribute("aria-pressed");
    tell(bar, _("Feedback withdrawn."));
  });
  said(bar).replaceChildren(Object.assign(document.createElement("span"), { textContent: words }), " ", ...(ids.length ? [undo] : []), ...more);
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-feedback]");
  if (!form) return;
  event.preventDefault();
  const data = new FormData(form);
  data.set("verdict", event.submitter.value);
  const bar = form.closest(".taking");
  const done = await posted(form.action, data);
  if (done.refused) return tell(bar, done.refused);
  for (const one of form.querySelectorAll("[name=verdict]")) one.setAttribute("aria-pressed", String(one === event.submitter));
  const wrong = event.submitter.value === "wrong";
  tell(bar, _("Thanks for the feedback."), [done.id], form, wrong ? [noteField(form, bar, done.id)] : []);
});

document.addEventListener("click", (event) => {
  const open = document.querySelector("[data-menu][open]");
  const choice = event.target.closest("[data-menu] [data-copy]");
  if (choice) copy(choice, (words) => (said(choice.closest(".taking")).textContent = words)).then(() => open && setTimeout(() => close(open), 600));
  else if (open && !open.contains(event.target)) close(open, { back: false });
});

document.addEventListener("keydown", (event) => {
  const open = document.querySelector("[data-menu][open]");
  if (event.key === "Escape" && open) {
    event.preventDefault();
    return close(open);
  }
  if (event.key !== "c" || !isForItself(event) || !menu()) return;
  event.preventDefault();
  menu().open = true;
  menu().querySelector("button").focus();
});
