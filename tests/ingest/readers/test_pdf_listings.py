"""The lines of a listing in a typeface of fixed width are sentences of their own; sentences that are set so are not cut."""

from __future__ import annotations

import pytest

from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped

CODE = (
    "subroutine scocpar(odeparms)",
    "external odeparms",
    "integer N, M, K",
    "double precision parms(2)",
    "common /myparms/parms",
    "N = 1",
    "call odeparms(N, parms)",
    "K = N + M",
    "return",
    "end",
)
SENTENCE = (
    "the program reads the parameters of the model from a",
    "file and keeps them in a block that all of its parts",
    "share with each other until the very end of the run.",
)


def _read_sentences(tmp_path, texts, face="Courier"):
    def page(canvas):
        if face == "Courier":
            lines(canvas, 60, 780, wrapped(prose(), 70))
        canvas.setFont("Courier", 10)
        lines(canvas, 60, 700, texts)

    text = read(draw(tmp_path / "a.pdf", page)).text
    return [span.text for span in split_sentences(text, wrapped=False)]


def test_lines_of_a_listing_are_sentences_of_their_own(tmp_path):
    assert _read_sentences(tmp_path, CODE)[4:] == list(CODE)


@pytest.mark.parametrize("texts", [(*CODE, *SENTENCE), (*SENTENCE, *CODE)])
def test_sentence_in_the_typeface_of_a_listing_is_whole(tmp_path, texts):
    assert " ".join(SENTENCE) in " ".join(_read_sentences(tmp_path, texts))
    assert any(SENTENCE[1] in sentence and SENTENCE[2] in sentence for sentence in _read_sentences(tmp_path, texts))


def test_text_from_a_typewriter_is_no_listing(tmp_path):
    texts = wrapped(prose(), 60)
    assert _read_sentences(tmp_path, texts, "typewriter") == [
        span.text for span in split_sentences(" ".join(texts), wrapped=False)
    ]
