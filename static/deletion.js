// Delete documents within the library page: confirm in a dialog, undo in a bar. Without this file both are pages and
// forms. The server delays a deletion, counts the seconds and carries it out.

import { _ } from "./translations.js";

async function fetchPage(address, options) {
  const answer = await fetch(address, options).catch(() => null);
  const text = answer ? await answer.text().catch(() => "") : "";
  const parsed = new DOMParser().parseFromString(text, "text/html");
  if (answer?.ok) return { parsed };
  return { refused: parsed.querySelector("[data-sentence]")?.textContent ?? _("Connection lost. Try again.") };
}

function showError(words) {
  const bar = document.querySelector("[data-live=pending-deletions]");
  bar.prepend(Object.assign(document.createElement("p"), { className: "refused", textContent: words }));
  setTimeout(() => bar.querySelector(".refused")?.remove(), 8000);
}

const readDocumentId = (form) => form.action.split("/").at(-2);

// Resolve to the confirmed form, or to null.
function confirmDeletion(section) {
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
    dialog.addEventListener("click", (event) => event.target === dialog && end(null)); // a click beside the dialog
    section.querySelector("[data-cancel]").addEventListener("click", (event) => (event.preventDefault(), end(null)));
    section.querySelector("[data-deletion]").addEventListener("submit", (event) => {
      event.preventDefault();
      end(event.target);
    });
    dialog.showModal();
    section.querySelector("[data-cancel]").focus(); // Enter cancels
  });
}

async function remove(form, refresh) {
  const confirmation = await fetchPage(form.action);
  if (confirmation.refused) return showError(confirmation.refused);
  const confirmedForm = await confirmDeletion(document.adoptNode(confirmation.parsed.querySelector("[data-confirm]")));
  if (!confirmedForm) return;
  const response = await fetchPage(confirmedForm.action, { method: "POST" });
  if (response.refused) showError(response.refused);
  await refresh();
  document.querySelector(`[data-restore][action$="/${readDocumentId(form)}/restore"] button`)?.focus();
}

async function restore(form, refresh) {
  const response = await fetchPage(form.action, { method: "POST" });
  if (response.refused) showError(response.refused);
  await refresh();
  document.querySelector(`tr[data-live="${readDocumentId(form)}"] a`)?.focus();
}

function updateCountdowns() {
  const now = performance.now();
  for (const form of document.querySelectorAll("[data-restore]")) {
    form.ends ??= now + 1000 * Number(form.dataset.left);
    form.querySelector("[data-clock]").textContent = `${Math.max(0, Math.ceil((form.ends - now) / 1000))} s`;
  }
}

export function prepareDeleting(refresh) {
  document.addEventListener("submit", (event) => {
    const action = event.target.matches("[data-delete]") ? remove : event.target.matches("[data-restore]") ? restore : null;
    if (!action) return;
    event.preventDefault();
    action(event.target, refresh);
  });
  updateCountdowns();
  setInterval(updateCountdowns, 500);
}
