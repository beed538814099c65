// A component of the server: it shows the app, and a viewer of its own, without "use client" here.

import { CitationViewer } from "@highlighter/embed/react";
import { AnswerApp } from "./AnswerApp";

export default function Page() {
  return (
    <>
      <AnswerApp />
      <CitationViewer id="served" theme="light" title="A viewer of the server's component" />
    </>
  );
}
