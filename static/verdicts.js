// The switch of the verdicts in the text of answers: one for all answers and pages, also for those that come later.

const STORAGE_KEY = "highlighter.verdicts";
let pageValue = "on"; // where the browser stores nothing, the choice lasts as long as the page

function areShown() {
  try {
    return localStorage.getItem(STORAGE_KEY) !== "off";
  } catch {
    return pageValue !== "off";
  }
}

export function applyVerdictSwitch() {
  document.documentElement.toggleAttribute("data-verdicts-off", !areShown());
  for (const item of document.querySelectorAll("[data-verdict-switch]")) item.checked = areShown();
}

document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-verdict-switch]")) return;
  pageValue = target.checked ? "on" : "off";
  try {
    localStorage.setItem(STORAGE_KEY, pageValue);
  } catch {
    // without storage the value lasts as long as the page
  }
  applyVerdictSwitch();
});
