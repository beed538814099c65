// A route handler of Next: POST /citations/resolve and POST /citations/link, for fromServer("/citations") in a page.

import { createHandler } from "@highlighter/embed/server";

export const POST = createHandler({
  url: process.env.HIGHLIGHTER_URL ?? "http://127.0.0.1:8000",
  key: process.env.HIGHLIGHTER_KEY,
  origins: process.env.ORIGIN ?? "http://localhost:3000", // of your pages
});
