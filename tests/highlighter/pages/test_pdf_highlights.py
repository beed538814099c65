"""Highlights in a PDF are standard annotations, right on rotated and cropped pages, and change nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject

from highlighter.errors import UnreadableFile
from highlighter.models import Rectangle
from highlighter.pages.display_coordinates import to_display_box
from highlighter.pages.page_characters import read_page_characters
from highlighter.pages.pdf_highlights import HIGHLIGHT_COLOURS, TINT_COLOURS, PdfHighlight, write_highlights
from highlighter.pages.rectangles import compute_rectangles
from tests.browser.serving import ROOT
from tests.ingest.readers.pdf_drawing import draw

WORDS = "Words that are highlighted."


def _build_highlight(path: Path, page: int = 1) -> PdfHighlight:
    characters = read_page_characters(path, [page])[0]
    start = characters.text.index(WORDS)
    boxes = tuple(compute_rectangles(page, characters, [(start, start + len(WORDS))]))
    return PdfHighlight(
        page, boxes, (characters.left, characters.bottom), 3, "Highlighted for: a question\nScore 0.91", "name-1"
    )


def _draw_pdf(tmp_path: Path, rotation: int = 0, cropped: bool = False) -> Path:
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


def test_highlight_is_a_standard_annotation_with_a_comment(tmp_path):
    path, out = _draw_pdf(tmp_path), tmp_path / "out.pdf"
    highlight = _build_highlight(path)
    write_highlights(path, [highlight], out)
    (annotation,) = (reference.get_object() for reference in PdfReader(out).pages[0]["/Annots"])
    assert annotation["/Subtype"] == "/Highlight"
    assert annotation["/T"] == "Highlighter"
    assert annotation["/Contents"] == highlight.contents
    box = highlight.boxes[0]
    assert [float(value) for value in annotation["/QuadPoints"]] == pytest.approx(
        [box.x0, box.y1, box.x1, box.y1, box.x0, box.y0, box.x1, box.y0]
    )
    assert list(annotation["/AP"]["/N"].get_object()["/BBox"]) == list(annotation["/Rect"])


def test_original_bytes_stay_unchanged(tmp_path):
    path, out = _draw_pdf(tmp_path), tmp_path / "out.pdf"
    before = path.read_bytes()
    write_highlights(path, [_build_highlight(path)], out)
    assert path.read_bytes() == before
    assert out.read_bytes().startswith(before)
    assert PdfReader(out).outline[0].title == "A chapter"


def test_same_highlights_give_the_same_bytes(tmp_path):
    path = _draw_pdf(tmp_path)
    for name in ("one.pdf", "two.pdf"):
        write_highlights(path, [_build_highlight(path)], tmp_path / name)
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


@pytest.mark.parametrize("cropped", [False, True], ids=["whole", "cropped"])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_colour_is_at_the_words_on_rotated_and_cropped_pages(tmp_path, rotation, cropped):
    path, out = _draw_pdf(tmp_path, rotation, cropped), tmp_path / "out.pdf"
    highlight = _build_highlight(path)
    write_highlights(path, [highlight], out)
    box_on_page = to_display_box(highlight.boxes[0], read_page_characters(path, [1])[0])
    gap = 0.4  # inside the box, at its edge: no ink there
    corner = box_on_page.x + gap, box_on_page.y + gap
    assert _colour_at(path, *corner) == (255, 255, 255)
    assert _colour_at(out, *corner) == pytest.approx([round(255 * channel) for channel in HIGHLIGHT_COLOURS[3]], abs=3)
    assert _colour_at(out, box_on_page.x - 2, box_on_page.y - 2) == (255, 255, 255)


def test_existing_annotations_stay(tmp_path):
    def page(canvas):
        canvas.drawString(100, 500, WORDS)
        canvas.linkURL("https://example.org", (100, 490, 200, 510))

    path, out = draw(tmp_path / "a.pdf", page), tmp_path / "out.pdf"
    write_highlights(path, [_build_highlight(path)], out)
    subtypes = [reference.get_object()["/Subtype"] for reference in PdfReader(out).pages[0]["/Annots"]]
    assert subtypes == ["/Link", "/Highlight"]


def test_file_with_an_empty_password_gets_highlights(tmp_path):
    writer = PdfWriter(clone_from=_draw_pdf(tmp_path))
    writer.encrypt(user_password="", owner_password="owner", algorithm="RC4-128")
    writer.write(tmp_path / "locked.pdf")
    for name in ("out.pdf", "again.pdf"):
        write_highlights(tmp_path / "locked.pdf", [_build_highlight(tmp_path / "locked.pdf")], tmp_path / name)
    assert len(PdfReader(tmp_path / "out.pdf").pages[0]["/Annots"]) == 1
    assert (tmp_path / "out.pdf").read_bytes() == (tmp_path / "again.pdf").read_bytes()


def test_file_that_pypdf_cannot_read_is_repaired_first(tmp_path):
    path = _draw_pdf(tmp_path)
    highlight, whole = _build_highlight(path), path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"xref")])  # neither table nor trailer
    write_highlights(path, [highlight], tmp_path / "out.pdf")
    assert len(PdfReader(tmp_path / "out.pdf").pages[0]["/Annots"]) == 1


def test_file_that_is_no_pdf_is_refused(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"nothing of the kind")
    with pytest.raises(UnreadableFile):
        write_highlights(
            tmp_path / "a.pdf", [PdfHighlight(1, (Rectangle(1, 0, 0, 9, 9),), (0, 0), 3, "", "")], tmp_path / "out.pdf"
        )


def test_parts_of_a_question_have_the_colours_of_the_pages():
    css = (ROOT / "static" / "highlighter.css").read_text()
    for tint, themes in TINT_COLOURS.items():
        rule = re.search(rf"^\.tint-{tint} \{{(.*)\}}$", css, re.M)[1]
        for theme, colours in zip(("light", "dark"), themes, strict=True):
            assert tuple(re.findall(rf"--{theme}-\d: #(\w{{6}})", rule)) == colours
