"""A page with an answer whose citations open their sentence, for the examples of web frameworks."""

from __future__ import annotations

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbour Assistant</title>
<link rel="icon" href="data:,">
<style>:root { color-scheme: light dark } body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif }</style>
<article>
  <p>For each day of delay the Contractor pays £4,200 [Harbour Works Contract, p.3].</p>
</article>
<script type="module">
  import { attach } from "HIGHLIGHTER/static/embed.js";

  const headers = { "Content-Type": "application/json" };
  const ask = async (path, body) => (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  await attach(document.querySelector("article"), {
    resolve: (text) => ask("/citations/resolve", { text }),
    link: ({ document_id, page, quote, claim }) => ask("/citations/link", { document_id, page, quote, question: claim }),
  });
</script>
"""


def citations_page(highlighter: str) -> str:
    """Return the page, which loads the viewer from the service at this address."""
    return PAGE.replace("HIGHLIGHTER", highlighter.rstrip("/"))
