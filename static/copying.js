// What is taken along from an answer: its words, or its address. `say` tells those who do not see the button change.

import { _ } from "./words.js";

const said = new WeakMap(); // by button: its own words, and what brings them back

export async function copy(button, say) {
  const { words, timer } = said.get(button) ?? { words: button.textContent };
  clearTimeout(timer);
  said.set(button, { words });
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = _("Copied");
  } catch {
    button.textContent = _("Copying is not allowed here");
  }
  say(button.textContent);
  clearTimeout(said.get(button).timer); // another press may have come while this one was written
  said.set(button, { words, timer: setTimeout(() => (button.textContent = words), 2000) });
}

export async function share(link, say) {
  const { href } = link;
  const touched = matchMedia("(pointer: coarse)").matches;
  if (touched && navigator.share) return navigator.share({ url: href, title: document.title }).catch(() => {});
  link.dataset.copy = href;
  return copy(link, say);
}
