// What is taken along from an answer: its words, or its address. `say` tells those who do not see the button change.

import { _ } from "./words.js";

export async function copy(button, say) {
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = _("Copied");
  } catch {
    button.textContent = _("Copying is not allowed here");
  }
  say(button.textContent);
  setTimeout(() => (button.textContent = words), 2000);
}

export async function share(link, say) {
  const { href } = link;
  const touched = matchMedia("(pointer: coarse)").matches;
  if (touched && navigator.share) return navigator.share({ url: href, title: document.title }).catch(() => {});
  link.dataset.copy = href;
  return copy(link, say);
}
