// Deleting from the library without leaving it: the confirmation in a dialog, the way back in a bar. Without this file
// both are pages and forms of their own. The server holds a deletion back, counts its seconds, and carries it out.

import { _ } from "./words.js";

async function page(address, options) {
  const answer = await fetch(address, options).catch(() => null);
  const text = answer ? await answer.text().catch(() => "") : "";
  const parsed = new DOMParser().parseFromString(text, "text/html");
  if (answer?.ok) return { parsed };
  return { refused: parsed.querySelector("[data-sentence]")?.textContent ?? _("Connection lost. Try again.") };
}

function say(words) {
  const bar = document.querySelector("[data-live=leaving]");
  bar.prepend(Object.assign(document.createElement("p"), { className: "refused", textContent: words }));
  setTimeout(() => bar.querySelector(".refused")?.remove(), 8000);
}

const named = (form) => form.action.split("/").at(-2);

// Resolves to the form that was agreed to, or to null.
function confirmed(section) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "confirm");
  dialog.append(section);
  document.body.append(dialog);
  return new Promise((resolve) => {
    const end = (form) => {
      resolve(form);
      dialog.close();
    };
    dialog.addEventListener("close", () => (resolve(null), dialog.remove()));
    dialog.addEventListener("click", (event) => event.target === dialog && end(null)); // beside it
    section.querySelector("[data-keep]").addEventListener("click", (event) => (event.preventDefault(), end(null)));
    section.querySelector("[data-deletion]").addEventListener("submit", (event) => {
      event.preventDefault();
      end(event.target);
    });
    dialog.showModal();
    section.querySelector("[data-keep]").focus(); // Enter keeps it
  });
}

async function remove(form, refresh) {
  const asked = await page(form.action);
  if (asked.refused) return say(asked.refused);
  const agreed = await confirmed(document.adoptNode(asked.parsed.querySelector("[data-confirm]")));
  if (!agreed) return;
  const done = await page(agreed.action, { method: "POST" });
  if (done.refused) say(done.refused);
  await refresh();
  document.querySelector(`[data-restore][action$="/${named(form)}/restore"] button`)?.focus();
}

async function restore(form, refresh) {
  const done = await page(form.action, { method: "POST" });
  if (done.refused) say(done.refused);
  await refresh();
  document.querySelector(`tr[data-live="${named(form)}"] a`)?.focus();
}

function count() {
  const now = performance.now();
  for (const form of document.querySelectorAll("[data-restore]")) {
    form.ends ??= now + 1000 * Number(form.dataset.left);
    form.querySelector("[data-clock]").textContent = `${Math.max(0, Math.ceil((form.ends - now) / 1000))} s`;
  }
}

export function prepareDeleting(refresh) {
  document.addEventListener("submit", (event) => {
    const act = event.target.matches("[data-delete]") ? remove : event.target.matches("[data-restore]") ? restore : null;
    if (!act) return;
    event.preventDefault();
    act(event.target, refresh);
  });
  count();
  setInterval(count, 500);
}
