"""Lines that stand from left to right on paper are put in the order in which they are read."""

import pytest

from ingest.readers.pdf.bidi_order import MIRRORED, count_matched_brackets, order_visual_line


def read_line(visual, is_rtl):
    order, are_rtl = order_visual_line(list(visual), is_rtl)
    return "".join(MIRRORED.get(visual[i], visual[i]) if are_rtl[i] else visual[i] for i in order)


@pytest.mark.parametrize(
    ("visual", "is_rtl", "logical"),
    [
        ("םולש", True, "שלום"),
        ("םלוע םולש", True, "שלום עולם"),
        ("2024 רבוטקוא 7", True, "7 אוקטובר 2024"),
        ('ח"ש 4,800 םולשת', True, 'תשלום 4,800 ש"ח'),
        ("3.5% תיביר", True, "ריבית 3.5%"),
        ("%2.5 ةبسن", True, "نسبة 2.5%"),  # digits after Arabic letters do not bind the sign
        ("ףוס PDF file ץבוק", True, "קובץ PDF file סוף"),
        (".(ב)7 ףיעס", True, "סעיף 7(ב)."),
        ("the word םולש means peace", False, "the word שלום means peace"),
        ("plain (12)", False, "plain (12)"),
        ("", True, ""),
    ],
)
def test_visual_line_is_read_in_order(visual, is_rtl, logical):
    assert read_line(visual, is_rtl) == logical


@pytest.mark.parametrize(("text", "balance"), [("()", 2), (")(", -2), ("([])", 4), ("(]", -2), ("", 0)])
def test_brackets_with_partner_count_for_and_others_against(text, balance):
    assert count_matched_brackets(text) == balance
