"""A web page is read as a browser without scripts and without a network shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import EMPTY, NO_TEXT, TOO_LARGE, UNSUPPORTED_KIND
from ingest.readers import html
from ingest.readers.extracted_document import HiddenText
from tests.ingest.readers.any_input import read_or_none
from tests.properties import given, st

PAGE = Path(__file__).parent / "files" / "works.html"

PAGE_TEXT = """\
Harbour works

The quay is open to visitors from April to October. The harbour master decides on closures.

This tab is open.

Before diving

1. Tell the harbour master.
◦ By radio, on channel 12.
◦ By telephone.
2. Hoist the flag Alpha.

Fees

Fees for a berth

Length\tA day\tA month
up to 8 m\t£12\t£210
over 8 m\t£18\t£340
\ton request

Harbour Office

12 Pier Road

Invoices are due in 30 days.
Late payment costs 2 % a month.

潛水員下水前，必須通知港務長。

if tide < 2:
    close(quay)"""


def read(folder: Path, content: str | bytes):
    path = folder / "page.html"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return html.read(path)


def test_page_is_read_as_shown_without_scripts_hidden_elements_and_anything_fetched():
    page = html.read(PAGE)
    assert page.text == PAGE_TEXT
    assert [(page.text[h.start : h.end], h.level) for h in page.headings] == [
        ("Harbour works", 1), ("Before diving", 2), ("Fees", 2),
    ]  # fmt: skip
    assert [page.text[start:end] for start, end in page.table_headers] == ["Length\tA day\tA month"]
    assert [page.text[start:end] for start, end in page.code_spans] == ["if tide < 2:\n    close(quay)"]
    assert page.hidden_texts == (HiddenText("14", "deleted"),)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Just words", "Just words"),
        ("<p>One<p>Two", "One\n\nTwo"),
        ("<div>One<br><br>Two<br>three<br>Four</div>", "One\n\nTwo three\nFour"),
        ("<b>A</b><i>B</i> C", "AB C"),
        ("<ol start=3 type=a><li>x<li value=7>y</ol>", "c. x\ng. y"),
        ("<ul><li><p>One</p><p>Two</p></li></ul>", "• One\nTwo"),
        ("<h2>A<br>B</h2>", "A B"),
        ("<dl><dt>Term</dt><dd>Meaning</dd></dl>", "Term\n\nMeaning"),
        ("<dl><dt>Monday<dd>£120<dt>Tuesday<dd>£140</dl>", "Monday\t£120\nTuesday\t£140"),
        (
            "<dl><div><dt>Monday<dd>£120</div><div><dt>Tuesday<dd>£140</div></dl>",
            "Monday\t£120\nTuesday\t£140",
        ),
        (
            "<dl>Fees:<dt>Monday</dt><dd>£120</dd>per day<dt>Tuesday<dd>£140</dl>",
            "Fees:\n\nMonday\n\n£120\n\nper day\n\nTuesday\n\n£140",
        ),
        ("<dl><dt>A<dd>1<dt>B<dd>2</dd><p>And tax.</p></dl>", "A\n\n1\n\nB\n\n2\n\nAnd tax."),
        ("<dl><dt>A<dd>1<dt>B<dd><dl><dt>C<dd>3<dt>D<dd>4</dl></dl>", "A\n\n1\n\nB\n\nC\t3\nD\t4"),
        (
            "<dl><dt>Mole<dd>A stone wall.<dt>Pier<dd>A wooden deck.</dl>",
            "Mole\n\nA stone wall.\n\nPier\n\nA wooden deck.",
        ),
        ("<dl><dt>Days<dd>Monday<dd>Friday<dt>Fee<dd>£5</dl>", "Days\n\nMonday\n\nFriday\n\nFee\n\n£5"),
        ("<ul><li><input type=checkbox checked>Paid<li><input type=checkbox>Sent</ul>", "• ☑ Paid\n• ☐ Sent"),
        ("<p><label><input type=radio checked> Yes</label> <label><input type=radio> No</label></p>", "☑ Yes ☐ No"),
        ("<div><input type=checkbox id=menu>Text <input value=x></div>", "Text"),
        ("<p>co&shy;operate&#8203; &#150; it&#146;s</p>", "cooperate – it’s"),
        ("<p>He said <q>no</q>.</p>", "He said “no”."),
        ("<p>漢<ruby>字<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>", "漢字"),
        ("<ul><li>a<li>b <del>gone</del><li>c</ul>", "• a\n• b\n• c"),
        ("<p>shown<span style='visibility: hidden'>no</span> <span style='font-size:0px'>no</span></p>", "shown"),
        ("<p style='font-size:0.9em'>shown</p>", "shown"),
        ("<table><tr><td>A<table><tr><td>x<td>y</table><td>B</table>", "A\n\nx\ty\n\nB"),
        (
            "<table><tr><th>A<th>B<tr><td>1<td>a <table><tr><td>x<td>y<tr><td>z</table> b<tr><td>2<td>c</table>",
            "A\tB\n1\ta x y z b\n2\tc",
        ),
        (
            "<table><caption>Fees</caption><tr><td>A<td>B<tr><td>1<td><table><tr><th>x<th>y<tr><td>3<td>4</table></table>",
            "Fees\n\nA\tB\n1\tx y 3 4",
        ),
        (
            "<table><tr><th><table><tr><td>x<td>y</table><th>B<tr><td>1<td>2</table>",
            "x\ty\n\nB\n\n1\n\n2",
        ),
        ("<table><tr><th>A<th>B<tr><td>1<td><s>9</s> 2</table>", "A\tB\n1\t2"),
        ("<style>p{display:none}</style><style>div p{display:block}</style><p>shown</p>", "shown"),
        ("<style>div p{display:none}@media print{p{display:none}}</style><p>shown</p>", "shown"),
        ("<p>a\tb</p>", "a b"),
        ("<svg><text>x</text></svg><math><mi>y</mi></math>", "y"),
        ("<!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><p>[&x;]</p>", "]>\n\n[&x;]"),
    ],
)
def test_elements_become_blocks_of_text(tmp_path, source, text):
    assert read(tmp_path, source).text == text


@pytest.mark.parametrize("declared", ["big5", "gb2312", "utf-8", "shift_jis", "utf-16"])
def test_declared_encoding_is_used(tmp_path, declared):
    text = "港務長" if declared == "big5" else "潜水"
    page = f'<meta http-equiv="Content-Type" content="text/html; charset={declared}"><p>{text}</p>'
    assert read(tmp_path, page.encode(declared)).text == text


@pytest.mark.parametrize("declared", ["utf-8", "hex", "nonsense", "idna", "utf-16", "iso-8859-1"])
def test_wrongly_declared_encoding_does_not_stop_reading(tmp_path, declared):
    assert (
        "Mole" in read(tmp_path, f"<meta charset={declared}><p>Gr\u00fc\u00dfe von der Mole</p>".encode("cp1252")).text
    )


@pytest.mark.parametrize(
    ("content", "state"),
    [
        (b"", EMPTY),
        (b"<!-- nothing -->", EMPTY),
        (b"<html><script>x</script></html>", EMPTY),
        (b"<html><img src=x></html>", NO_TEXT),
        (b"\x89PNG\r\n<html>", UNSUPPORTED_KIND),
        (b"<div>" * 100_000 + b"text", TOO_LARGE),
    ],
    ids=str,
)
def test_unreadable_page_has_a_typed_state(tmp_path, content, state):
    with pytest.raises(UnreadableFile) as caught:
        read(tmp_path, content)
    assert caught.value.state == state
    assert caught.value.detail.endswith(".")


@pytest.mark.parametrize(
    "element", ["div", "table><tr><td", "table><tr><th>A</th><th>B</th></tr><tr><td>C</td><td", "blockquote", "ul><li"]
)
def test_deeply_nested_text_is_read_or_reported(tmp_path, element):
    closing = "".join(f"</{tag}>" for tag in ("td", "tr", "table", "li", "ul", "blockquote", "div") if tag in element)
    assert read(tmp_path, f"<{element}>" * 300 + "deep" + closing * 300 + "<p>after</p>").text.endswith("after")


FRAGMENTS = st.sampled_from(
    "<p> </p> <table> <tr> <td> <td colspan=9999999999> <th rowspan=0> </table> <ul> <ol start=-5> <li value=x> </ul> <br> "
    "<pre> </pre> <del> </del> <q> <h1> </h1> <!-- --> <style> .a{display:none} </style> <p class=a> <![CDATA[ ]]> &#0; "
    "&#x110000; &#55296; <template> <? ?> <!DOCTYPE { } a 漢 \n \t \x1e \0 <math> <svg> </svg> <td hidden>".split(" ")
)


@given(st.lists(FRAGMENTS | st.text(max_size=5), max_size=30))
def test_any_markup_is_read_or_has_a_typed_state(tmp_path_factory, fragments):
    folder = tmp_path_factory.getbasetemp()
    path = folder / "page.html"
    path.write_bytes(" ".join(fragments).encode("utf-8", "surrogatepass"))
    page = read_or_none(html, path)
    if page is None:
        return
    assert page.text.strip()
    assert "\0" not in page.text
    assert not any(line == "" for line in page.text.split("\n\n"))
    page.text.encode()


def test_captions_of_figures_are_named_and_those_of_tables_are_not(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(
        "<p>Before.</p><figure><img src=a.png><figcaption>The mole in <b>winter</b>.</figcaption></figure><p>After.</p>"
        "<figure><figcaption>The fees</figcaption><table><tr><td>North<td>7<tr><td>South<td>4</table></figure>"
    )
    reading = html.read(path)
    assert [reading.text[start:end] for start, end in reading.figure_captions] == ["The mole in winter."]
