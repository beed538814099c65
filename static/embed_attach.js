// A page's citations as buttons, also while it is being written: see docs/how-to/embed.md.

const minPauseMs = 300, maxPauseMs = 1500; // between requests for the citations of a growing text: longer with each

// Read the text to resolve, and the offsets of its nodes. Of buttons, only those of citations are read.
function read(root, buttons) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  let text = "", last;
  for (let node; (node = walker.nextNode()); ) {
    const button = buttons.find((one) => one === node.parentNode);
    let block = (button ?? node).parentElement;
    if (block.closest("script, style, textarea, button, code")) continue;
    while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
    if (last && block !== last) text += "\n\n";
    last = block;
    nodes.push({ node, button, from: text.length, to: (text += node.data).length });
  }
  return { text, nodes };
}

// The sentence that holds a citation.
const claimOf = (pieces) =>
  (pieces.findLast((one) => /(\n\n|[.!?]\s+(?=\p{Lu}\S*\s\S)|[。！？]).{0,60}\p{L}|\p{Lu}\S*\s.{0,60}[.!?]\s|\p{L}.{0,60}[。！？]|\p{L}.{9}|\p{Lo}{4}/su.test(one)) ?? pieces[0])
    .split(/\n\n|(?<=[.!?])\s+|(?<=[。！？])/).findLast((one) => /\p{L}|\p{N}/u.test(one))?.trim().slice(0, 500);

// Return the markers of a text in order; each may hold several citations.
function arrange(text, found) {
  const points = [...text], units = (end) => points.slice(0, end).join("").length; // an emoji is two
  const citations = found.map((one) => ({ ...one, from: units(one.start), to: units(one.end) })).sort((a, b) => a.from - b.from);
  const markers = [], between = [];
  for (const one of citations) {
    const last = markers.at(-1)?.to ?? 0;
    if (one.from >= last) between.push(text.slice(last, one.from)), markers.push({ from: one.from, to: one.to, stops: [] });
    markers.at(-1).stops.push(one);
    one.claim = claimOf(between);
  }
  return markers;
}

// The buttons of markers. No node of the page is removed or moved: the texts of a marker and before it are moved out of
// their nodes. What follows stays: the page may add to its node, or write the whole text again.
class Buttons {
  all = [];
  #moved = new Map(); // by node: its parent, the text that was moved out, where that is now, and what was left

  constructor(root) {
    this.root = root;
  }

  // Match the buttons to the markers, and return the text. Do nothing where it no longer begins with `known`.
  render(markers, known) {
    this.#removeRepeated();
    let { text, nodes } = read(this.root, this.all);
    if (text.startsWith(known)) {
      const selected = locateSelection(nodes);
      for (const marker of markers) {
        const { button } = nodes.find(({ to }) => marker.from < to);
        marker.button = button?.textContent === text.slice(marker.from, marker.to) ? button : null;
      }
      const kept = new Set(markers.map(({ button }) => button));
      const isStale = this.all.some((button) => button.isConnected && !kept.has(button));
      if (isStale) {
        this.unwrap();
        for (const marker of markers) marker.button = null;
        ({ nodes } = read(this.root, []));
      }
      for (const marker of markers) marker.button ??= this.#wrap(nodes, marker);
      this.all = markers.map(({ button }) => button);
      if (isStale || kept.has(null)) restoreSelection(selected, read(this.root, this.all).nodes);
    }
    for (const [node, moved] of this.#moved) moved.rest = node.data;
    return text;
  }

  // Put all texts back into their nodes.
  unwrap() {
    for (const [node, { text }] of this.#moved) this.#putBack(node, text);
    this.all = [];
  }

  // Put a text back into its node, and those that share a button with it.
  #putBack(node, text) {
    const { parts } = this.#moved.get(node);
    this.#moved.delete(node);
    node.insertData(0, text);
    for (const part of parts) part.remove();
    for (const [other, moved] of this.#moved) if (moved.parts.some((part) => parts.includes(part))) this.#putBack(other, moved.text);
  }

  // Remove what was moved out of a text that the page wrote again as a whole, replaced, or removed.
  #removeRepeated() {
    for (const [node, { parent, text, isOpen, rest }] of this.#moved) {
      const isInPlace = node.parentNode === parent && this.root.contains(node);
      if (isInPlace && node.data.startsWith(text)) node.deleteData(0, text.length);
      else if (!isInPlace || !(isOpen ? node.data.startsWith(rest) : node.data === rest)) this.#putBack(node, "");
    }
  }

  #wrap(nodes, { from, to }) {
    const covered = nodes.filter((one) => from < one.to && one.from < to);
    const [first] = covered, last = covered.at(-1);
    const before = new Text(first.node.data.slice(0, from - first.from));
    const button = Object.assign(document.createElement("button"), { type: "button", className: "highlighter-citation", ariaHasPopup: "dialog" });
    first.node.before(before);
    last.node.before(button);
    for (const one of covered) {
      const { node } = one, { text = "", parts = [] } = this.#moved.get(node) ?? {};
      const gone = node.data.slice(0, to - one.from);
      node.deleteData(0, gone.length);
      button.textContent += one === first ? gone.slice(before.length) : gone;
      one.from += gone.length;
      this.#moved.set(node, { parent: node.parentNode, text: text + gone, parts: [...parts, before, button], isOpen: one === last });
    }
    return button;
  }
}

