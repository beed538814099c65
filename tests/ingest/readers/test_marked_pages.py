"""Pages whose sentences were marked by hand are read with just these sentences."""

from __future__ import annotations

import pytest

from bench.reading import marks
from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from tests.ingest.readers.marked_pages.making import list_marks

PAGES = marks.list_own_pages()


@pytest.mark.parametrize("marked", PAGES, ids=lambda marked: marked.path.stem)
def test_page_is_read_with_the_sentences_that_were_marked(marked):
    sentences = [span.text for span in split_sentences(read(marked.path).text, wrapped=False)]
    found = set(map(marks.digest_sentence, sentences))
    lines = marked.path.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if marks.digest_sentence(line) not in found] == []
    assert [text for text in sentences if marks.digest_sentence(text) not in marked.digests] == []


@pytest.mark.parametrize("marked", PAGES, ids=lambda marked: marked.path.stem)
def test_marks_are_the_lines_of_the_source(marked):
    source = next(marked.path.parent.glob(f"{marked.path.stem}.[hf]*"))
    marks_of_source = list_marks(source.read_text(encoding="utf-8"))
    assert marked.path.with_suffix(".txt").read_text(encoding="utf-8").splitlines() == marks_of_source
