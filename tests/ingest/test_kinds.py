"""Files of every kind become documents with pages, rectangles, chunk PDFs and highlights."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from highlighter.models import READY
from ingest.pipeline import ingest_file

FILES = Path(__file__).parent / "readers" / "files"

# By file: its kind, a question, and the sentence that answers it.
ANSWERS = {
    "works.html": ("html", "Whom do I tell before diving?", "Tell the harbour master."),
    "fees.eml": ("eml", "Which fee do you accept?", "We accept the fee of £18 a day."),
    "harbour.epub": ("epub", "How often does the tide rise?", "The tide rises twice a day."),
    "diving.md": ("md", "Which flag is hoisted?", "The flag Alpha is hoisted."),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_file_has_pages_rectangles_chunk_pdfs_and_highlights(name, services, process_pool, client):
    kind, question, wanted = ANSWERS[name]
    document = ingest_file(FILES / name, services, process_pool).document
    assert (document.kind, document.state) == (kind, READY)
    text = services.catalog.text(document)
    start = text.index(wanted)
    span = {"start": start, "end": start + len(wanted)}
    (rectangle,) = client.get(f"/api/v1/documents/{document.id}/rectangles", query_string=span).json["rectangles"]
    with client.get(f"/documents/{document.id}/pdf") as response, pypdfium2.PdfDocument(response.data) as paged:
        page = paged[rectangle["page"] - 1].get_textpage()
        box = [rectangle[name] for name in ("x0", "y0", "x1", "y1")]
        shown = page.get_text_bounded(*box)
    assert len(shown) > 10
    assert "".join(shown.split()) in "".join(wanted.split())
    with client.get(f"/documents/{document.id}/chunks/0.pdf") as chunk_pdf:
        assert chunk_pdf.data.startswith(b"%PDF-")
    evidence = services.passage_highlighter.highlight_chunk(question, services.catalog.chunks(document)[0])
    assert any(wanted in scored.sentence.text for scored in evidence.sentences if scored.highlighted)
