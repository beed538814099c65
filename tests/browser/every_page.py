"""Every page there is, by what a reader would call it, and where it stands: what holds for all is tried on all."""

from __future__ import annotations

from urllib.parse import quote, urlencode

SEVERAL = "What delay damages are paid?"
DELAY = "How much does the Contractor pay for each day of delay?"  # of the answer that is kept
SLIP = "A working day is a day other then a Sunday or a public holiday"
EMPTY = "{empty}"

ADDRESSES = {
    "the ask page": "{site}/",
    "the ask page of an empty library": EMPTY + "/",
    "an answer": "{site}/?" + urlencode({"q": SEVERAL}),
    "no answer": "{site}/?" + urlencode({"q": "Who won the chess championship of 1972?"}),
    "an answer that was kept": "{kept}",
    "the library": "{site}/documents",
    "an empty library": EMPTY + "/documents",
    "a library narrowed to nothing": "{site}/documents?name=nothing+like+that",
    "search": "{site}/search",
    "search of an empty library": EMPTY + "/search",
    "a search": "{site}/search?" + urlencode({"q": SEVERAL}),
    "a search that finds nothing": "{site}/search?q=quantum+chromodynamics",
    "a search that is too long": "{site}/search?q=" + "x" * 2001,
    "a deletion": "{contract}/delete",
    "a document": "{contract}",
    "a Chinese document": "{council}",
    "a part with marks": "{contract}?" + urlencode({"q": SEVERAL, "view": "text"}),
    "a part without marks": "{contract}/chunks/0?" + urlencode({"q": "What do penguins eat?"}),
    "pages with marks": "{contract}?" + urlencode({"q": SEVERAL, "view": "page"}),
    "a quote to be checked": "{site}/open",
    "a quote that is not there": "{site}/open?" + urlencode({"quote": SEVERAL}),
    "a quote with a slip": "{site}/open?" + urlencode({"quote": SLIP}),
    "finds": "{contract}/chunks/3?find=contractor&hit=9",
    "finds on pages": "{contract}/chunks/3?find=contractor&hit=9&view=page",
    "a part with a table": "{contract}/chunks/11",
    "a Chinese part with a table": "{council}/chunks/1?" + urlencode({"q": "工程預計幾時完成？"}),
    "a part in a frame": "{site}/api/v1/chunks/highlight?document_id={document}&chunk_index=6&sub_question="
    + quote(SEVERAL),
    "an error in a frame": "{site}/api/v1/chunks/highlight?document_id={document}&chunk_index=99&sub_question=x",
    "an error": "{site}/documents/" + "nothing" * 30,
    "the API": "{site}/api/v1/",
}  # fmt: skip

# What a script puts there a moment after the page.
COMES = {"an answer": ".answer .chip", "no answer": "[data-reason]", "pages with marks": "[data-zoom-now]"}
