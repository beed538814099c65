"""Arabic and Hebrew lines in visual order, and lines as PDFium returns them in reading order."""

from __future__ import annotations

import pytest

from ingest.typeset.bidi import arrange_line, to_reading_order, to_visual_order


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


# Each string is what UAX #9 shows from left to right, as the reference implementations and browsers do.
@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("אבג 12:30, 3-4 דה.", ".הד 3-4 ,12:30 גבא"),
        ("אבג 50% דה", "הד 50% גבא"),
        ("אבג $25.50 דה", "הד $25.50 גבא"),
        ("אבג 1/2/2025 עד 3/4", "3/4 דע 1/2/2025 גבא"),
        ("אבג 02-123-4567", "02-123-4567 גבא"),
        ("אבג (NEC4) דה", "הד (NEC4) גבא"),
        ("אבג 3(א) דה", "הד (א)3 גבא"),
        ("אבג a.b@c.org (ד)", "(ד) a.b@c.org גבא"),
        ("NEC4 (אב) 7%", "7% (בא) NEC4"),
        ("אב ١٢-١٣ גד", "דג ١٣-١٢ בא"),
        ("אב 12 ", " 12 בא"),
        ("12:30", "12:30"),
    ],
)
def test_numbers_signs_and_brackets_stand_as_unicode_demands(text, drawn):
    assert arrange_line(text, paragraph_is_rtl=True).shown == drawn


@pytest.mark.parametrize(
    ("text", "drawn"), [("page 3 (אב 50%) end.", "page 3 (50% בא) end."), ("אב, 12", "12 ,בא"), ("a אב", "a בא")]
)
def test_right_to_left_words_in_left_to_right_line(text, drawn):
    assert to_visual_order(text, paragraph_is_rtl=False) == drawn


def test_each_character_is_drawn_once():
    line = arrange_line("המחיר (NEC4) עלה ב-50%, 3-4 [ב]. السعر ١٢٪ لا", paragraph_is_rtl=True)
    assert sorted(line.order) == list(range(len(line.joined)))
    assert len(line.shown) == len(line.joined)
