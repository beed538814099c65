// The settings of this reader, stored by the browser: theme, text size, single-key shortcuts and verdicts. Languages are links.

import { areSingleKeysOn, setSingleKeys } from "./keyboard.js";
import { applyVerdictSwitch } from "./verdicts.js";

const dialog = document.querySelector("[data-settings]");
const keys = dialog.querySelector("[data-settings-keys]");
const choices = dialog.querySelectorAll("[data-setting]");

// In a narrow window the links of the site scroll: the current one is in sight. The sign-in page has none.
const siteLinks = document.querySelector("header.site nav");
const currentLink = siteLinks?.querySelector("[aria-current]");
if (currentLink) siteLinks.scrollLeft += currentLink.getBoundingClientRect().left - siteLinks.getBoundingClientRect().left - 16;

function show() {
  for (const choice of choices) choice.checked = choice.value === read(choice.name);
  keys.checked = areSingleKeysOn();
  applyVerdictSwitch();
  dialog.showModal();
}

function read(name) {
  try {
    return localStorage.getItem(`highlighter.${name}`) ?? "";
  } catch {
    return "";
  }
}

export function store(name, value) {
  try {
    localStorage.setItem(`highlighter.${name}`, value);
  } catch {
    // without storage nothing changes
  }
  document.dispatchEvent(new Event("preferences"));
}

for (const choice of choices) choice.addEventListener("change", () => store(choice.name, choice.value));
keys.addEventListener("change", () => setSingleKeys(keys.checked));

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-settings-opener]")) show();
  else if (event.target === dialog) dialog.close(); // a click beside the dialog
  else if (event.target.closest("[data-dismiss-onboarding]")) {
    store("used", "yes");
    document.querySelector("[data-question] textarea").focus();
  }
});
