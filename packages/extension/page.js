// Runs beside a page, once its reader has asked for it: finds the citations of a text and opens them there.

(() => {
  if (globalThis.openCitations) return;

  const { getMessage, getUILanguage } = chrome.i18n;
  const gestureMs = 1000;
  const noticeMs = 8000;
  let attached, root, notice, noticeTimer, lastUrl, gestureTime = -Infinity;

  const ask = (action, body) => chrome.runtime.sendMessage({ action, body });

  globalThis.openCitations = async (part) => {
    attached?.close();
    attached?.detach();
    attached = null;
    const range = part === "page" ? null : readSelection();
    if (part === "selection" && !range) return notify(getMessage("noSelection"));
    if (!/^https?:$/.test(location.protocol)) return notify(getMessage("noOrigin"));
    const { importWithCustomElements } = await import(chrome.runtime.getURL("custom_element.js"));
    const { attach } = await importWithCustomElements(chrome.runtime.getURL("embed.js"));
    const selected = range?.toString();
    root = range ? findElement(range.commonAncestorContainer) : findMainElement();
    attached = await attach(root, { resolve: (text) => resolve(text, selected), link, lang: getMessage("lang") });
  };

  function readSelection() {
    const selection = getSelection();
    return selection.isCollapsed || !selection.toString().trim() ? null : selection.getRangeAt(0).cloneRange();
  }

  const findElement = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement);
  const findMainElement = () => document.querySelector("main, [role=main]") ?? document.body;

  // Return the citations of a text; of the selected part alone, if there is one.
  async function resolve(text, selected) {
    const [start, end] = selected ? (locate(text, selected) ?? [0, 0]) : [0, text.length];
    if (start === end) {
      notify(getMessage("selectionWithoutText"));
      return { citations: [] };
    }
    const answer = await ask("resolve", { text: text.slice(start, end) });
    if (answer.detail) {
      notify(answer.detail);
      return answer;
    }
    const shift = [...text.slice(0, start)].length; // the service counts code points
    const citations = answer.citations.map((one) => ({ ...one, start: one.start + shift, end: one.end + shift }));
    if (!attached) notify(describe(citations, answer.unresolved));
    return { citations };
  }

  // Where a part lies in a text that has other white space.
  function locate(text, part) {
    const offsets = [];
    for (const { index } of text.matchAll(/\S/g)) offsets.push(index);
    const wanted = part.replace(/\s/g, "");
    const at = text.replace(/\s/g, "").indexOf(wanted);
    return wanted && at >= 0 ? [offsets[at], offsets[at + wanted.length - 1] + 1] : null;
  }

  function describe(citations, unresolved) {
    if (citations.length) return getMessage("opened", String(citations.length));
    return unresolved.length ? getMessage("notInLibrary", unresolved[0].label) : getMessage("noCitations");
  }

  // A page can press its buttons itself. A link is only made when its reader did, and renewed while it is shown.
  const opened = new Set();
  async function link(citation) {
    lastUrl = null;
    if (!opened.has(citation) && performance.now() - gestureTime > gestureMs) return { detail: getMessage("pressCitation") };
    opened.add(citation);
    const { document_id, page, quote, claim } = citation;
    const answer = await ask("link", { document_id, page, quote, question: claim });
    lastUrl = answer.url;
    return answer;
  }
  const noteGesture = ({ isTrusted }) => isTrusted && (gestureTime = performance.now());
  for (const type of ["click", "keydown"]) addEventListener(type, noteGesture, true);

  // A page may allow no frames of others, and browsers no frame over http in one of https. Then the viewer says "error" with 0.
  document.addEventListener("highlighter:error", ({ detail, target }) => {
    if (!lastUrl || detail.status !== 0 || root.contains(target)) return;
    attached.close();
    notify(getMessage("framesForbidden"));
    ask("tab", { url: lastUrl });
  });

  function notify(sentence) {
    notice?.remove();
    clearTimeout(noticeTimer);
    const text = Object.assign(document.createElement("p"), { textContent: sentence });
    text.setAttribute("role", "status");
    text.style = `position: fixed; z-index: 2147483647; inset: auto 1rem 1rem auto; max-width: min(26rem, calc(100vw - 2rem)); margin: 0;
      box-sizing: border-box; padding: .8rem 1rem; border: 1px solid #ffffff40; border-radius: 10px; background: #1f1e1b; color: #fff;
      font: 15px/1.45 system-ui, sans-serif; box-shadow: 0 6px 24px #0005`;
    notice = Object.assign(document.createElement("div"), { lang: getUILanguage() });
    notice.attachShadow({ mode: "open" }).append(text);
    document.body.append(notice);
    noticeTimer = setTimeout(() => notice.remove(), noticeMs);
  }
})();
