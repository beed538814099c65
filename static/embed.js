// Highlighted citations in any page: see docs/how-to/embed.md.

const wording = (cited, previous, next, close, failed) => ({ cited, previous, next, close, failed });
export const words = {
  en: wording("Cited passage", "Previous citation", "Next citation", "Close", "This passage cannot be shown now."),
  "zh-Hant": wording("引用段落", "上一則引用", "下一則引用", "關閉", "無法顯示這段內容。"),
  "zh-Hans": wording("引用段落", "上一条引用", "下一条引用", "关闭", "无法显示这段内容。"),
};
const wordsIn = (lang) => words[lang] ?? words.en;
const hello = { source: "highlighter", v: 1 };
const isMessage = (data) => data?.source === hello.source && data.v === hello.v;

// A constructed sheet is allowed by every style policy.
const style = new CSSStyleSheet();
style.replaceSync(":host { display: block }");
document.adoptedStyleSheets.push(style);
fetch(new URL("embed.css", import.meta.url)).then(async (answer) => style.replaceSync(await answer.text()));

function make(name, what, ...children) {
  const element = Object.assign(document.createElement(name), what);
  element.append(...children);
  return element;
}

function withShadow(element, ...children) {
  element.attachShadow({ mode: "open" }).append(...children);
  element.shadowRoot.adoptedStyleSheets = [style];
  return element;
}

const emit = (element, type, detail) =>
  element.dispatchEvent(new CustomEvent(`highlighter:${type}`, { detail, bubbles: true, composed: true, cancelable: true }));

// Call the page's own code; readers see the `detail` of a failure.
async function request(element, name, ask) {
  try {
    const answer = await ask();
    const value = answer[name] ?? answer;
    if (value.length >= 0) return value;
    throw answer;
  } catch (error) {
    console.error(error);
    const { status = 0, detail, message = `no ${name}` } = error;
    emit(element, "error", { status, detail: detail ?? message });
    element.hasAttribute("src") || element.fail?.(detail);
  }
}

// A page without a color scheme is light.
function themeOf(element) {
  const scheme = getComputedStyle(element).colorScheme;
  return !scheme.includes("dark") ? "light" : scheme.includes("light") ? "auto" : "dark";
}

export class CitationViewer extends HTMLElement {
  static observedAttributes = ["src", "theme"];
  #frame = make("iframe", { referrerPolicy: "no-referrer" });
  #note = make("p", { role: "status" });
  #near = new IntersectionObserver((seen) => seen.at(-1).isIntersecting && this.#load(), { rootMargin: "300px" });
  #port;
  #timer;

