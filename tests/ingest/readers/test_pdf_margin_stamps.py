"""What is printed sideways in the margin of page after page is no text; what stands there once is."""

from __future__ import annotations

from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped


def _page(number: int, words: str, x: float = 570):
    def page(canvas):
        lines(canvas, 72, 700, wrapped(prose(number), 70))
        canvas.saveState()
        canvas.translate(x, 300)
        canvas.rotate(90)
        canvas.drawString(0, 0, words)
        canvas.restoreState()

    return page


def test_words_printed_sideways_in_the_margin_of_each_page_are_no_text(tmp_path):
    for x in (30, 570):
        pages = [_page(number, f"Official Gazette 2024-27528, copy {number}", x) for number in range(4)]
        text = read(draw(tmp_path / "a.pdf", *pages)).text
        assert "Gazette" not in text
        assert text.count("in part") == 4


def test_words_printed_sideways_on_one_page_stay(tmp_path):
    pages = [_page(number, name) for number, name in enumerate(("Schedule", "Annex", "Appendix", "Index"))]
    text = read(draw(tmp_path / "a.pdf", *pages)).text
    assert all(name in text for name in ("Schedule", "Annex", "Appendix", "Index"))


def test_words_printed_sideways_beside_other_words_stay(tmp_path):
    """They may be the headings of columns, which a table repeats on each page."""
    pages = [_page(number, "Number of notices", 300) for number in range(4)]
    assert read(draw(tmp_path / "a.pdf", *pages)).text.count("Number of notices") == 4
