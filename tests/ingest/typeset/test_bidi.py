"""Arabic and Hebrew lines in visual order, and lines as PDFium returns them in reading order."""

from __future__ import annotations

import pytest

from ingest.typeset.bidi import to_reading_order, to_visual_order


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("abc (def) 12", "abc (def) 12"),
        ("אבג", "אבג"),
        (".דהוז En אבג", "אבג En דהוז."),
        ("אבג 2025 דהו", "אבג 2025 דהו"),
        ("Latin with אבג in it", "Latin with אבג in it"),
        ("", ""),
    ],
)
def test_runs_of_a_right_to_left_line_are_in_reading_order(given, read):
    line = list(enumerate(given))
    assert "".join(char for _, char in to_reading_order(line)) == read
    assert sorted(to_reading_order(line)) == line


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("\u0628\u064a\u062a", "\ufe96\ufef4\ufe91"),  # final, medial and initial letter
        ("\u0644\u0627", "\ufefb"),  # lam with alef is one ligature
        ("\u0644\u064e\u0627", "\u064e\ufefb"),  # also with a vowel mark, which stays
        ("\u0627\u0644\u0644\u0647", "\ufeea\ufee0\ufedf\ufe8d"),  # no ligature of a whole word
        ("\u05d0(\u05d1)", "(\u05d1)\u05d0"),
    ],
)
def test_letters_are_joined_in_visual_order(text, drawn):
    assert to_visual_order(text, paragraph_is_rtl=True) == drawn
