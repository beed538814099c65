"""MathML of web pages, books and Markdown is read as the formulas of Word files are."""

from __future__ import annotations

import pytest

from ingest.readers import epub, markdown
from ingest.readers.html import read_html_blocks
from tests.ingest.readers.files.make_files import make_book


def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def _symbols(text: str) -> str:
    """Return each character of a text as a number, an operator or a letter."""
    return "".join(
        f"<mn>{char}</mn>" if char.isdigit() else f"<mi>{char}</mi>" if char.isalpha() else f"<mo>{char}</mo>"
        for char in text
    )


SQUARE = "<msup><mi>x</mi><mn>2</mn></msup>"
CASES = [
    (f"<mfrac><mi>a</mi>{_row(_symbols('b+c'))}</mfrac>", "a/(b+c)"),
    (f"<semantics>{SQUARE}<annotation encoding='application/x-tex'>x^{{2}}</annotation></semantics>", "x²"),
    (f"<msup>{_row(_symbols('a+b'))}<mn>2</mn></msup>", "(a+b)²"),
    (f"<msup>{_row(_symbols('(a+b)'))}<mn>2</mn></msup>", "(a+b)²"),
    (f"<msup><mi>e</mi>{_row(_symbols('a+b'))}</msup>", "e^(a+b)"),
    ("<msub><mi>H</mi><mn>2</mn></msub><mi>O</mi>", "H₂O"),
    ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i²"),
    (f"<msqrt>{_symbols('2gh')}</msqrt>", "√(2gh)"),
    (f"<mroot>{_row(_symbols('a+b'))}<mn>3</mn></mroot>", "3√(a+b)"),
    (f"<munderover><mo>∑</mo>{_row(_symbols('i=1'))}<mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub>",
     "∑_(i=1)^n x_i"),
    ("<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup><mi>f</mi><mi>d</mi><mi>x</mi>", "∫_0^1 fdx"),
    (f"<munder><mi>lim</mi>{_row(_symbols('x→0'))}</munder><mi>f</mi>", "lim_(x→0)f"),
    ("<mo>(</mo><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>", "(n choose k)"),
    ("<mover><mi>x</mi><mo>¯</mo></mover>", "x\u0304"),
    ("<mi>sin</mi><mo>\u2061</mo><mi>x</mi><mo>=</mo><mn>2</mn><mo>\u2062</mo><mi>cos</mi><mi>y</mi>", "sin x=2 cos y"),
    ("<mfenced open='[' separators='; ,'><mi>a</mi><mi>b</mi><mi>c</mi></mfenced>", "[a;b,c)"),
    ("<mmultiscripts><mi>U</mi><mprescripts/><mn>92</mn><mn>235</mn></mmultiscripts>", "²³⁵₉₂U"),
    ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable>",
     "1 0; 0 1"),
    ("<msup><mi>f</mi><mo>′</mo></msup><mspace width='1em'/><mtext>if </mtext><mi>x</mi><mphantom><mi>y</mi></mphantom>", "f′ if x"),
    ("<mrow>" * 300 + "<mi>x</mi>" + "</mrow>" * 300, "x"),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "text"), CASES)
def test_formula_of_a_page_is_one_line_of_text(formula, text):
    blocks = read_html_blocks(f"<p>So <math display='block'>{formula}</math> holds.</p>")
    assert [block.text for block in blocks] == [f"So {text} holds."]


def test_text_in_an_unclosed_formula_is_not_lost():
    blocks = read_html_blocks(
        f"<p>So <math>{SQUARE} holds.<p>The <b>rest</b> of the page.<table><tr><td>a<td>b</table>"
    )
    assert "holds. The rest of the page. a b" in " ".join(" ".join(block.text.split()) for block in blocks)


def test_formulas_of_markdown_and_books_are_read_alike(tmp_path):
    path = tmp_path / "file.md"
    path.write_text(f"So <math>{SQUARE}</math> holds.")
    assert markdown.read(path).text == "So x² holds."
    mathml = 'xmlns:m="http://www.w3.org/1998/Math/MathML"'
    chapter = f"<p>So <m:math {mathml}><m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup></m:math> holds.</p>"
    book = tmp_path / "book.epub"
    book.write_bytes(make_book(**{"book__text__one.xhtml": chapter}))
    assert epub.read(book).text.startswith("So x² holds.")


@pytest.mark.parametrize(
    "formula",
    [
        "<span class='katex-mathml'><math>{}</math></span><span class='katex-html' aria-hidden='true'>x<sup>2</sup></span>",
        "<span class='math' aria-hidden='true'>x2</span><span><math>{}</math></span>",
        "<span style='display: none'><math>{}</math></span><img alt='x^{{2}}' src='x.svg'>",
    ],
)
def test_formula_that_is_drawn_beside_its_mathml_is_read_once(formula):
    blocks = read_html_blocks(f"<p>So <span>{formula.format(SQUARE)}</span> holds.</p>")
    assert [block.text for block in blocks] == ["So x² holds."]
