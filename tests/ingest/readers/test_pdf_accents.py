"""Accents that are drawn over letters, and ligatures that TeX's fonts name by numbers, are letters of their words."""

from __future__ import annotations

import pytest
from pypdf import PdfWriter
from pypdf.generic import NameObject
from reportlab.pdfbase.pdfmetrics import stringWidth

from ingest.readers.pdf import read
from ingest.readers.pdf.tex_ligatures import restore_ligatures
from tests.ingest.readers.pdf_drawing import draw


def _draw_accented(canvas, x: float, y: float, words: str) -> None:
    """Draw words in which an accent stands before its letter, the accent over the middle of the letter."""
    for index, character in enumerate(words):
        width = stringWidth(character, "Helvetica", 10)
        if character in "´¨¸":
            shift = (stringWidth(words[index + 1], "Helvetica", 10) - width) / 2
            canvas.drawString(x + shift, y, character)
        else:
            canvas.drawString(x, y, character)
            x += width


def test_accent_over_a_letter_is_part_of_the_letter(tmp_path):
    def page(canvas):
        _draw_accented(canvas, 72, 700, "Poincar´e and M¨uller wrote to Fran¸cois about it.")

    assert read(draw(tmp_path / "a.pdf", page)).text == "Poincaré and Müller wrote to François about it."


def test_accent_beside_a_letter_stays(tmp_path):
    def page(canvas):
        canvas.drawString(72, 700, "The key ´e and the word `Now` are dead.")

    assert read(draw(tmp_path / "a.pdf", page)).text == "The key ´e and the word `Now` are dead."


@pytest.mark.parametrize(
    ("raw", "restored"),
    [
        ("The \x1crst o\x1ber was su\x1ecient \x15 or not.", "The ﬁrst oﬀer was suﬃcient – or not."),
        ("The \x0crst o\x0ber was re\rected.", "The ﬁrst oﬀer was reﬂected."),
        ("A \x01\x02 \x1b \x1c of signs\r\nstays", "A \x01\x02 \x1b \x1c of signs\r\nstays"),
        ("One \x1crst number alone", "One \x1crst number alone"),
        # Letters whose numbers were taken for names of Zapf Dingbats, and dingbats that are meant.
        (
            "❚❤❡ ♠❡t❤♦❞s ❛r❡ ❜❛s❡❞ ♦♥ ♠❛tr✐❝❡s✱ ❛s ✭✶✮\r\ns❤♦✇s✳ ✜❧❡s",
            "The methods are based on matrices, as (1)\r\nshows. \x1cles",
        ),
        ("".join(map(chr, range(0x2701, 0x27BF))), "".join(map(chr, range(0x2701, 0x27BF)))),
        ("✓ yes ✗ no " * 12, "✓ yes ✗ no " * 12),
    ],
)
def test_numbers_of_ligatures_are_their_letters(raw, restored):
    assert restore_ligatures(raw) == restored


@pytest.mark.parametrize(
    ("font", "read_as"),
    [
        ("/ABCDEF+CMEX10", "The whole ∑ of all parts) is √ or ∫ of them."),
        ("/LMMathExtension10-Regular", "The whole ∑ of all parts) is √ or ∫ of them."),
        ("/Times-Roman", "The whole X of all parts! is p or Z of them."),
    ],
)
def test_large_symbols_of_tex_are_no_letters_and_end_no_sentence(tmp_path, font, read_as):
    def page(canvas):
        row = canvas.beginText(72, 700)
        for text in ("The whole ", "X", " of all ", "parts", "!", " is ", "p", " or ", "Z", " of them."):
            row.setFont("Times-Roman" if len(text) == 1 else "Helvetica", 10)
            row.textOut(text)
        canvas.drawText(row)

    path = draw(tmp_path / "a.pdf", page)
    writer = PdfWriter(clone_from=path)
    for used in writer.pages[0]["/Resources"]["/Font"].values():
        if used["/BaseFont"] == "/Times-Roman":
            used.get_object()[NameObject("/BaseFont")] = NameObject(font)
    writer.write(path)
    assert read(path).text == read_as
