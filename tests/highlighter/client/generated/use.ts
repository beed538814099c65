// Uses the types that openapi-typescript generates, against a running service: node use.js URL KEY
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [, , baseUrl, key] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

function require<T>(result: { data?: T; error?: unknown }): T {
  if (result.data === undefined) throw new Error(JSON.stringify(result.error));
  return result.data;
}

const uploaded = require(
  await client.POST("/api/v1/documents", {
    body: { file: "The harbour closes at nine in the evening.", collection: "typescript" },
    bodySerializer({ file, collection }) {
      const form = new FormData();
      form.set("file", new File([file], "harbour.txt"));
      form.set("collection", collection ?? "");
      return form;
    },
  }),
);
const path = { document_id: uploaded.document_id };
let document = uploaded;
while (["queued", "reading"].includes(document.state)) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  document = require(await client.GET("/api/v1/documents/{document_id}", { params: { path } }));
}
const question = "When does the harbour close?";
const found = require(await client.POST("/api/v1/search", { body: { question, collection: "typescript" } }));
const answer = require(
  await client.POST("/api/v1/answers", {
    params: { header: { "Idempotency-Key": "typescript-1" } },
    body: { question, collection: "typescript" },
  }),
);
if (typeof answer === "string") throw new Error("a stream of events, which was not asked for");
const page = await client.GET("/api/v1/documents", { params: { query: { limit: 1, collection: "typescript" } } });
const missing = await client.GET("/api/v1/documents/{document_id}", { params: { path: { document_id: "none" } } });
const quote: string | undefined = answer.citations[0]?.quote;
console.log(
  JSON.stringify({
    state: document.state,
    hit: found.hits[0]?.text,
    quote,
    link: page.response.headers.get("link"),
    listed: page.data?.documents.map((one) => one.name),
    problem: missing.error?.type,
  }),
);
