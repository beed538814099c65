"""The text of an RTF body is the HTML or the plain text within it, or its own."""

from __future__ import annotations

import pytest

from ingest.readers.rtf_body import MAX_GROUPS_DEEP, RtfBody, read_rtf_body
from tests.properties import given, st


def read_html(rtf: str) -> str:
    body = read_rtf_body(b"{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0" + rtf.encode("latin-1") + b"}")
    assert body.is_html
    return body.text


@pytest.mark.parametrize(
    ("rtf", "html"),
    [
        (r"{\*\htmltag64 <p>}Noon{\*\htmltag72 </p>}", "<p>Noon</p>"),
        (r"{\*\htmltag64 <p>}\htmlrtf {\b \htmlrtf0 Noon\htmlrtf }\htmlrtf0{\*\htmltag72 </p>}", "<p>Noon</p>"),
        (r"{\*\mhtmltag64 <p class=x>}Noon", "Noon"),
        (r"{\pntext *\tab}Noon{\pict ffd8ff}", "Noon"),
        (r"{\*\htmltag <style> p \{ top: 0 \}\par </style>}", "<style> p { top: 0 }\n</style>"),
        (r"a\'e9\'80 \ldblquote b\rdblquote\~\u8364\'3fc", "aé€ “b”\xa0€c"),
        (r"\u-10179?\u-8994?!", "📞!"),
        (r"\uc2\u8364abc{\uc0\u8364 d}", "€c€d"),
        (r"\u-10179?alone", "\ufffdalone"),
        (r"{\fonttbl{\f0 Arial;}{\f2\fcharset134 SimSun;}}{\f2\'ce\'e7\'ce}\'e7 {\*\htmltag \f2\'e9}", "午\ufffdç é"),
        ("{\\fonttbl{\\f1\\fcharset128 Gothic;}}\\f1 \\'83Aa", "アa"),
        (r"{\*\generator \bin4 }}}}x}Noon\bin3 {{{.", "Noon."),
        ("No\non\\\n", "Noon\n"),
    ],
)
def test_html_is_what_it_was_before_it_became_rtf(rtf, html):
    assert read_html(rtf) == html


def test_plain_text_keeps_its_lines():
    rtf = rb"{\rtf1\ansi\ansicpg936\fromtext \deff0{\fonttbl{\f0 Arial;}}\pard First line\par Second: \'ce\'e7\par}"
    assert read_rtf_body(rtf) == RtfBody("First line\nSecond: 午\n", is_html=False)


def test_paragraphs_cells_and_rows_of_other_rtf_are_read_without_what_is_hidden():
    rtf = (
        rb"{\rtf1\ansi{\stylesheet{\s1 heading;}}{\info{\title T}}{\header Page}\pard Fees\par "
        rb"\trowd Berth\cell 18\cell\row{\v secret \v0 shown}\v more\plain !{\field{\*\fldinst LINK}{\fldrslt here}}}"
    )
    assert read_rtf_body(rtf) == RtfBody("Fees\n\nBerth\t18\t\nshown!here", is_html=False)


def test_groups_nested_too_deeply_are_refused():
    with pytest.raises(ValueError, match="nested"):
        read_rtf_body(b"{" * (MAX_GROUPS_DEEP + 2))


WORDS = [
    "{",
    "}",
    "\\*",
    "\\htmltag64 ",
    "\\htmlrtf",
    "\\htmlrtf0 ",
    "\\u-10179",
    "\\uc9",
    "\\'e9",
    "\\bin9",
    "\\f1",
    "\\",
]


@given(st.lists(st.sampled_from([*WORDS, "\\fonttbl", "\\fcharset128", "\\ansicpg99999", "\\v", "noon", "\0", "\n"])))
def test_any_tokens_become_text(tokens):
    for start in (b"{\\rtf1\\fromhtml1 ", b"{\\rtf1\\fromtext ", b""):
        read_rtf_body(start + "".join(tokens).encode("latin-1")).text.encode()
