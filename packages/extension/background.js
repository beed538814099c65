// Opens citations in a tab when its reader asks for it, and asks the service with the key, which no page sees.

import { askService, readSettings } from "./service.js";

const { getMessage } = chrome.i18n;
const linkOptions = { scope: "chunk", may: ["view", "page"] }; // a page can read what is opened in it: no more than that

chrome.runtime.onInstalled.addListener(() => {
  // A content script runs beside the page, so it does not get at the settings.
  chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });
  chrome.contextMenus.removeAll(() => {
    chrome.contextMenus.create({ id: "selection", contexts: ["selection"], title: getMessage("openSelection") });
    chrome.contextMenus.create({ id: "page", contexts: ["page"], title: getMessage("openPage") });
  });
});

chrome.action.onClicked.addListener((tab) => openCitations(tab, "either"));
chrome.contextMenus.onClicked.addListener(({ menuItemId }, tab) => openCitations(tab, menuItemId));

// Open the citations of a part of the page: "selection", "page", or "either", the selection if there is one.
async function openCitations({ id: tabId }, part) {
  const { url } = await readSettings();
  if (!url) return chrome.runtime.openOptionsPage();
  try {
    await chrome.scripting.executeScript({ target: { tabId }, files: ["page.js"] });
    await chrome.scripting.executeScript({ target: { tabId }, func: (part) => globalThis.openCitations(part), args: [part] });
    await showOnButton(tabId, "", "open");
  } catch {
    await showOnButton(tabId, "!", "pageClosed"); // the browser's own pages, its store, PDFs
  }
}

async function showOnButton(tabId, text, title) {
  await chrome.action.setBadgeText({ tabId, text });
  await chrome.action.setTitle({ tabId, title: getMessage(title) });
}

const actions = {
  resolve: ({ text }) => askService("POST", "/api/v1/citations/resolve", { text }),
  link: ({ document_id, page, quote, question }, { origin }) =>
    askService("POST", "/api/v1/embed/links", { document_id, page, quote, question, origins: [origin], ...linkOptions }),
  async tab({ url }, { tab }) {
    const { url: service } = await readSettings();
    if (url.startsWith(`${service}/`)) await chrome.tabs.create({ url, openerTabId: tab.id });
    return {};
  },
};

// The origin of a sender is what the browser says, not what the page says.
chrome.runtime.onMessage.addListener(({ action, body }, sender, respond) => {
  actions[action](body, sender).then(respond, ({ status = 0, message }) => respond({ status, detail: message }));
  return true; // it responds later
});
