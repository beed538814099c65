// Citation chips and verdicts: replace the markers in a text by chips while it is being written, and show on hover the cited
// sentence or the reason of a verdict. Offsets count code points; nothing here reads or writes markup.

// Parse nodes rendered by the server. A parsed document runs no scripts, and the page's policy allows none.
export function parseNodes(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  return [...parsed.body.childNodes].map((node) => document.adoptNode(node));
}

const countUnits = (text, points) => [...text].slice(0, points).join("").length;

// Replace [start, end) of a text by a chip. A chip that is there already counts as the text it replaced.
export function placeChip(live, start, end, html) {
  const chip = parseNodes(html).filter((node) => node.nodeType === Node.ELEMENT_NODE);
  let at = 0;
  for (const node of [...live.childNodes]) {
    const length = node.nodeType === Node.TEXT_NODE ? [...node.data].length : (node.replacedLength ?? 0);
    if (node.nodeType === Node.TEXT_NODE && at <= start && end <= at + length) {
      const marker = node.splitText(countUnits(node.data, start - at));
      marker.splitText(countUnits(marker.data, end - start));
      chip[0].replacedLength = end - start;
      marker.replaceWith(...chip);
      return;
    }
    if (node.replacedLength && at <= start && start < at + length) { // several citations share one marker
      let last = node;
      while (last.nextSibling?.nodeType === Node.ELEMENT_NODE && !last.nextSibling.replacedLength) last = last.nextSibling;
      last.after(...chip);
      return;
    }
    at += length;
  }
}

const showAfter = 120;
const hideAfter = 250; // long enough to move the pointer to the card
const gap = 8;

// WCAG 1.4.13: the card can be hovered, closes with Escape without moving the pointer, and otherwise stays.
export function prepareCards(within) {
  const popup = Object.assign(document.createElement("div"), { id: "card", className: "citation-card", hidden: true });
  popup.setAttribute("role", "tooltip");
  document.body.append(popup);
  let shownFor = null;
  let timer = 0;

  const schedule = (act, time) => {
    clearTimeout(timer);
    timer = setTimeout(act, time);
  };

  function hide() {
    clearTimeout(timer);
    shownFor?.removeAttribute("aria-describedby");
    shownFor = null;
    popup.hidden = true;
  }

  function show(chip) {
    const card = chip.nextElementSibling;
    if (!chip.isConnected || !card?.matches("template")) return;
    hide();
    shownFor = chip;
    chip.setAttribute("aria-describedby", "card");
    popup.replaceChildren(card.content.cloneNode(true));
    popup.hidden = false;
    const anchor = chip.getClientRects()[0];
    const { width, height } = popup.getBoundingClientRect();
    const below = anchor.bottom + gap + height <= innerHeight || anchor.top < height + gap;
    const left = Math.max(gap, Math.min(anchor.left, document.documentElement.clientWidth - width - gap));
    popup.style.left = `${left + scrollX}px`;
    popup.style.top = `${(below ? anchor.bottom + gap : anchor.top - gap - height) + scrollY}px`;
  }

  const chipAt = (event) => event.target.closest?.(".chip, .verdict");
  within.addEventListener("pointerover", (event) => {
    const chip = chipAt(event);
    if (!chip || event.pointerType === "touch") return; // a tap is a click
    if (chip === shownFor) clearTimeout(timer);
    else schedule(() => show(chip), showAfter);
  });
  within.addEventListener("pointerout", (event) => event.pointerType !== "touch" && chipAt(event) && schedule(hide, hideAfter));
  within.addEventListener("click", (event) => chipAt(event)?.matches("span") && show(chipAt(event))); // a link opens its citation
  document.addEventListener("pointerdown", (event) => event.pointerType === "touch" && !popup.contains(event.target) && hide());
  popup.addEventListener("pointerenter", () => clearTimeout(timer));
  popup.addEventListener("pointerleave", () => schedule(hide, hideAfter));
  within.addEventListener("focusin", (event) => {
    const chip = chipAt(event);
    if (chip?.matches(":focus-visible")) show(chip);
  });
  within.addEventListener("focusout", (event) => chipAt(event) && schedule(hide, hideAfter));
  addEventListener("resize", hide); // its place is another then
  return { hide, isShown: () => !popup.hidden };
}
