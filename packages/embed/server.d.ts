import type { IncomingMessage, ServerResponse } from "node:http";

/** What a page may ask a link for. */
export interface LinkBody {
  document_id?: string;
  chunk_index?: number;
  page?: number;
  start?: number;
  end?: number;
  quote?: string;
  question?: string;
}

export interface HandlerOptions {
  /** The address of Highlighter, as this server reaches it. */
  url: string;
  /** A key with the scope `read`. It stays on this server. */
  key?: string;
  /** The origins of your pages, which may frame the links: scheme://host[:port]. */
  origins?: string | string[];
  /** Whether the reader who sends this request may open what the body names; a quote alone is located in all documents. */
  permit?(body: LinkBody, request: Request | IncomingMessage): boolean | Promise<boolean>;
  /** Other fields of every link: `scope`, `may`, `expires_in`. */
  link?: { scope?: "chunk" | "document" | "collection"; may?: ("view" | "page" | "download")[]; expires_in?: number };
}

/** A route handler of Next and others with (request) => Response, and middleware of Express. */
export interface Handler {
  (request: Request): Promise<Response>;
  (request: Request, context: object): Promise<Response>;
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): Promise<void>;
}

/** Make the handler of POST .../resolve and POST .../link for the service at `url`. */
export function createHandler(options: HandlerOptions): Handler;
