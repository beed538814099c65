"""Two long texts that mostly agree are aligned."""

from __future__ import annotations

import itertools

from ingest.typeset.text_alignment import TextAlignment, fold_with_offsets
from tests.properties import given, st

ONE = "thecontractorkeepsonepersononthesitewhocanspeakforit"
TWO = "theferryleavestheislandatseventhirtyinthemorningofeachday"
THREE = "nobodypaysfordelaysthatthewindorthetidehascausedtothem"
NOTE = "[1]thisisanotethatstandsatthefootofthefirstpage."


def align(parts: list[str], right: str) -> TextAlignment:
    ends = list(itertools.accumulate(map(len, parts)))
    return TextAlignment("".join(parts), right, list(zip([0, *ends], ends, strict=False)))


def format_matches(alignment: TextAlignment, right: str) -> str:
    return "".join(right[at] if at >= 0 else "_" for at in alignment.partner)


def test_equal_texts_are_paired():
    assert align([ONE, TWO], ONE + TWO).partner.tolist() == list(range(len(ONE + TWO)))


def test_other_text_on_the_page_is_left_out():
    right = ONE + "p.7annualreport" + TWO[:20] + "p.8annualreport" + TWO[20:]
    assert format_matches(align([ONE, TWO], right), right) == ONE + TWO


def test_a_note_is_found_at_the_foot_of_an_earlier_page():
    right = ONE + NOTE.replace("[1]", "1") + TWO + THREE
    alignment = align([ONE, TWO, THREE, NOTE], right)
    assert format_matches(alignment, right) == ONE + TWO + THREE + NOTE.replace("[1]", "_1_")
    assert alignment.unit_shares == [1, 1, 1, 1]


def test_rest_of_a_cell_is_found_after_the_next_cell():
    right = ONE + TWO[:30] + "yes" + TWO[30:] + THREE
    assert format_matches(align([ONE, TWO, "yes", THREE], right), right) == ONE + TWO + "yes" + THREE


def test_two_paragraphs_that_changed_places_are_both_found():
    right = TWO + THREE + ONE
    assert format_matches(align([ONE, TWO, THREE], right), right) == ONE + TWO + THREE


def test_missing_text_is_not_matched_letter_by_letter():
    right = ONE + THREE
    alignment = align([ONE, TWO, THREE], right)
    assert format_matches(alignment, right) == ONE + "_" * len(TWO) + THREE
    assert alignment.unit_shares == [1, 0, 1]


def test_repeated_words_are_matched_by_their_context():
    right = "yes" + ONE + "no" + TWO + "yes" + THREE + "yes"
    alignment = align(["yes", ONE, "no", TWO, "yes", THREE, "yes"], right)
    assert alignment.partner.tolist() == list(range(len(right)))


def test_letter_case_bullets_and_ligatures_make_no_difference():
    assert [fold_with_offsets(text)[0] for text in ("ABC", "▪", "\uf0b7", "oﬁ", "a\ufffe")] == [
        "abc",
        "•",
        "•",
        "ofi",
        "a-",
    ]
    assert fold_with_offsets("oﬁx")[1].tolist() == [0, 1, 1, 2]


@given(st.lists(st.text("abc.", min_size=1, max_size=30), max_size=6), st.text("abc.", max_size=90))
def test_each_character_of_the_page_is_used_once_and_for_an_equal_character(parts, right):
    alignment = align(parts, right)
    used = [at for at in alignment.partner.tolist() if at >= 0]
    assert len(used) == len(set(used))
    assert all(
        right[at] == char for char, at in zip("".join(parts), alignment.partner.tolist(), strict=True) if at >= 0
    )
