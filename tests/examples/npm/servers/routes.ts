// The handler fits Express, and route handlers of Next, whose parameters come as a promise.

import { createHandler } from "@highlighter/embed/server";
import express from "express";

const handler = createHandler({
  url: "http://127.0.0.1:8000",
  origins: ["http://localhost:5500"],
  permit: async ({ document_id }, request) => document_id !== undefined && request.headers !== undefined,
  link: { scope: "chunk", may: ["view"], expires_in: 60 },
});

express().use("/citations", handler);

export const POST: (request: Request, context: { params: Promise<{ action: string }> }) => Promise<Response> = handler;