function readSelection() {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
  return [[anchorNode, anchorOffset], [focusNode, focusOffset]];
}

// The ends of the selection as offsets in the text, which stay when nodes are split.
const locateSelection = (nodes) => readSelection().map(([node, offset]) => nodes.find((one) => one.node === node)?.from + offset);

function restoreSelection(ends, nodes) {
  if (ends.every(Number.isNaN)) return;
  const places = readSelection().map((place, index) => {
    const end = ends[index], one = nodes.find(({ to, button }) => end < to || (end === to && !button));
    return one ? [one.node, end - one.from] : place;
  });
  getSelection().setBaseAndExtent(...places.flat());
}

export async function attach({ make, request, themeOf, withShadow, wordsIn }, root, options) {
  const { resolve, link, mode = "popover", theme, ...attributes } = options;
  const citations = [], buttons = new Buttons(root);
  const words = wordsIn(attributes.lang);
  let at = 0, markers = [], known = "", requested = "", isBusy = false, pauseMs = minPauseMs, viewer;

  function render() {
    const text = buttons.render(markers, known);
    markers.forEach(({ button, stops }, index) => {
      if (!button) return;
      for (const one of stops) one.button = button;
      button.onclick = () => show(citations.indexOf(stops[0]));
      button.onkeydown = ({ key }) => steps[key] && markers.at((index + steps[key]) % markers.length).button?.focus();
    });
    observer.takeRecords();
    return text;
  }

  async function update() {
    const text = render();
    if (isBusy || text === requested || !text.trim()) return;
    isBusy = true;
    requested = text;
    const found = await request(root, "citations", () => resolve(text));
    if (found) {
      known = text;
      markers = arrange(text, found);
      citations.splice(0, citations.length, ...markers.flatMap(({ stops }) => stops));
      render();
    }
    setTimeout(() => {
      isBusy = false;
      pauseMs = render() === requested ? minPauseMs : Math.min(pauseMs * 1.5, maxPauseMs);
      update();
    }, pauseMs);
  }

  const close = () => dialog.close();
  const tool = (title, textContent, onclick) => make("button", { title, ariaLabel: title, textContent, onclick });
  const title = make("h2", { tabIndex: -1, autofocus: true });
  const dialog = make("dialog", { onclick: ({ target }) => target === dialog && close() },
    make("header", {}, title, tool(words.previous, "←", () => show(at - 1)), tool(words.next, "→", () => show(at + 1)), tool(words.close, "✕", close)));
  const holder = withShadow(make("div"), dialog);
  document.body.append(holder);

  async function show(number) {
    const one = citations.at(number % citations.length);
    if (!one?.button) return;
    at = citations.indexOf(one);
    for (const button of buttons.all) button.ariaExpanded = button === one.button;
    dialog.ariaLabel = title.textContent = `${words.cited} ${at + 1}/${citations.length}`;
    viewer?.remove();
    const shown = (viewer = make("citation-viewer", { title: one.filename ?? one.label, refresh: link && (() => link(one)) }));
    for (const [name, value] of Object.entries({ ...attributes, theme: theme ?? themeOf(root) })) value != null && viewer.setAttribute(name, value);
    dialog.append(viewer);
    const kind = (dialog.className = matchMedia("(max-width: 44rem)").matches ? "sheet" : mode);
    viewer.toggleAttribute("fill", kind !== "popover");
    if (!dialog.open) dialog[kind === "side" ? "show" : "showModal"]();
    const { left, top, bottom } = one.button.getBoundingClientRect();
    const below = innerHeight - bottom > Math.min(top, 400) ? `--top: ${bottom}` : `--bottom: ${innerHeight - top}`;
    dialog.style = `--left: ${left}px; ${below}px`;
    const url = one.url ?? (await request(shown, "url", () => link(one)));
    if (url) shown.src = url;
  }

  dialog.addEventListener("highlighter:close", close);
  dialog.onclose = () => {
    viewer.remove();
    const button = citations[at]?.button;
    if (!button) return;
    button.ariaExpanded = "false";
    button.focus({ preventScroll: true });
  };
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  dialog.onkeydown = ({ key }) => (key === "Escape" ? close() : steps[key] && show(at + steps[key]));

  const observer = new MutationObserver(update);
  observer.observe(root, { childList: true, characterData: true, subtree: true });
  await update();

  function detach() {
    observer.disconnect();
    holder.remove();
    buttons.unwrap();
    buttons.render = () => ""; // a request may be on its way
  }
  return { citations, open: show, close, detach };
}
