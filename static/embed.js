// Highlighted citations in any page: see docs/embed.md.

export const words = { cited: "Cited passage", previous: "Previous citation", next: "Next citation", close: "Close", failed: "This passage cannot be shown now." };
const hello = { source: "highlighter", v: 1 };
const ours = (data) => data?.source === hello.source && data.v === hello.v;

// No policy for styles forbids a sheet that is made.
const style = new CSSStyleSheet();
style.replaceSync(":host { display: block }");
document.adoptedStyleSheets.push(style);
fetch(new URL("embed.css", import.meta.url)).then(async (answer) => style.replaceSync(await answer.text()));

function make(name, what, ...children) {
  const element = Object.assign(document.createElement(name), what);
  element.append(...children);
  return element;
}

// A page that says nothing of colours is light.
function themeOf(element) {
  const scheme = getComputedStyle(element).colorScheme;
  return !scheme.includes("dark") ? "light" : scheme.includes("light") ? "auto" : "dark";
}

export class CitationViewer extends HTMLElement {
  static observedAttributes = ["src", "theme"];
  #frame = make("iframe", { referrerPolicy: "no-referrer", allow: "clipboard-write" });
  #note = make("p", { role: "status" });
  #near = new IntersectionObserver((seen) => seen.at(-1).isIntersecting && this.#load(), { rootMargin: "300px" });
  #port = null;
  #timer = 0;

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).append(this.#note, this.#frame);
    this.shadowRoot.adoptedStyleSheets = [style];
  }

  connectedCallback() {
    addEventListener("message", this.#hear);
    this.#near.observe(this);
  }

  disconnectedCallback() {
    removeEventListener("message", this.#hear);
    this.#near.disconnect();
    clearTimeout(this.#timer);
    this.#frame.removeAttribute("src");
  }

  attributeChangedCallback(name, before, now) {
    if (name === "theme") this.send("theme", { theme: now ?? themeOf(this) });
    else if (this.isConnected) {
      this.#near.disconnect();
      this.#near.observe(this);
    }
  }

  send(type, what) {
    this.#port?.postMessage({ ...what, ...hello, type });
  }

  fail(why = words.failed) {
    this.setAttribute("state", "failed");
    this.#note.textContent = why;
  }

  #load() {
    if (!this.hasAttribute("src")) return;
    this.#near.disconnect();
    const url = new URL(this.getAttribute("src"), document.baseURI);
    if (!url.protocol.startsWith("http")) return;
    url.searchParams.set("theme", themeOf(this));
    for (const name of ["theme", "lang", "view"]) if (this.hasAttribute(name)) url.searchParams.set(name, this.getAttribute(name));
    if (this.hasAttribute("sandbox")) this.#frame.setAttribute("sandbox", this.getAttribute("sandbox"));
    this.setAttribute("state", "loading");
    this.#frame.title = this.title || words.cited;
    this.#frame.src = url;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.fail(), 15e3); // what may not be framed by us says nothing
  }

  #hear = ({ source, origin, data }) => {
    if (source !== this.#frame.contentWindow || !ours(data) || data.type !== "ready") return;
    const boxed = origin === "null" && this.hasAttribute("sandbox");
    if (!boxed && origin !== new URL(this.#frame.src).origin) return;
    const { port1, port2 } = new MessageChannel();
    this.#port?.close();
    this.#port = port1;
    port1.onmessage = ({ data }) => ours(data) && this.#told(data);
    source.postMessage({ ...hello, type: "connect" }, boxed ? "*" : origin, [port2]);
  };

  #told({ type, ...detail }) {
    clearTimeout(this.#timer);
    if (type === "ready") this.setAttribute("state", "ready");
    if (type === "resize") this.#frame.style.height = `${detail.height}px`;
    if (!this.dispatchEvent(new CustomEvent(`highlighter:${type}`, { detail, bubbles: true, composed: true, cancelable: true }))) return;
    if (type === "link.expired") this.#renew();
    // From a sandbox it can open no tab.
    if (detail.tab && new URL(detail.url).origin === new URL(this.#frame.src).origin) open(detail.url, "_blank", "noopener");
  }

  async #renew() {
    const address = this.getAttribute("refresh");
    const url = this.refresh ? await this.refresh() : address && (await (await fetch(address, { method: "POST" })).json()).url;
    if (url) this.send("refresh-link", { url });
  }
}
customElements.get("citation-viewer") ?? customElements.define("citation-viewer", CitationViewer);

// The text to be resolved, and where each node of it begins.
const blocks = "p, li, td, th, dd, dt, h1, h2, h3, h4, h5, h6, pre, blockquote, div, section, article";
function read(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  let text = "", last = null;
  for (let node; (node = walker.nextNode()); ) {
    if (node.parentElement.closest("script, style, textarea, button, code")) continue;
    const block = node.parentElement.closest(blocks);
    if (last && block !== last) text += "\n\n";
    last = block;
    const from = text.length;
    text += node.data;
    nodes.push({ node, from, to: text.length });
  }
  return { text, nodes };
}

// Where code points begin: an emoji is two units.
function units(text) {
  let at = 0;
  return [...Array.from(text, (letter) => (at += letter.length) - letter.length), text.length];
}

// What a citation is to prove: the sentence that it closes, or as much of it as no mark before has closed.
function claimOf(text, marks, at) {
  const before = marks.filter(({ to }) => to <= at);
  const pieces = [...before, { from: at }].map(({ from }, index) => text.slice(before[index - 1]?.to ?? 0, from));
  return (pieces.findLast((one) => /\n\n.*\p{L}|\p{L}.{9}|\p{Lo}{4}/su.test(one)) ?? pieces[0])
    .split(/\n\n|(?<=[.!?])\s+|(?<=[。！？])/).findLast((one) => /\p{L}|\p{N}/u.test(one))?.trim().slice(0, 500);
}

function wrap(nodes, { from, to }) {
  const first = nodes.find((one) => from < one.to), last = nodes.find((one) => to <= one.to);
  const range = new Range();
  range.setStart(first.node, from - first.from);
  range.setEnd(last.node, to - last.from);
  const button = make("button", { type: "button", className: "highlighter-citation", ariaHasPopup: "dialog" }, range.extractContents());
  range.insertNode(button);
  return button;
}

// `resolve(text)` answers as /api/v1/citations/resolve does; `link(citation)` with its signed link.
export async function attach(root, { resolve, link, mode = "popover", ...attributes }) {
  const { text, nodes } = read(root);
  const found = await resolve(text);
  const begins = units(text);
  const marks = (found.citations ?? found).map((one) => ({ ...one, from: begins[one.start], to: begins[one.end] })).sort((a, b) => a.from - b.from);
  const places = [];
  for (const one of marks) {
    one.claim = claimOf(text, marks, one.from);
    if (one.from < places.at(-1)?.to) places.at(-1).stops.push(one); // one mark may mean several
    else places.push({ from: one.from, to: one.to, stops: [one] });
  }
  for (const place of places.toReversed()) for (const one of place.stops) one.button = place.button ??= wrap(nodes, place);
  const buttons = places.map(({ button }) => button);
  let at = 0, viewer;

  const close = () => dialog.close();
  const tool = (title, textContent, onclick) => make("button", { title, ariaLabel: title, textContent, onclick });
  const title = make("h2", { id: "title", tabIndex: -1, autofocus: true });
  const header = make("header", {}, title, tool(words.previous, "←", () => show(at - 1)), tool(words.next, "→", () => show(at + 1)), tool(words.close, "✕", close));
  const dialog = make("dialog", { onclick: ({ target }) => target === dialog && close() }, header);
  dialog.setAttribute("aria-labelledby", "title");
  const panel = make("div");
  panel.attachShadow({ mode: "open" }).append(dialog);
  panel.shadowRoot.adoptedStyleSheets = [style];
  document.body.append(panel);

  async function show(number) {
    const one = marks[(at = (number + marks.length) % marks.length)];
    for (const button of buttons) button.ariaExpanded = button === one.button;
    title.textContent = `${words.cited} ${at + 1}/${marks.length}`;
    viewer?.remove();
    viewer = make("citation-viewer", { title: one.filename ?? one.label, refresh: link && (() => link(one)) });
    for (const [name, value] of Object.entries({ theme: themeOf(root), ...attributes })) viewer.setAttribute(name, value);
    dialog.append(viewer);
    const small = matchMedia("(max-width: 44rem)").matches;
    dialog.className = small ? "sheet" : mode;
    viewer.toggleAttribute("fill", dialog.className !== "popover");
    if (!dialog.open) dialog[mode === "side" && !small ? "show" : "showModal"]();
    if (dialog.className === "popover") put(one.button);
    try {
      viewer.setAttribute("src", one.url ?? (await link(one)));
    } catch (error) {
      viewer.fail(error.message);
    }
  }

  function put(button) {
    const { left, top, bottom } = button.getBoundingClientRect();
    const below = innerHeight - bottom, under = below > Math.min(top, 400);
    dialog.style = `left: ${Math.max(8, Math.min(left, innerWidth - dialog.offsetWidth - 8))}px; ${under ? "top" : "bottom"}: ${8 + (under ? bottom : innerHeight - top)}px; --citation-max-height: ${(under ? below : top) - 70}px`;
  }

  dialog.addEventListener("highlighter:close", close);
  dialog.addEventListener("close", () => {
    viewer.remove();
    marks[at].button.ariaExpanded = "false";
    marks[at].button.focus({ preventScroll: true });
  });
  const by = { ArrowLeft: -1, ArrowRight: 1 };
  dialog.addEventListener("keydown", ({ key }) => (by[key] ? show(at + by[key]) : key === "Escape" && close()));
  buttons.forEach((button, index) => {
    button.onclick = () => show(marks.findIndex((one) => one.button === button));
    button.onkeydown = ({ key }) => by[key] && buttons.at((index + by[key]) % buttons.length).focus();
  });
  return { citations: marks, open: show, close };
}
