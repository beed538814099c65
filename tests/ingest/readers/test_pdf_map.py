"""The source map of a PDF: every canonical character is on a page, exactly there, or is white space."""

from __future__ import annotations

import pypdfium2

from highlighter.pages import pdfium
from highlighter.store.source_map import SourceMap
from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped
from tests.properties import given, settings, st


def _raw_pages(path) -> list[str]:
    texts = []
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            text_page = page.get_textpage()
            texts.append(pdfium.read_characters(pdfium.get_handle(text_page), text_page.count_chars()))
            text_page.close()
            page.close()
    return texts


def _check(path) -> ExtractedDocument:
    reading, raw = read(path), _raw_pages(path)
    text, end, used = reading.text, 0, set()
    for run in reading.source_map.runs:
        assert end <= run.start < run.end <= len(text)
        assert text[end : run.start].strip() == ""
        end = run.end
        source = raw[run.page - 1][run.raw_start : run.raw_end]
        assert len(source) == run.raw_end - run.raw_start > 0
        if run.end - run.start == len(source):
            assert "".join(map(_as_canonical, source)) == text[run.start : run.end]
        places = {(run.page, at) for at in range(run.raw_start, run.raw_end)}
        assert not places & used
        used |= places
    assert text[end:].strip() == ""
    for heading in reading.headings:
        assert text[heading.start : heading.end] == text[heading.start : heading.end].strip() != ""
    return reading


def _as_canonical(character: str) -> str:
    return {"\x02": "-", "\ufffe": "-", "\r": " ", "\n": " ", "\u00a0": " "}.get(character, character)


WORD = st.text("abcdefghijklmnopqrstuvwxyzABCDEF0123456789-.,;()'äß", min_size=1, max_size=14)


@settings(max_examples=60)
@given(
    paragraphs=st.lists(st.lists(WORD, min_size=1, max_size=60), min_size=1, max_size=6),
    columns=st.integers(1, 3),
    size=st.integers(6, 16),
    leading=st.floats(1.0, 2.2),
)
def test_any_layout_has_a_map_that_agrees_with_the_page(tmp_path, paragraphs, columns, size, leading):
    def page(canvas):
        canvas.setFont("Helvetica", size)
        width = 500 // columns
        for number, words in enumerate(paragraphs):
            x, y = 50 + (number % columns) * width, 780 - 250 * (number // columns)
            lines(canvas, x, y, wrapped(" ".join(words), max(int(width / size * 1.6), 5)), size * leading)

    path = tmp_path / "a.pdf"
    reading = _check(draw(path, page))
    assert (
        reading.pages[0].characters == sum(len(word) for words in paragraphs for word in words) or reading.hidden_texts
    )


def test_a_sentence_maps_to_the_words_it_was_read_from_over_a_page_break(tmp_path):
    rows = wrapped(prose(0, 6), 60)
    path = draw(
        tmp_path / "a.pdf",
        lambda canvas: lines(canvas, 60, 760, rows[:4]),
        lambda canvas: lines(canvas, 60, 760, rows[4:]),
    )
    reading, raw = _check(path), _raw_pages(path)
    start = reading.text.index(rows[3].split()[-1] + " " + rows[4].split()[0])
    spans = reading.source_map.raw_spans(start, start + len(f"{rows[3].split()[-1]} {rows[4].split()[0]}"))
    assert [(page, raw[page - 1][a:b]) for page, a, b in spans] == [(1, rows[3].split()[-1]), (2, rows[4].split()[0])]
    assert reading.source_map.pages_of_span(0, len(reading.text)) == [1, 2]


def test_both_halves_of_a_dehyphenated_word_are_mapped(tmp_path):
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, ["The whole agree-", "ment is void."]))
    reading = _check(path)
    start = reading.text.index("agreement")
    raw = _raw_pages(path)[0]
    assert [raw[a:b] for _, a, b in reading.source_map.raw_spans(start, start + 9)] == ["agree", "ment"]


def test_source_map_can_be_stored(tmp_path):
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, wrapped(prose(0, 6), 60)))
    found = read(path).source_map
    assert SourceMap.from_bytes(found.to_bytes()) == found


def test_form_fields_are_mapped_after_the_characters_of_the_page(tmp_path):
    def page(canvas):
        canvas.drawString(60, 600, "Family name")
        canvas.acroForm.textfield(name="name", value="Okonkwo", x=130, y=592, width=150, height=20, borderWidth=0)

    path = draw(tmp_path / "a.pdf", page)
    reading, own = read(path), len(_raw_pages(path)[0])
    start = reading.text.index("Okonkwo")
    assert reading.source_map.raw_spans(start, start + 7) == [(1, own, own + 7)]
