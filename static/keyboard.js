// Single-key shortcuts, and the keys that send a field of several lines. Readers who dictate, or hit keys by accident, turn
// single keys off in the list of shortcuts (WCAG 2.1.4), for all pages of this site, in frames too.

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

// Enter, with Ctrl or without, by which a short text is sent: Shift+Enter begins a new line. While a character is being
// composed, Enter chooses it.
export const isEnterWithoutShift = (event) => event.key === "Enter" && !event.shiftKey && !event.isComposing;

// Ctrl+Enter or Cmd+Enter, by which a field of several lines is sent; not while a character is being composed.
export const isSendKey = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing;
