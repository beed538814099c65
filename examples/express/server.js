// npm install express @highlighter/embed; node server.js: a page whose citations open their sentence, on http://localhost:5500.
// HIGHLIGHTER_URL, HIGHLIGHTER_KEY (none on loopback), PORT, PAGES (a folder of pages), and ORIGINS if they are shown elsewhere.

import { fileURLToPath } from "node:url";
import express from "express";
import { createHandler } from "@highlighter/embed/server";

const here = fileURLToPath(new URL(".", import.meta.url));
const scripts = fileURLToPath(new URL(".", import.meta.resolve("@highlighter/embed/package.json")));
const { HIGHLIGHTER_URL = "http://127.0.0.1:8000", HIGHLIGHTER_KEY = "", PORT = "5500", PAGES = here } = process.env;
const { ORIGINS = `http://localhost:${PORT}` } = process.env;

const app = express();
// Check in `permit` whether this reader may see the document: permit: ({ document_id }, request) => ...
app.use("/citations", createHandler({ url: HIGHLIGHTER_URL, key: HIGHLIGHTER_KEY, origins: ORIGINS.split(",") }));
app.use("/embed", express.static(scripts)); // for pages without a bundler
app.use(express.static(PAGES));
app.listen(Number(PORT), "127.0.0.1", () => console.log(`The page is at http://localhost:${PORT} (Highlighter at ${HIGHLIGHTER_URL})`));
