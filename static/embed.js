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

// A constructed sheet is allowed by every style policy. Until the whole style is there, frames have their width: one that is
// narrow at first zooms its pages as for a phone.
const style = new CSSStyleSheet();
style.replaceSync(":host { display: block } :host iframe { width: 100%; border: 0 }");
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
    if (element.getAttribute("state") !== "ready") element.fail?.(detail);
  }
}

// A page without a color scheme is light.
function themeOf(element) {
  const scheme = getComputedStyle(element).colorScheme;
  return !scheme.includes("dark") ? "light" : scheme.includes("light") ? "auto" : "dark";
}

const properties = ["src", "theme", "view"];
const limitMs = 15000; // for the first message of a frame
const graceMs = 1000; // the same, once the frame has loaded

export class CitationViewer extends HTMLElement {
  static observedAttributes = properties;
  #frame = make("iframe", { referrerPolicy: "no-referrer", onload: () => this.#timer && this.#awaitMessage(graceMs) });
  #note = make("p", { role: "status" });
  #near = new IntersectionObserver((seen) => seen.at(-1).isIntersecting && this.#load(), { rootMargin: "300px" });
  #port;
  #timer;
  #loadedTheme;

  constructor() {
    super();
    withShadow(this, this.#note, this.#frame);
    for (const name of properties) {
      const value = this[name]; // set before this class was defined
      delete this[name];
      this[name] = value;
    }
  }

  connectedCallback() {
    addEventListener("message", this.#receive);
    this.#near.disconnect();
    this.#near.observe(this);
  }

  disconnectedCallback() {
    removeEventListener("message", this.#receive);
    this.#near.disconnect();
    this.#awaitMessage(0);
    this.#frame.removeAttribute("src");
  }

  attributeChangedCallback(name, before, now) {
    if (this.#port && name !== "src") this.send(name, { [name]: name === "theme" ? this.#theme : now });
    else if (this.isConnected) this.connectedCallback();
  }

  send(type, what) {
    this.#port?.postMessage({ ...what, ...hello, type });
  }

  fail(why = wordsIn(this.lang).failed) {
    this.setAttribute("state", "failed");
    this.#note.textContent = why;
  }

  // Without a link there is nothing to show yet, or no longer.
  #clear() {
    this.#awaitMessage(0);
    this.removeAttribute("state");
    if (this.#frame.src) this.#frame.src = "about:blank";
  }

  #load() {
    this.#near.disconnect();
    this.#port = null;
    const url = new URL(this.src || "about:blank", document.baseURI);
    if (!/^https?:/.test(url)) return this.#clear();
    url.searchParams.set("theme", (this.#loadedTheme = this.#theme));
    for (const { name, value } of this.attributes) {
      if (/^(lang|view)$/.test(name)) url.searchParams.set(name, value);
      if (name === "sandbox") this.#frame.sandbox = `allow-scripts allow-popups allow-popups-to-escape-sandbox ${value}`;
    }
    this.setAttribute("state", "loading");
    this.#note.textContent = "";
    this.#frame.title = this.title || wordsIn(this.lang).cited;
    this.#frame.src = url;
    this.#awaitMessage(limitMs);
  }

  // A refused frame sends no message: then the service is asked for the reason.
  #awaitMessage(time) {
    clearTimeout(this.#timer);
    this.#timer = time && setTimeout(request, time, this, "message", this.#findRefusal);
  }

  #findRefusal = async () => {
    const answer = await fetch(this.#frame.src, { signal: AbortSignal.timeout(limitMs / 3) });
    if (answer.ok) throw Error(`The browser refused the frame. Does the link name ${location.origin}?`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    throw { status: answer.status, detail: page.querySelector("[data-sentence]")?.textContent };
  };

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
    this.#awaitMessage(0);
    if (type === "ready") this.#welcome();
    if (type === "resize") this.#frame.style.height = `${detail.height}px`;
    if (emit(this, type, detail) && type === "link.expired") this.#renew(detail);
  }

  // A page may have been on its way while the theme changed.
  #welcome() {
    this.setAttribute("state", "ready");
    if (this.#theme !== this.#loadedTheme) this.send("theme", { theme: this.#theme });
  }

  get #theme() {
    return this.theme ?? themeOf(this);
  }

  async #renew(problem) {
    const address = this.getAttribute("refresh");
    const ask = this.refresh ?? (address && (async () => (await fetch(address, { method: "POST" })).json()));
    const url = ask && (await request(this, "url", ask));
    if (url) this.send("refresh-link", { url });
    else if (!ask && problem.status) emit(this, "error", problem);
  }
}
for (const name of properties) {
  Object.defineProperty(CitationViewer.prototype, name, {
    get() { return this.getAttribute(name); },
    set(value) { value == null ? this.removeAttribute(name) : this.setAttribute(name, value); },
  });
}
customElements.get("citation-viewer") ?? customElements.define("citation-viewer", CitationViewer);

// Only pages with citations of their own load this part.
const parts = { make, request, themeOf, withShadow, wordsIn };
export const attach = async (root, options) => (await import("./embed_attach.js")).attach(parts, root, options);