  constructor() {
    super();
    withShadow(this, this.#note, this.#frame);
  }

  connectedCallback() {
    addEventListener("message", this.#receive);
    this.#near.disconnect();
    this.#near.observe(this);
  }

  disconnectedCallback() {
    removeEventListener("message", this.#receive);
    this.#near.disconnect();
    clearTimeout(this.#timer);
    this.#frame.removeAttribute("src");
  }

  attributeChangedCallback(name, before, now) {
    if (name === "theme") this.send("theme", { theme: now ?? themeOf(this) });
    else if (this.isConnected) this.connectedCallback();
  }

  send(type, what) {
    this.#port?.postMessage({ ...what, ...hello, type });
  }

  fail(why = wordsIn(this.lang).failed) {
    this.setAttribute("state", "failed");
    this.#note.textContent = why;
  }

  #load() {
    this.#near.disconnect();
    const url = new URL(this.getAttribute("src") ?? "about:", document.baseURI);
    if (!/^https?:/.test(url)) return;
    url.searchParams.set("theme", themeOf(this));
    for (const { name, value } of this.attributes) {
      if (/^(theme|lang|view)$/.test(name)) url.searchParams.set(name, value);
      if (name === "sandbox") this.#frame.sandbox = `allow-scripts allow-popups allow-popups-to-escape-sandbox ${value}`;
    }
    this.setAttribute("state", "loading");
    this.#note.textContent = "";
    this.#frame.title = this.title || wordsIn(this.lang).cited;
    this.#frame.src = url;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.fail(), 15e3); // a refused frame sends no message
  }

  #receive = ({ source, origin, data }) => {
    if (source !== this.#frame.contentWindow || !isMessage(data) || data.type !== "ready") return;
    const boxed = origin === "null" && this.#frame.sandbox.length;
    if (!boxed && origin !== new URL(this.#frame.src).origin) return;
    const { port1, port2 } = new MessageChannel();
    this.#port?.close();
    this.#port = port1;
    port1.onmessage = ({ data }) => isMessage(data) && this.#handle(data);
    source.postMessage({ ...hello, type: "connect" }, boxed ? "*" : origin, [port2]);
  };

  #handle({ type, ...detail }) {
    clearTimeout(this.#timer);
    if (type === "ready") this.setAttribute("state", "ready");
    if (type === "resize") this.#frame.style.height = `${detail.height}px`;
    if (emit(this, type, detail) && type === "link.expired") this.#renew();
  }

  async #renew() {
    const address = this.getAttribute("refresh");
    const ask = this.refresh ?? (address && (async () => (await fetch(address, { method: "POST" })).json()));
    const url = ask && (await request(this, "url", ask));
    if (url) this.send("refresh-link", { url });
  }
}
customElements.get("citation-viewer") ?? customElements.define("citation-viewer", CitationViewer);

// Read the text to resolve, and the offsets of its nodes.
function read(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  let text = "", last;
  for (let node; (node = walker.nextNode()); ) {
    let block = node.parentElement;
    if (block.closest("script, style, textarea, button, code")) continue;
    while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
    if (last && block !== last) text += "\n\n";
    last = block;
    nodes.push({ node, from: text.length, to: (text += node.data).length });
  }
  return { text, nodes };
}

// The sentence that a citation ends.
const claimOf = (pieces) =>
  (pieces.findLast((one) => /\n\n.*\p{L}|\p{L}.{9}|\p{Lo}{4}/su.test(one)) ?? pieces[0])
    .split(/\n\n|(?<=[.!?])\s+|(?<=[。！？])/).findLast((one) => /\p{L}|\p{N}/u.test(one))?.trim().slice(0, 500);

function wrap(nodes, { from, to }) {
  const first = nodes.find((one) => from < one.to), last = nodes.find((one) => to <= one.to);
  const range = new Range();
  range.setStart(first.node, from - first.from);
  range.setEnd(last.node, to - last.from);
  const button = make("button", { type: "button", className: "highlighter-citation", ariaHasPopup: "dialog" }, range.extractContents());
  range.insertNode(button);
  return button;
}

export async function attach(root, { resolve, link, mode = "popover", ...attributes }) {
  const { text, nodes } = read(root);
  const found = (await request(root, "citations", () => resolve(text))) ?? [];
  const points = [...text], units = (end) => points.slice(0, end).join("").length; // an emoji is two
  const marks = found.map((one) => ({ ...one, from: units(one.start), to: units(one.end) })).sort((a, b) => a.from - b.from);
  const places = [], between = [];
  for (const one of marks) {
    const last = places.at(-1)?.to ?? 0;
    if (one.from >= last) between.push(text.slice(last, one.from)), places.push({ ...one, stops: [] });
    places.at(-1).stops.push(one); // one marker may hold several
    one.claim = claimOf(between);
  }
  for (const place of places.toReversed()) for (const one of place.stops) one.button = place.button ??= wrap(nodes, place);
  const buttons = places.map(({ button }) => button);
  const words = wordsIn(attributes.lang);
  let at = 0, viewer;

  const close = () => dialog.close();
  const tool = (title, textContent, onclick) => make("button", { title, ariaLabel: title, textContent, onclick });
  const title = make("h2", { tabIndex: -1, autofocus: true });
  const dialog = make("dialog", { onclick: ({ target }) => target === dialog && close() },
    make("header", {}, title, tool(words.previous, "←", () => show(at - 1)), tool(words.next, "→", () => show(at + 1)), tool(words.close, "✕", close)));
  document.body.append(withShadow(make("div"), dialog));

  async function show(number) {
    const one = marks[(at = (number + marks.length) % marks.length)];
    for (const button of buttons) button.ariaExpanded = button === one.button;
    dialog.ariaLabel = title.textContent = `${words.cited} ${at + 1}/${marks.length}`;
    viewer?.remove();
    const shown = (viewer = make("citation-viewer", { title: one.filename ?? one.label, refresh: link && (() => link(one)) }));
    for (const [name, value] of Object.entries({ theme: themeOf(root), ...attributes })) viewer.setAttribute(name, value);
    dialog.append(viewer);
    const kind = (dialog.className = matchMedia("(max-width: 44rem)").matches ? "sheet" : mode);
    viewer.toggleAttribute("fill", kind !== "popover");
    if (!dialog.open) dialog[kind === "side" ? "show" : "showModal"]();
    const { left, top, bottom } = one.button.getBoundingClientRect();
    const below = innerHeight - bottom > Math.min(top, 400) ? `--top: ${bottom}` : `--bottom: ${innerHeight - top}`;
    dialog.style = `--left: ${left}px; ${below}px`;
    const url = one.url ?? (await request(shown, "url", () => link(one)));
    if (url) shown.setAttribute("src", url);
  }

  dialog.addEventListener("highlighter:close", close);
  dialog.onclose = () => {
    viewer.remove();
    marks[at].button.ariaExpanded = "false";
    marks[at].button.focus({ preventScroll: true });
  };
  const by = { ArrowLeft: -1, ArrowRight: 1 };
  dialog.onkeydown = ({ key }) => (key === "Escape" ? close() : by[key] && show(at + by[key]));
  buttons.forEach((button, index) => {
    button.onclick = () => show(marks.indexOf(places[index].stops[0]));
    button.onkeydown = ({ key }) => by[key] && buttons.at((index + by[key]) % buttons.length).focus();
  });
  return { citations: marks, open: show, close };
}
