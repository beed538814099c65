"use client";
// React components for citations. The viewer itself is imported in the browser alone, so pages can be rendered on a server.

import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from "react";

const events = {
  onReady: "ready",
  onResize: "resize",
  onEvidenceSelected: "evidence.selected",
  onEvidenceMissing: "evidence.missing",
  onNavigate: "navigate",
  onLinkExpired: "link.expired",
  onError: "error",
  onClose: "close",
};

// Call the current handlers of an element's events; handlers may change without a new subscription.
function useEvents(element, props) {
  const current = useRef(props);
  current.current = props;
  useEffect(() => {
    const subscription = new AbortController();
    for (const [name, type] of Object.entries(events)) {
      const call = (event) => current.current[name]?.(event);
      element.current.addEventListener(`highlighter:${type}`, call, { signal: subscription.signal });
    }
    return () => subscription.abort();
  }, [element]);
}

// Leave out the handlers, and name the class as all versions of React pass it on.
function pickAttributes({ className, ...props }) {
  const attributes = Object.entries(props).filter(([name]) => !(name in events));
  return { ...Object.fromEntries(attributes), ...(className && { class: className }) };
}

/** <citation-viewer>: the passage that a signed link opens. */
export const CitationViewer = forwardRef(function CitationViewer({ refresh, fill, ...props }, ref) {
  const element = useRef(null);
  useImperativeHandle(ref, () => element.current, []);
  useEvents(element, props);
  useEffect(() => {
    element.current.refresh = refresh;
  }, [refresh]);
  useEffect(() => {
    import("./dist/embed.js");
  }, []);
  return createElement("citation-viewer", { ref: element, ...pickAttributes(props), fill: fill ? "" : undefined });
});

/** An answer whose citations become buttons, also while it is being written: `children` is the answer. */
export const Citations = forwardRef(function Citations(props, ref) {
  const { as = "div", resolve, link, mode, theme, lang, view, sandbox, children, className, ...others } = props;
  const element = useRef(null);
  const calls = useRef();
  calls.current = { resolve, link };
  useImperativeHandle(ref, () => element.current, []);
  useEvents(element, props);
  useEffect(() => {
    let attached = null;
    let isGone = false;
    const options = {
      mode, theme, lang, view, sandbox,
      resolve: (text) => calls.current.resolve(text),
      link: link && ((citation) => calls.current.link(citation)),
    };
    import("./dist/embed.js").then(async ({ attach }) => {
      if (isGone) return;
      attached = await attach(element.current, options);
      if (isGone) attached.detach();
    });
    return () => {
      isGone = true;
      attached?.detach();
    };
  }, [mode, theme, lang, view, sandbox, !link]);
  return createElement(as, { ref: element, className, lang, ...pickAttributes(others) }, children);
});
