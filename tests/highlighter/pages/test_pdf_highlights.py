"""Highlights in a PDF are standard annotations, right on turned and cropped pages, and nothing else is changed."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject

from highlighter.errors import UnreadableFile
from highlighter.models import Rectangle
from highlighter.pages.display_coordinates import to_display_box
from highlighter.pages.page_characters import read_page_characters
from highlighter.pages.pdf_highlights import HIGHLIGHT_COLOURS, PdfHighlight, write_highlights
from highlighter.pages.rectangles import compute_rectangles
from tests.ingest.readers.pdf_drawing import draw

WORDS = "Words that are lit."


def _note(path: Path, page: int = 1) -> PdfHighlight:
    letters = read_page_characters(path, [page])[0]
    start = letters.text.index(WORDS)
    boxes = tuple(compute_rectangles(page, letters, [(start, start + len(WORDS))]))
    return PdfHighlight(page, boxes, (letters.left, letters.bottom), 3, "Lit for: a question\nScore 0.91", "name-1")


def _drawn(tmp_path: Path, rotation: int = 0, cropped: bool = False) -> Path:
    writer = PdfWriter(
        clone_from=draw(tmp_path / "a.pdf", lambda c: c.drawString(100, 500, f"{WORDS} Others are not."))
    )
    if cropped:
        writer.pages[0].cropbox = RectangleObject((60, 90, 500, 700))
    writer.pages[0].rotate(rotation)
    writer.add_outline_item(title="A chapter", page_number=0)
    writer.write(tmp_path / "b.pdf")
    return tmp_path / "b.pdf"


def _colour_at(path: Path, x: float, y: float) -> tuple[int, ...]:
    with pypdfium2.PdfDocument(path) as document:
        return document[0].render(scale=4).to_pil().getpixel((int(4 * x), int(4 * y)))


def test_a_highlight_is_a_standard_annotation_that_says_why(tmp_path):
    path, out = _drawn(tmp_path), tmp_path / "out.pdf"
    note = _note(path)
    write_highlights(path, [note], out)
    (found,) = (one.get_object() for one in PdfReader(out).pages[0]["/Annots"])
    assert found["/Subtype"] == "/Highlight"
    assert found["/T"] == "Highlighter"
    assert found["/Contents"] == note.contents
    box = note.boxes[0]
    assert [float(value) for value in found["/QuadPoints"]] == pytest.approx(
        [box.x0, box.y1, box.x1, box.y1, box.x0, box.y0, box.x1, box.y0]
    )
    assert list(found["/AP"]["/N"].get_object()["/BBox"]) == list(found["/Rect"])


def test_what_was_there_stays_byte_for_byte(tmp_path):
    path, out = _drawn(tmp_path), tmp_path / "out.pdf"
    before = path.read_bytes()
    write_highlights(path, [_note(path)], out)
    assert path.read_bytes() == before
    assert out.read_bytes().startswith(before)
    assert PdfReader(out).outline[0].title == "A chapter"


def test_the_same_highlights_make_the_same_bytes(tmp_path):
    path = _drawn(tmp_path)
    for name in ("one.pdf", "two.pdf"):
        write_highlights(path, [_note(path)], tmp_path / name)
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


@pytest.mark.parametrize("cropped", [False, True], ids=["whole", "cropped"])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_colour_is_where_the_words_are_however_the_page_is_turned_and_cropped(tmp_path, rotation, cropped):
    path, out = _drawn(tmp_path, rotation, cropped), tmp_path / "out.pdf"
    note = _note(path)
    write_highlights(path, [note], out)
    shown = to_display_box(note.boxes[0], read_page_characters(path, [1])[0])
    gap = 0.4  # inside the box, at its edge: no ink there
    corner = shown.x + gap, shown.y + gap
    assert _colour_at(path, *corner) == (255, 255, 255)
    assert _colour_at(out, *corner) == pytest.approx([round(255 * part) for part in HIGHLIGHT_COLOURS[3]], abs=3)
    assert _colour_at(out, shown.x - 2, shown.y - 2) == (255, 255, 255)


def test_annotations_that_were_there_stay(tmp_path):
    def page(canvas):
        canvas.drawString(100, 500, WORDS)
        canvas.linkURL("https://example.org", (100, 490, 200, 510))

    path, out = draw(tmp_path / "a.pdf", page), tmp_path / "out.pdf"
    write_highlights(path, [_note(path)], out)
    kinds = [one.get_object()["/Subtype"] for one in PdfReader(out).pages[0]["/Annots"]]
    assert kinds == ["/Link", "/Highlight"]


def test_a_file_locked_with_an_empty_password_gets_its_highlights_too(tmp_path):
    writer = PdfWriter(clone_from=_drawn(tmp_path))
    writer.encrypt(user_password="", owner_password="owner", algorithm="RC4-128")
    writer.write(tmp_path / "locked.pdf")
    for name in ("out.pdf", "again.pdf"):
        write_highlights(tmp_path / "locked.pdf", [_note(tmp_path / "locked.pdf")], tmp_path / name)
    assert len(PdfReader(tmp_path / "out.pdf").pages[0]["/Annots"]) == 1
    assert (tmp_path / "out.pdf").read_bytes() == (tmp_path / "again.pdf").read_bytes()


def test_a_file_that_pypdf_cannot_read_is_mended_first(tmp_path):
    path = _drawn(tmp_path)
    note, whole = _note(path), path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"xref")])  # neither table nor trailer
    write_highlights(path, [note], tmp_path / "out.pdf")
    assert len(PdfReader(tmp_path / "out.pdf").pages[0]["/Annots"]) == 1


def test_a_file_that_is_no_pdf_is_refused(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"nothing of the kind")
    with pytest.raises(UnreadableFile):
        write_highlights(
            tmp_path / "a.pdf", [PdfHighlight(1, (Rectangle(1, 0, 0, 9, 9),), (0, 0), 3, "", "")], tmp_path / "out.pdf"
        )
