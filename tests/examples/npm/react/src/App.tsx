import { CitationViewer, Citations } from "@highlighter/embed/react";
import { fromServer } from "@highlighter/embed/client";
import { useEffect, useState } from "react";
import { Elements } from "./Elements";

const server = fromServer("/citations");
const answer =
  "For each day of delay the Contractor pays £4,200 [Harbour Works Contract, p.3]. " +
  "It must warn of any such matter within two working days [Harbour Works Contract, p.2].";
const quote = "An early warning is given within two working days of the matter becoming known";

async function fetchLink(): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("/citations/link", { method: "POST", headers, body: JSON.stringify({ quote }) });
  const { url } = (await response.json()) as { url: string };
  return url;
}

// Show a text as a language model writes it.
function useStream(text: string): string {
  const [length, setLength] = useState(0);
  useEffect(() => {
    if (length >= text.length) return;
    const timer = setTimeout(() => setLength(length + 7), 20);
    return () => clearTimeout(timer);
  }, [length, text]);
  return text.slice(0, length);
}

export function App() {
  const written = useStream(answer);
  const [theme, setTheme] = useState<"light" | "dark">("light");
  const [src, setSrc] = useState<string>();
  const [problem, setProblem] = useState("");
  const wrong = src && new URL("/embed/wrong", src).href;
  return (
    <main>
      <Citations {...server} id="answer" theme={theme} mode="popover">
        <p>{written}</p>
        <p>Again: {written.slice(0, 78)}</p>
      </Citations>
      <button onClick={async () => setSrc(await fetchLink())}>Show the source</button>
      <button onClick={() => setTheme("dark")}>Dark</button>
      <CitationViewer id="viewer" src={src} theme={theme} refresh={fetchLink} />
      <Elements src={src} theme={theme} />
      <CitationViewer id="wrong" src={wrong} onError={({ detail }) => setProblem(`${detail.status} ${detail.detail}`)} />
      <p id="problem">{problem}</p>
    </main>
  );
}
