/** Highlighted citations in any page: see docs/how-to/embed.md. */

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

/** A citation in a page, with the sentence it supports and its button. */
export interface Shown extends Citation {
  claim?: string;
  button: HTMLButtonElement;
}

/** A failure: `detail` is shown to the reader. The API's problem responses have this shape. */
export interface Refused {
  detail: string;
  status?: number;
}

/** A signed link, such as the response of /api/v1/embed/links. */
export type Linked = string | { url: string } | Refused;

export interface Options {
  /** Resolve the references of a text: the response of /api/v1/citations/resolve, through your server. */
  resolve(text: string): Promise<Citation[] | { citations: Citation[] } | Refused>;
  /** The signed link of a citation, through your server; requested again when it is about to expire. */
  link?(citation: Shown): Promise<Linked>;
  /** Next to the citation, or at the side of the window; on small screens a sheet. */
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
  /** Remove the buttons and the dialog, and put all text back into its nodes. */
  detach(): void;
}

/**
 * Turn the citations in a part of a page into buttons that open their sources, also those in text that the page adds or writes
 * again later. If `resolve` fails there are none, and `root` gets an error event. `citations` changes with the text.
 */
export function attach(root: Element, options: Options): Promise<Attached>;

/** The texts around the viewer by `lang` ("en", "zh-Hant", "zh-Hans", and those you add); replace them as you like. */
export const words: Record<string, { cited: string; previous: string; next: string; close: string; failed: string }>;

/** The events of a viewer: `highlighter:TYPE` on its element. */
export interface Said {
  ready: { document_id: string | null; chunk_index: number | null; view: "text" | "page" | ""; title: string; marks: number };
  resize: { height: number };
  "evidence.selected": { number: number; of: number; page: number | null; text: string };
  "evidence.missing": { why?: string };
  navigate: { url: string; tab: boolean };
  "link.expired": { seconds?: number; status?: number; detail?: string };
  /**
   * An error of the viewer, or of `link`, `refresh` or `resolve`; or the frame was refused. `status` is 0 where the service
   * cannot be reached, or where the browser refused the frame because the link does not name your page's origin.
   */
  error: { status: number; detail: string };
  close: Record<string, never>;
}

/** The messages a viewer accepts. */
export interface Asked {
  goto: { mark: number } | { page: number } | { start: number; end: number } | { document_id: string; chunk_index: number };
  question: { question: string };
  theme: { theme: "light" | "dark" | "auto" };
  view: { view: "text" | "page" };
  "refresh-link": { url: string };
}

/** The attributes of <citation-viewer>, for the types of frameworks. */
export interface ViewerAttributes {
  src?: string | null;
  theme?: "light" | "dark" | "auto";
  lang?: "en" | "zh-Hant" | "zh-Hans";
  view?: "text" | "page";
  sandbox?: string;
  /** An address that is posted to for `{url}`, when the link is about to expire. */
  refresh?: string;
  /** As high as its box, instead of as high as its content. */
  fill?: boolean | "";
}

/** <citation-viewer src theme lang view sandbox refresh title>: loads when it comes near the window, and is as high as its content. */
export class CitationViewer extends HTMLElement {
  /** The signed link that is shown. These three are attributes, too; each takes effect whenever it is set. */
  src: string | null;
  theme: "light" | "dark" | "auto" | null;
  view: "text" | "page" | null;
  /** A new link, when the one shown is about to expire; else the attribute `refresh` is posted to for `{url}`. */
  refresh?: () => Promise<Linked>;
  send<T extends keyof Asked>(type: T, what: Asked[T]): void;
  /** Show a message in place of the passage. */
  fail(why?: string): void;
}

type ViewerEvents = { [T in keyof Said as `highlighter:${T}`]: CustomEvent<Said[T]> };

declare global {
  interface HTMLElementTagNameMap {
    "citation-viewer": CitationViewer;
  }
  interface HTMLElementEventMap extends ViewerEvents {}
  interface DocumentEventMap extends ViewerEvents {}
}
