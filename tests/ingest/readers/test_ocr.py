"""Scanned pages are read by ocrmypdf where it is installed, else by a fake program in a real child process."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import NO_TEXT, TIMED_OUT
from ingest.readers import ocr
from ingest.readers.ocr import read_with_ocr
from tests.ingest.readers.pdf_drawing import draw, lines, picture, prose, wrapped
from tests.ingest.standing_in import is_running, put_on_path

LETTER = Path(__file__).parents[3] / "samples" / "Scanned letter 14 March.pdf"
SENTENCE = "Some 1.8 cubic metres of grout were used."

FAKE_PROGRAM = f"""#!{sys.executable}
import os, pathlib, sys
from reportlab.pdfgen.canvas import Canvas
canvas = Canvas(sys.argv[-1])
canvas.drawString(60, 700, {SENTENCE!r})
canvas.save()
table = pathlib.Path(os.environ["TMPDIR"]) / "000001_ocr.tsv"
row = "5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t"
table.write_text("level\\tpage\\tb\\tp\\tl\\tw\\tx\\ty\\tw\\th\\tconf\\ttext\\n" + row + "90\\tgrout\\n" + row + "50\\tsands\\n")
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Put an executable with this text on the path as ocrmypdf."""
    return lambda text: put_on_path(ocr.PROGRAM, text, tmp_path / "bin", monkeypatch)


def _scan(path: Path, pages: int = 1) -> Path:
    return draw(path, *[lambda canvas: canvas.drawImage(picture(), 60, 100, 400, 600)] * pages)


def test_a_scanned_letter_is_read_and_marked_as_recognised(tmp_path, program):
    if not shutil.which(ocr.PROGRAM):
        program(FAKE_PROGRAM)
    reading, paged = read_with_ocr(LETTER, tmp_path / "copy.pdf")
    assert SENTENCE in reading.text
    assert (reading.meta["ocr"], reading.warnings) == ("1", ())
    assert 0.5 < float(reading.meta["confidence"]) <= 1
    assert paged == tmp_path / "copy.pdf"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "bin") == ["copy.pdf"]


def test_source_map_refers_to_the_searchable_copy(tmp_path, program):
    program(FAKE_PROGRAM)
    reading, paged = read_with_ocr(_scan(tmp_path / "a.pdf"), tmp_path / "copy.pdf")
    assert (reading.text, paged.name) == (SENTENCE, "copy.pdf")
    assert reading.source_map.raw_spans(0, len(SENTENCE)) == [(1, 0, len(SENTENCE))]


def test_confidence_is_the_mean_of_words_weighted_by_their_letters(tmp_path, program):
    program(FAKE_PROGRAM)
    assert read_with_ocr(_scan(tmp_path / "a.pdf"), tmp_path / "copy.pdf")[0].meta["confidence"] == "0.70"


def test_a_file_with_text_is_not_recognised_again(tmp_path, program):
    program("#!/bin/sh\nexit 9\n")
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, wrapped(prose(1), 70)))
    reading, paged = read_with_ocr(path, tmp_path / "copy.pdf")
    assert (reading.text, reading.meta, paged) == (prose(1), {}, path)


def test_a_cover_with_text_before_scanned_pages_keeps_its_text_when_recognising_fails(tmp_path, program):
    program("#!/bin/sh\nexit 9\n")
    image = lambda canvas: canvas.drawImage(picture(), 60, 100, 400, 600)  # noqa: E731
    cover = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, SENTENCE), image, image)
    reading, paged = read_with_ocr(cover, tmp_path / "copy.pdf")
    assert (reading.text, paged, "ocr" in reading.meta) == (SENTENCE, cover, False)
    assert reading.warnings[0].startswith("Pages 2-3 of 3")


def test_reason_for_failed_recognition_is_reported(tmp_path, program):
    program("#!/bin/sh\necho 'Page 1 is signed' >&2\nexit 6\n")
    with pytest.raises(UnreadableFile) as caught:
        read_with_ocr(_scan(tmp_path / "a.pdf"), tmp_path / "copy.pdf")
    assert caught.value.state == NO_TEXT
    assert caught.value.detail.endswith("failed (Page 1 is signed).")


def test_picture_without_letters_has_no_text_and_no_advice_to_install_ocr(tmp_path, program):
    program('#!/bin/sh\nfor last; do :; done\ncp "$(dirname "$0")/../a.pdf" "$last"\n')
    with pytest.raises(UnreadableFile) as caught:
        read_with_ocr(_scan(tmp_path / "a.pdf"), tmp_path / "copy.pdf")
    assert caught.value.detail == "The pages are scans, and no text was recognised on them."


def test_hanging_recognition_is_ended_with_its_child_processes(tmp_path, program):
    program(f"#!/bin/sh\nsleep 30 &\necho $! > {tmp_path}/pid\nwait\n")
    started = time.monotonic()
    with pytest.raises(UnreadableFile) as caught:
        read_with_ocr(_scan(tmp_path / "a.pdf"), tmp_path / "copy.pdf", seconds=1.5)
    assert caught.value.state == TIMED_OUT
    assert time.monotonic() - started < 10
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_reason_without_the_program_is_that_of_reading_without_ocr(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnreadableFile) as caught:
        read_with_ocr(_scan(tmp_path / "a.pdf"), tmp_path / "copy.pdf")
    assert "Install OCR" in caught.value.detail
