// Copy or share an answer's text or link. `announce` tells screen readers what the button shows.

import { _ } from "./translations.js";

const labels = new WeakMap(); // by button: its own label, and the timer that restores it

export async function copy(button, announce) {
  const { label, timer } = labels.get(button) ?? { label: button.textContent };
  clearTimeout(timer);
  labels.set(button, { label });
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = _("Copied");
  } catch {
    button.textContent = _("Copying is not allowed here");
  }
  announce(button.textContent);
  clearTimeout(labels.get(button).timer); // the button may have been pressed again meanwhile
  labels.set(button, { label, timer: setTimeout(() => (button.textContent = label), 2000) });
}

export async function share(link, announce) {
  const { href } = link;
  const isTouch = matchMedia("(pointer: coarse)").matches;
  if (isTouch && navigator.share) return navigator.share({ url: href, title: document.title }).catch(() => {});
  link.dataset.copy = href;
  return copy(link, announce);
}
