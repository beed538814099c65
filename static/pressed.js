// Whether a key was pressed for itself: alone, and where nobody is typing.
export const isForItself = (event) =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  event.target.closest("input, textarea, select, [contenteditable], dialog") === null;
