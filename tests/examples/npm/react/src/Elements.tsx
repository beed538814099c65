import "@highlighter/embed";
import { useRef } from "react";
import type { CitationViewer as ViewerElement } from "@highlighter/embed";
import type {} from "@highlighter/embed/react"; // the types of the element in JSX

// The element itself in JSX, with its attributes, and its properties by a ref.
export function Elements({ src, theme }: { src: string | undefined; theme: "light" | "dark" }) {
  const viewer = useRef<ViewerElement>(null);
  return (
    <section>
      <citation-viewer ref={viewer} id="element" src={src} theme={theme} title="The element" />
      <button onClick={() => viewer.current && (viewer.current.view = "page")}>Show the page</button>
    </section>
  );
}
