import type { DefineComponent, HTMLAttributes } from "vue";
import type { CitationViewer as CitationViewerElement, Options, Said, ViewerAttributes } from "./dist/embed.js";

type Html = Omit<HTMLAttributes, keyof ViewerAttributes | "onError" | "onResize" | "onClose">;

export interface CitationViewerProps extends Html, Omit<ViewerAttributes, "refresh" | "fill"> {
  /** As high as its box, instead of as high as its content. */
  fill?: boolean;
  /** A new link, when the one shown is about to expire. */
  refresh?: CitationViewerElement["refresh"];
  onReady?(event: CustomEvent<Said["ready"]>): void;
  onResize?(event: CustomEvent<Said["resize"]>): void;
  onEvidenceSelected?(event: CustomEvent<Said["evidence.selected"]>): void;
  onEvidenceMissing?(event: CustomEvent<Said["evidence.missing"]>): void;
  onNavigate?(event: CustomEvent<Said["navigate"]>): void;
  onLinkExpired?(event: CustomEvent<Said["link.expired"]>): void;
  onError?(event: CustomEvent<Said["error"]>): void;
  onClose?(event: CustomEvent<Said["close"]>): void;
}

/** The passage that a signed link opens. It exposes `element` and `send`. */
export const CitationViewer: DefineComponent<CitationViewerProps, Pick<CitationViewerElement, "send"> & { element: CitationViewerElement | null }>;

export interface CitationsProps extends Omit<Html, "lang">, Options {
  /** The element around the answer; by default a div. */
  as?: string;
  onError?(event: CustomEvent<Said["error"]>): void;
}

/** An answer whose citations become buttons that open their sources, also while it is being written. */
export const Citations: DefineComponent<CitationsProps>;

declare module "vue" {
  interface GlobalComponents {
    /** The element itself; import "@highlighter/embed" where it is used, and name it in isCustomElement. */
    "citation-viewer": DefineComponent<Html & ViewerAttributes>;
  }
}
