"""Sentences of PDFs: what stands on the page between two parts of a sentence does not cut it."""

from __future__ import annotations

from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, relettered


def _sentences(path) -> list[str]:
    return [span.text for span in split_sentences(read(path).text, wrapped=False)]


def test_semicolon_that_the_font_maps_to_the_greek_question_mark_ends_no_sentence(tmp_path):
    text = "The supplier gives notice; the buyer pays."
    drawn = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, text))
    letters = {character: character for character in text} | {";": "\u037e"}
    assert _sentences(relettered(drawn, letters)) == [text]
