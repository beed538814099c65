import type { Options } from "./dist/embed.js";

/** The options `resolve` and `link` of attach() and <Citations>, from the routes that your server has below `path`. */
export function fromServer(path: string): Required<Pick<Options, "resolve" | "link">>;
