"""All pages by name, with their URLs, for tests that apply to every page."""

from __future__ import annotations

from urllib.parse import quote, urlencode

SEVERAL = "What does the contract say about delay damages?"
DELAY = "How much does the Contractor pay for each day of delay?"  # the question of the stored answer
SLIP = "A working day is a day other then a Sunday or a public holiday"
EMPTY = "{empty}"

ADDRESSES = {
    "the ask page": "{site}/",
    "the ask page of an empty library": EMPTY + "/",
    "the ask page of a chosen document": "{site}/?doc={document}",
    "an answer": "{site}/?" + urlencode({"q": SEVERAL}),
    "a refusal": "{site}/?" + urlencode({"q": "Who won the chess championship of 1972?"}),
    "a stored answer": "{kept}",
    "the history": "{site}/answers",
    "my notes": "{site}/notes",
    "the notes on a document": "{contract}/notes",
    "the library": "{site}/documents",
    "an empty library": EMPTY + "/documents",
    "a library with a filter without match": "{site}/documents?name=nothing+like+that",
    "search": "{site}/search",
    "search of an empty library": EMPTY + "/search",
    "a search": "{site}/search?" + urlencode({"q": SEVERAL}),
    "a search without results": "{site}/search?q=quantum+chromodynamics",
    "a search that is too long": "{site}/search?q=" + "x" * 2001,
    "a deletion page": "{contract}/delete",
    "a document": "{contract}",
    "a Chinese document": "{council}",
    "a chunk with highlights": "{contract}?" + urlencode({"q": SEVERAL, "view": "text"}),
    "a chunk without highlights": "{contract}/chunks/0?" + urlencode({"q": "What do penguins eat?"}),
    "a page view with highlights": "{contract}?" + urlencode({"q": SEVERAL, "view": "page"}),
    "the quote form": "{site}/open",
    "a quote without match": "{site}/open?" + urlencode({"quote": SEVERAL}),
    "a quote with a typo": "{site}/open?" + urlencode({"quote": SLIP}),
    "the form for an answer to check": "{site}/check",
    "finds": "{contract}/chunks/3?find=contractor&hit=9",
    "finds in the page view": "{contract}/chunks/3?find=contractor&hit=9&view=page",
    "a chunk with a table": "{contract}/chunks/11",
    "a Chinese chunk with a table": "{council}/chunks/1?" + urlencode({"q": "工程預計幾時完成？"}),
    "a chunk in a frame": "{site}/api/v1/chunks/highlight?document_id={document}&chunk_index=6&sub_question="
    + quote(SEVERAL),
    "an error in a frame": "{site}/api/v1/chunks/highlight?document_id={document}&chunk_index=99&sub_question=x",
    "an error": "{site}/documents/" + "nothing" * 30,
    "the API": "{site}/api/v1/",
}  # fmt: skip

# Elements that scripts add after the page has loaded.
AWAITED_SELECTORS = {
    "an answer": ".answer .chip",
    "a refusal": "[data-reason]",
    "a page view with highlights": "[data-zoom-now]",
}
