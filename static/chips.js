// Citations in a text: put in place of their marks while it is being written, and their sentence shown when one is
// pointed at. Offsets count code points; nothing here reads or writes markup.

// The nodes that a template of the server's made. A parsed page runs no scripts, and its policy would let none run.
export function nodes(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  return [...parsed.body.childNodes].map((node) => document.adoptNode(node));
}

const units = (text, points) => [...text].slice(0, points).join("").length;

// Replaces [start, end) of a text by a chip. What stands there already, chips and all, is counted as the text it was.
export function place(live, start, end, html) {
  const chip = nodes(html).filter((node) => node.nodeType === Node.ELEMENT_NODE);
  let at = 0;
  for (const node of [...live.childNodes]) {
    const length = node.nodeType === Node.TEXT_NODE ? [...node.data].length : (node.stands ?? 0);
    if (node.nodeType === Node.TEXT_NODE && at <= start && end <= at + length) {
      const mark = node.splitText(units(node.data, start - at));
      mark.splitText(units(mark.data, end - start));
      chip[0].stands = end - start;
      mark.replaceWith(...chip);
      return;
    }
    if (node.stands && at <= start && start < at + length) { // several citations share one mark
      let last = node;
      while (last.nextSibling?.nodeType === Node.ELEMENT_NODE && !last.nextSibling.stands) last = last.nextSibling;
      last.after(...chip);
      return;
    }
    at += length;
  }
}

const showAfter = 120;
const hideAfter = 250; // long enough to come over to what is shown
const gap = 8;

// WCAG 1.4.13: what is shown can be pointed at, goes by Escape without moving the pointer, and else stays.
export function prepareCards(within) {
  const shown = Object.assign(document.createElement("div"), { id: "card", className: "shown-card", hidden: true });
  shown.setAttribute("role", "tooltip");
  document.body.append(shown);
  let of = null;
  let timer = 0;

  const later = (act, time) => {
    clearTimeout(timer);
    timer = setTimeout(act, time);
  };

  function hide() {
    clearTimeout(timer);
    of?.removeAttribute("aria-describedby");
    of = null;
    shown.hidden = true;
  }

  function show(chip) {
    const card = chip.nextElementSibling;
    if (!chip.isConnected || !card?.matches("template")) return;
    hide();
    of = chip;
    chip.setAttribute("aria-describedby", "card");
    shown.replaceChildren(card.content.cloneNode(true));
    shown.hidden = false;
    const mark = chip.getClientRects()[0];
    const { width, height } = shown.getBoundingClientRect();
    const below = mark.bottom + gap + height <= innerHeight || mark.top < height + gap;
    const left = Math.max(gap, Math.min(mark.left, document.documentElement.clientWidth - width - gap));
    shown.style.left = `${left + scrollX}px`;
    shown.style.top = `${(below ? mark.bottom + gap : mark.top - gap - height) + scrollY}px`;
  }

  const chipAt = (event) => event.target.closest?.(".chip");
  within.addEventListener("pointerover", (event) => {
    const chip = chipAt(event);
    if (!chip || event.pointerType === "touch") return; // a finger opens it at once
    if (chip === of) clearTimeout(timer);
    else later(() => show(chip), showAfter);
  });
  within.addEventListener("pointerout", (event) => chipAt(event) && later(hide, hideAfter));
  shown.addEventListener("pointerenter", () => clearTimeout(timer));
  shown.addEventListener("pointerleave", () => later(hide, hideAfter));
  within.addEventListener("focusin", (event) => {
    const chip = chipAt(event);
    if (chip?.matches(":focus-visible")) show(chip);
  });
  within.addEventListener("focusout", (event) => chipAt(event) && later(hide, hideAfter));
  return { hide, showing: () => !shown.hidden };
}
