// Content scripts have no custom elements: there, `customElements` is null. This stands in for the one that embed.js defines and
// embed_attach.js makes. A change of its attributes tells the element, too, that it was connected.

const Native = globalThis.HTMLElement;
const createElement = document.createElement.bind(document);
const definitions = new Map();
let upgraded; // the element that is being made

function Upgradable() {
  return Object.setPrototypeOf(upgraded, new.target.prototype);
}
Upgradable.prototype = Native.prototype;

function makeElement(name, Definition) {
  const element = (upgraded = createElement(name));
  new Definition();
  const tell = ({ attributeName, oldValue }) =>
    element.attributeChangedCallback(attributeName, oldValue, element.getAttribute(attributeName));
  new MutationObserver((changes) => changes.forEach(tell)).observe(element, {
    attributeFilter: Definition.observedAttributes,
    attributeOldValue: true,
  });
  element.remove = () => {
    Native.prototype.remove.call(element);
    element.disconnectedCallback();
  };
  return element;
}

/** Run the script that defines custom elements, here in the content script only. */
export async function importWithCustomElements(url) {
  if (globalThis.customElements) return import(url);
  const value = { get: (name) => definitions.get(name), define: (name, definition) => definitions.set(name, definition) };
  Object.defineProperty(globalThis, "customElements", { value, configurable: true });
  globalThis.HTMLElement = Upgradable;
  document.createElement = (name, ...options) =>
    definitions.has(name) ? makeElement(name, definitions.get(name)) : createElement(name, ...options);
  try {
    return await import(url);
  } finally {
    globalThis.HTMLElement = Native;
  }
}
