// Spans of the document's text in the text view, and words of the page view's text layer, as notes need them.
// Elements with `data-at` say where their text begins in the document's text; offsets count code points.

const NOT_TEXT = ".page-marker, .sign, .instruction-note, .note-button"; // shown within the text, but not of it
const CONTEXT_CHARACTERS = 64;

const countCodePoints = (text) => [...text].length;

function textNodes(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, {
    acceptNode: (node) => (node.parentElement.closest(NOT_TEXT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT),
  });
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

// Return the part of a text node that lies in a range. A word that the reader cut is selected whole, except where words
// have no spaces between them.
function partInRange(node, range) {
  let from = node === range.startContainer ? range.startOffset : 0;
  let to = node === range.endContainer ? range.endOffset : node.data.length;
  if (from < to) {
    while (isWithinWord(node.data, from)) from -= 1;
    while (isWithinWord(node.data, to)) to += 1;
  }
  return [from, to];
}

const isWithinWord = (text, at) => at > 0 && at < text.length && isLetter(text[at - 1]) && isLetter(text[at]);
const isLetter = (character) => /[\p{L}\p{N}\p{M}]/u.test(character) && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(character);

const isInRange = (node, range) => range.intersectsNode(node) && partInRange(node, range)[0] < partInRange(node, range)[1];

// Return { start, end, exact } of a range in the text view, or null.
function readTextSelection(range, text) {
  let [start, end, exact, previous] = [null, null, "", null];
  for (const cell of text.querySelectorAll("[data-at]")) {
    let offset = Number(cell.dataset.at);
    for (const node of textNodes(cell)) {
      if (isInRange(node, range)) {
        const [from, to] = partInRange(node, range);
        start ??= offset + countCodePoints(node.data.slice(0, from));
        end = offset + countCodePoints(node.data.slice(0, to));
        exact += (previous && previous !== cell ? "\n" : "") + node.data.slice(from, to);
        previous = cell;
      }
      offset += countCodePoints(node.data);
    }
  }
  return exact.trim() ? { start, end, exact } : null;
}

// Return { exact, prefix, suffix, page } of a range in the page view, or null.
function readPageSelection(range, layers) {
  const parts = { prefix: "", exact: "", suffix: "" };
  let page = null;
  for (const layer of layers) {
    for (const line of layer.querySelectorAll("text")) {
      for (const node of textNodes(line)) {
        if (isInRange(node, range)) {
          page ??= layer.closest("[data-page]").dataset.page;
          const [from, to] = partInRange(node, range);
          if (!parts.exact) parts.prefix += node.data.slice(0, from);
          parts.exact += node.data.slice(from, to);
          parts.suffix = node.data.slice(to);
        } else parts[parts.exact ? "suffix" : "prefix"] += node.data;
      }
      parts[parts.suffix ? "suffix" : parts.exact ? "exact" : "prefix"] += " "; // a line ends
    }
  }
  const { prefix, exact, suffix } = parts;
  return exact.trim() ? { exact: exact.trim(), prefix: prefix.slice(-CONTEXT_CHARACTERS), suffix: suffix.slice(0, CONTEXT_CHARACTERS), page } : null;
}

// Return the selected words, where a reader selected some of the document, and their range.
export function readSelection() {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const text = document.querySelector(".sheet .text");
  const layers = [...document.querySelectorAll(".document-page .text-layer")].filter((layer) => range.intersectsNode(layer));
  const words = text && range.intersectsNode(text) ? readTextSelection(range, text) : readPageSelection(range, layers);
  return words && { words, range };
}

// Wrap `[start, end)` of the text view with elements that `create` returns, and return them.
export function wrapSpan(start, end, create) {
  const wrapped = [];
  for (const cell of document.querySelectorAll(".sheet .text [data-at]")) {
    let offset = Number(cell.dataset.at);
    if (offset >= end) break;
    for (const node of textNodes(cell)) {
      const characters = [...node.data];
      const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, characters.length)];
      offset += characters.length;
      if (from >= to) continue;
      const part = document.createRange();
      part.setStart(node, characters.slice(0, from).join("").length);
      part.setEnd(node, characters.slice(0, to).join("").length);
      const element = create();
      part.surroundContents(element);
      wrapped.push(element);
    }
  }
  return wrapped;
}
