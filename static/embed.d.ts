/** Highlighted citations in any page: see docs/embed.md. */

/** A reference in a text, as /api/v1/citations/resolve finds it. Offsets count code points. */
export interface Citation {
  label: string;
  start: number;
  end: number;
  document_id?: string | null;
  filename?: string;
  page?: number | null;
  chunk_index?: number | null;
  quote?: string | null;
  /** A signed link, where the server gave one along. */
  url?: string;
}

/** The same in a page: with the sentence that it is to prove, and the button that it became. */
export interface Shown extends Citation {
  claim?: string;
  button: HTMLButtonElement;
}

/** Where something is not to be had: `detail` is shown to the reader. The API's problems are this. */
export interface Refused {
  detail: string;
  status?: number;
}

/** A signed link; what /api/v1/embed/links answers will do. */
export type Linked = string | { url: string } | Refused;

export interface Options {
  /** What the references of a text mean: what /api/v1/citations/resolve answers, by way of your server. */
  resolve(text: string): Promise<Citation[] | { citations: Citation[] } | Refused>;
  /** The signed link of a citation, by way of your server; asked again when it is about to expire. */
  link?(citation: Shown): Promise<Linked>;
  /** Beside the citation, or at the side of the window; on small screens a sheet. */
  mode?: "popover" | "side";
  theme?: "light" | "dark" | "auto";
  lang?: "en" | "zh-Hant" | "zh-Hans";
  view?: "text" | "page";
  sandbox?: string;
}

export interface Attached {
  citations: Shown[];
  open(index: number): Promise<void>;
  close(): void;
}

/** Turns the citations in a part of a page into buttons that open what they cite. None where `resolve` fails: `root` says why. */
export function attach(root: Element, options: Options): Promise<Attached>;

/** What is said to readers around the viewer, by its `lang` ("en", "zh-Hant", "zh-Hans", and what you add): to be replaced. */
export const words: Record<string, { cited: string; previous: string; next: string; close: string; failed: string }>;

/** What a viewer says, as events `highlighter:TYPE` on its element. */
export interface Said {
  ready: { document_id: string | null; chunk_index: number | null; view: "text" | "page" | ""; title: string; marks: number };
  resize: { height: number };
  "evidence.selected": { number: number; of: number; page: number | null; text: string };
  "evidence.missing": { why?: string };
  navigate: { url: string; tab: boolean };
  "link.expired": { seconds?: number; status?: number; detail?: string };
  /** Of the viewer's own, or of what `link`, `refresh` or `resolve` answered: then `status` may be 0. */
  error: { status: number; detail: string };
  close: Record<string, never>;
}

/** What it can be asked. */
export interface Asked {
  goto: { mark: number } | { page: number } | { start: number; end: number } | { document_id: string; chunk_index: number };
  question: { question: string };
  theme: { theme: "light" | "dark" | "auto" };
  view: { view: "text" | "page" };
  "refresh-link": { url: string };
}

/** <citation-viewer src theme lang view sandbox refresh title>: loads when it comes near, and is as high as what it shows. */
export class CitationViewer extends HTMLElement {
  /** A new link, when the one shown is about to expire; else the attribute `refresh` is posted to for `{url}`. */
  refresh?: () => Promise<Linked>;
  send<T extends keyof Asked>(type: T, what: Asked[T]): void;
  /** Shows a sentence in place of the passage. */
  fail(why?: string): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "citation-viewer": CitationViewer;
  }
}
