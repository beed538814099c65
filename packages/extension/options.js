// The page where the address of the service and a key are set and tested.

import { askService, readSettings } from "./service.js";

const { getMessage } = chrome.i18n;
const form = document.querySelector("form");
const [url, key, button, result] = ["#url", "#key", "button", "#result"].map((selector) => form.querySelector(selector));

document.documentElement.lang = getMessage("lang");
document.title = getMessage("optionsTitle");
for (const element of document.querySelectorAll("[data-text]")) element.textContent = getMessage(element.dataset.text);

const saved = await readSettings();
url.value = saved.url;
key.value = saved.key;

form.onsubmit = async (event) => {
  event.preventDefault();
  button.disabled = true;
  show("", getMessage("testing"));
  try {
    show("ok", await saveAndTest());
  } catch (error) {
    show("bad", error.message);
  }
  button.disabled = false;
};

function show(kind, sentence) {
  result.className = kind;
  result.textContent = sentence;
}

async function saveAndTest() {
  const settings = { url: readAddress(), key: key.value.trim() };
  const origins = [`${new URL(settings.url).origin}/*`];
  // Browsers ask the reader only directly after a click: first of all.
  if (!(await chrome.permissions.request({ origins }))) throw Error(getMessage("permissionRefused", settings.url));
  const { url: before } = await readSettings();
  await chrome.storage.local.set(settings);
  if (before && new URL(before).origin !== new URL(settings.url).origin) await giveBack(before);
  url.value = settings.url;
  const { documents, total = documents?.length } = await askService("GET", "/api/v1/documents?limit=1", null, settings);
  if (!documents) throw Error(getMessage("otherService", [settings.url, "200"]));
  await askService("POST", "/api/v1/citations/resolve", { text: "[1]" }, settings); // the service may refuse to be asked by extensions
  return total ? getMessage("connected", String(total)) : getMessage("emptyLibrary");
}

// Return the address without a slash at its end, or a path of the service's own pages behind it.
function readAddress() {
  const { origin, pathname, protocol } = new URL(url.value.trim());
  if (!/^https?:$/.test(protocol)) throw Error(getMessage("noAddress"));
  return origin + pathname.replace(/\/+$/, "");
}

const giveBack = (address) => chrome.permissions.remove({ origins: [`${new URL(address).origin}/*`] }).catch(() => false);
