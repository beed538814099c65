"""Files of every kind become documents with pages, rectangles, chunk PDFs and highlights."""

from __future__ import annotations

import shutil
from pathlib import Path

import pypdfium2
import pytest

from highlighter.models import READY, UNSUPPORTED_KIND
from ingest.pipeline import ingest_file
from tests.ingest.test_office_conversion import change_archive

FILES = Path(__file__).parent / "readers" / "files"

# By file: its kind, a question, and the sentence that answers it.
ANSWERS = {
    "works.html": ("html", "Whom do I tell before diving?", "Tell the harbour master."),
    "fees.eml": ("eml", "Which fee do you accept?", "We accept the fee of £18 a day."),
    "pilot.msg": ("msg", "When does the pilot boat leave?", "The pilot boat leaves at noon."),
    "berthing.msg": ("msg", "What does the berth cost?", "The berth costs £18 a day—no more & no less."),
    "harbour.epub": ("epub", "How often does the tide rise?", "The tide rises twice a day."),
    "pilotage.odt": ("odt", "What does each further hour cost?", "Each further hour costs £95."),
    "pilotage.rtf": ("rtf", "What does each further hour cost?", "Each further hour costs £95."),
    "berths.xlsx": ("xlsx", "When is a berth paid for?", "A berth is paid for before noon."),
    "briefing.pptx": ("pptx", "When does the north quay close?", "The north quay closes at six."),
    "fees.csv": ("csv", "Does the south quay have water?", "with water, and power"),
    "diving.md": ("md", "Which flag is hoisted?", "The flag Alpha is hoisted."),
}


# LibreOffice reads these kinds, where it is installed with the library of the component.
COMPONENTS = {
    "odt": ("libswlo.so", "libreoffice-writer"),
    "rtf": ("libswlo.so", "libreoffice-writer"),
    "xlsx": ("libsclo.so", "libreoffice-calc"),
    "pptx": ("libsdlo.so", "libreoffice-impress"),
}


def find_missing_package(kind: str) -> str:
    """Return the package that this machine lacks for files of a kind; "" when it lacks none."""
    library, package = COMPONENTS.get(kind, ("", ""))
    program = shutil.which("soffice")
    is_there = program is not None and (Path(program).resolve().parent / library).exists()
    return "" if is_there else package


@pytest.mark.parametrize("name", ANSWERS)
def test_file_has_pages_rectangles_chunk_pdfs_and_highlights(name, services, process_pool, client):
    kind, question, wanted = ANSWERS[name]
    document = ingest_file(FILES / name, services, process_pool).document
    if package := find_missing_package(kind):
        assert (document.kind, document.state) == (kind, UNSUPPORTED_KIND)
        assert f"Install {package}" in document.reason
        return
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


def test_paragraphs_of_slides_are_those_of_their_boxes(tmp_path, services, process_pool):
    broken = "Approved: 2.4 million euros; spent:</a:t></a:r><a:br/><a:r><a:rPr sz='1800'/><a:t>1.1 million euros"
    changes = {"ppt/slides/slide1.xml": ("The north quay closes at six.", broken)}
    path = change_archive(FILES / "briefing.pptx", tmp_path / "budget.pptx", changes)
    document = ingest_file(path, services, process_pool).document
    if find_missing_package("pptx"):
        assert document.state == UNSUPPORTED_KIND
        return
    paragraphs = services.catalog.text(document).split("\n\n")
    assert paragraphs[1:3] == [
        "Approved: 2.4 million euros; spent: 1.1 million euros",
        "Boats leave by the south gate.",
    ]
