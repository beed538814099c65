"""The parts of a formula that stand above each other are of one line, and of the sentence around the formula."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped


def _read_sentences(tmp_path, draw_formula, lead_in="The score of a match is defined by", below="where N is its rank."):
    """Return the sentences of a page with a formula below a lead-in, at the height that `draw_formula` gets."""

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 80))
        y = lines(canvas, 60, y - 6, wrapped(lead_in, 80)) - 14
        draw_formula(canvas, y)
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, y - 32, [below])

    text = read(draw(tmp_path / "a.pdf", page)).text
    return [span.text for span in split_sentences(text, wrapped=False)][4:]


def _draw_fraction(canvas, x, y, above, below, width):
    """Draw a fraction whose bar stands in the middle of the line with the baseline y."""
    canvas.drawCentredString(x + width / 2, y + 6.8, above)
    canvas.line(x, y + 2.5, x + width, y + 2.5)
    canvas.drawCentredString(x + width / 2, y - 6.9, below)


def _draw_fractions(canvas, y):
    canvas.drawString(200, y, "S =")
    _draw_fraction(canvas, 220, y, "2R + b", "a - c", 34)
    canvas.drawString(258, y, "+")
    _draw_fraction(canvas, 268, y, "1", "k", 6)
    canvas.drawString(277, y, ",")
    canvas.drawString(500, y, "(7)")


def _draw_nested_fraction(canvas, y):
    canvas.drawString(200, y, "S =")
    canvas.drawString(237, y + 19, "x + 1")
    canvas.line(236, y + 15, 262, y + 15)
    canvas.drawString(246, y + 6, "y")
    canvas.line(220, y + 2.5, 280, y + 2.5)
    canvas.drawString(232, y - 6.9, "a - b - c")
    canvas.drawString(283, y, "= c,")


def _draw_cases(canvas, y):
    canvas.drawString(200, y, "S(k) =")
    canvas.drawString(231, y + 7, "1 - k     if k < r")
    canvas.drawString(231, y - 7, "0         otherwise,")


def _draw_limits(canvas, y):
    canvas.drawString(200, y, "S =")
    canvas.setFont("Symbol", 14)
    canvas.drawString(220, y - 1, "\u2211")
    canvas.setFont("Helvetica", 7)
    canvas.drawString(221, y + 12.5, "n")
    canvas.drawString(219, y - 12, "k=1")
    canvas.setFont("Helvetica", 10)
    canvas.drawString(233, y, "w(k) + 1,")


@pytest.mark.parametrize(
    ("draw_formula", "formula"),
    [
        (_draw_fractions, "S = 2R + b a - c + 1 k , (7)"),
        (_draw_nested_fraction, "S = x + 1 y a - b - c = c,"),
        (_draw_cases, "S(k) = 1 - k 0 if k < r otherwise,"),
        (_draw_limits, "S = \u2211 n k=1 w(k) + 1,"),
    ],
)
def test_stacked_formula_is_part_of_its_sentence(tmp_path, draw_formula, formula):
    sentences = _read_sentences(tmp_path, draw_formula)
    assert sentences == [f"The score of a match is defined by {formula} where N is its rank."]


def test_symbol_with_indices_at_the_start_of_a_formula_is_no_word(tmp_path):
    def draw_formula(canvas, y):
        canvas.drawString(200, y, "Vijk = a(k) + b(k),")

    sentences = _read_sentences(tmp_path, draw_formula, "The matrix elements of the field", "contain a divergent term.")
    assert sentences == ["The matrix elements of the field Vijk = a(k) + b(k), contain a divergent term."]


def test_stacked_formula_after_a_colon_is_one_sentence(tmp_path):
    sentences = _read_sentences(tmp_path, _draw_fractions, "The score of a match is this:", "Nothing else counts.")
    assert sentences == ["The score of a match is this:", "S = 2R + b a - c + 1 k , (7)", "Nothing else counts."]


def test_small_fraction_in_a_line_of_text_is_part_of_its_sentence(tmp_path):
    def page(canvas):
        canvas.drawString(60, 780, "The score is at least x =")
        canvas.setFont("Helvetica", 7)
        x = 60 + stringWidth("The score is at least x =", "Helvetica", 10) + 4
        canvas.drawString(x, 783.9, "3n-1")
        canvas.line(x, 782.4, x + 14, 782.4)
        canvas.drawString(x + 5, 776.5, "2")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(x + 18, 780, "for every match that is counted, and it is never larger than")
        lines(canvas, 60, 766, ["the number of all matches that were played in the season."])

    (sentence,) = [s.text for s in split_sentences(read(draw(tmp_path / "a.pdf", page)).text, wrapped=False)]
    assert sentence.replace(" ", "").startswith("Thescoreisatleastx=3n-12foreverymatch")
    assert sentence.endswith("larger than the number of all matches that were played in the season.")


def test_amounts_above_and_below_a_rule_stay_rows(tmp_path):
    rows = [("Fenders", "+12,400"), ("Chains", "-3,150"), ("Total", "+9,250")]

    def page(canvas):
        for number, (label, amount) in enumerate(rows):
            canvas.drawString(60, 700 - 12 * number, label)
            canvas.drawRightString(200, 700 - 12 * number, amount)
        canvas.line(164, 685.5, 200, 685.5)

    assert read(draw(tmp_path / "a.pdf", page)).text == "\n".join("\t".join(row) for row in rows)


def test_columns_of_numbers_are_no_columns_of_text(tmp_path):
    names = ("age", "waist", "hips", "elbow", "knee", "anthro", "ankle", "wrist")
    rows = [(f"{name} == 0", f"0.{k}1996", f"0.0{k}221 1.62", f"0.995{k}") for k, name in enumerate(names)]

    def page(canvas):
        canvas.setFont("Courier", 10)
        for number, row in enumerate(rows):
            for x, cell in zip((72, 186, 251, 359), row, strict=True):
                canvas.drawString(x, 700 - 12 * number, cell)

    assert read(draw(tmp_path / "a.pdf", page)).text == "\n".join("\t".join(row) for row in rows)


def test_lines_of_numbers_are_rows(tmp_path):
    rows = [f"{k} 0.{k}3 -1.1{k} 0.98 2.2{k} -0.4{k} 1.06" for k in range(1, 8)]
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 700, rows))
    assert [s.text for s in split_sentences(read(path).text, wrapped=False)] == rows
