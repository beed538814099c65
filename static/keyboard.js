// Single-key shortcuts. Readers who dictate, or hit keys by accident, turn them off in the list of shortcuts (WCAG 2.1.4),
// for all pages of this site, in frames too.

const STORAGE_KEY = "highlighter.single-keys";
let sessionValue = "on"; // for this page, where the browser stores nothing

export function areSingleKeysOn() {
  try {
    return localStorage.getItem(STORAGE_KEY) !== "off";
  } catch {
    return sessionValue !== "off";
  }
}

export function setSingleKeys(on) {
  sessionValue = on ? "on" : "off";
  try {
    localStorage.setItem(STORAGE_KEY, sessionValue);
  } catch {
    // without storage the value lasts as long as the page
  }
}

// A single character without modifiers, not typed into a field.
export const isSingleKey = (event) =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  event.target.closest("input, textarea, select, [contenteditable], dialog:modal") === null &&
  areSingleKeysOn();
