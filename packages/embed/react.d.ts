import type { ElementType, ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from "react";
import type { CitationViewer as CitationViewerElement, Options, Said, ViewerAttributes } from "./dist/embed.js";

/** Handlers of the viewer's events. `event.preventDefault()` in onLinkExpired leaves the link as it is. */
export interface ViewerHandlers {
  onReady?(event: CustomEvent<Said["ready"]>): void;
  onResize?(event: CustomEvent<Said["resize"]>): void;
  onEvidenceSelected?(event: CustomEvent<Said["evidence.selected"]>): void;
  onEvidenceMissing?(event: CustomEvent<Said["evidence.missing"]>): void;
  onNavigate?(event: CustomEvent<Said["navigate"]>): void;
  onLinkExpired?(event: CustomEvent<Said["link.expired"]>): void;
  onError?(event: CustomEvent<Said["error"]>): void;
  onClose?(event: CustomEvent<Said["close"]>): void;
}

type Html = Omit<HTMLAttributes<HTMLElement>, keyof ViewerHandlers | keyof ViewerAttributes | "children">;

export interface CitationViewerProps extends Html, ViewerHandlers, Omit<ViewerAttributes, "refresh" | "fill"> {
  /** A new link, when the one shown is about to expire. */
  refresh?: CitationViewerElement["refresh"];
  /** As high as its box, instead of as high as its content. */
  fill?: boolean;
}

/** The passage that a signed link opens. Its ref is the element. */
export const CitationViewer: ForwardRefExoticComponent<CitationViewerProps & RefAttributes<CitationViewerElement>>;

export interface CitationsProps
  extends Omit<HTMLAttributes<HTMLElement>, keyof ViewerHandlers | "lang">, Options, Pick<ViewerHandlers, "onError"> {
  /** The element around the answer; by default a div. */
  as?: ElementType;
}

/** An answer whose citations become buttons that open their sources, also while it is being written. */
export const Citations: ForwardRefExoticComponent<CitationsProps & RefAttributes<HTMLElement>>;

type ElementAttributes = Omit<HTMLAttributes<CitationViewerElement>, keyof ViewerAttributes> &
  RefAttributes<CitationViewerElement> &
  ViewerAttributes & { class?: string };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      /** The element itself; import "@highlighter/embed" where it is used. */
      "citation-viewer": ElementAttributes;
    }
  }
}
