// Whether a key was pressed for itself. Whoever speaks to their machine, or hits keys unawares, turns single characters off
// as keys in the list of keys (WCAG 2.1.4): for all pages here, those in frames too.

const KEPT = "highlighter.single-keys";
let kept = "on"; // where the browser keeps nothing: for this page

export function areSingleKeysOn() {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return kept !== "off";
  }
}

export function turnSingleKeys(on) {
  kept = on ? "on" : "off";
  try {
    localStorage.setItem(KEPT, kept);
  } catch {
    // see above
  }
}

// A single character: alone, and where nobody is typing.
export const isForItself = (event) =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  event.target.closest("input, textarea, select, [contenteditable], dialog") === null &&
  areSingleKeysOn();
