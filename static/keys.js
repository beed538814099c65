// "/" goes to the box that a page is asked in, as its aria-keyshortcuts says. Tab comes there, too.

const isTyping = (target) => target.closest("input, textarea, select, [contenteditable], dialog") !== null;

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const box = document.querySelector('[aria-keyshortcuts="/"]');
  if (!box) return;
  event.preventDefault(); // else the stroke is typed, or opens the browser's own search
  box.focus();
  box.select();
});
