"""Two long texts that mostly say the same."""

from __future__ import annotations

import itertools

from ingest.typeset.text_alignment import TextAlignment, fold_with_offsets
from tests.properties import given, st

ONE = "thecontractorkeepsonepersononthesitewhocanspeakforit"
TWO = "theferryleavestheislandatseventhirtyinthemorningofeachday"
THREE = "nobodypaysfordelaysthatthewindorthetidehascausedtothem"
NOTE = "[1]thisisanotethatstandsatthefootofthefirstpage."


def pairing(parts: list[str], right: str) -> TextAlignment:
    ends = list(itertools.accumulate(map(len, parts)))
    return TextAlignment("".join(parts), right, list(zip([0, *ends], ends, strict=False)))


def found(one: TextAlignment, right: str) -> str:
    return "".join(right[at] if at >= 0 else "_" for at in one.partner)


def test_equal_texts_pair_one_by_one():
    assert pairing([ONE, TWO], ONE + TWO).partner.tolist() == list(range(len(ONE + TWO)))


def test_what_stands_between_on_the_page_is_left_out():
    right = ONE + "p.7annualreport" + TWO[:20] + "p.8annualreport" + TWO[20:]
    assert found(pairing([ONE, TWO], right), right) == ONE + TWO


def test_a_note_is_found_at_the_foot_of_an_earlier_page():
    right = ONE + NOTE.replace("[1]", "1") + TWO + THREE
    one = pairing([ONE, TWO, THREE, NOTE], right)
    assert found(one, right) == ONE + TWO + THREE + NOTE.replace("[1]", "_1_")
    assert one.unit_shares == [1, 1, 1, 1]


def test_the_rest_of_a_cell_is_found_behind_the_next_cell():
    right = ONE + TWO[:30] + "yes" + TWO[30:] + THREE
    assert found(pairing([ONE, TWO, "yes", THREE], right), right) == ONE + TWO + "yes" + THREE


def test_two_paragraphs_that_changed_places_are_both_found():
    right = TWO + THREE + ONE
    assert found(pairing([ONE, TWO, THREE], right), right) == ONE + TWO + THREE


def test_what_is_not_there_is_not_found_by_its_letters():
    right = ONE + THREE
    one = pairing([ONE, TWO, THREE], right)
    assert found(one, right) == ONE + "_" * len(TWO) + THREE
    assert one.unit_shares == [1, 0, 1]


def test_words_that_come_again_and_again_are_told_apart_by_what_stands_around_them():
    right = "yes" + ONE + "no" + TWO + "yes" + THREE + "yes"
    one = pairing(["yes", ONE, "no", TWO, "yes", THREE, "yes"], right)
    assert one.partner.tolist() == list(range(len(right)))


def test_letter_case_bullets_and_ligatures_are_no_difference():
    assert [fold_with_offsets(text)[0] for text in ("ABC", "▪", "\uf0b7", "oﬁ", "a\ufffe")] == [
        "abc",
        "•",
        "•",
        "ofi",
        "a-",
    ]
    assert fold_with_offsets("oﬁx")[1].tolist() == [0, 1, 1, 2]


@given(st.lists(st.text("abc.", min_size=1, max_size=30), max_size=6), st.text("abc.", max_size=90))
def test_each_character_of_the_page_is_used_once_and_only_for_its_like(parts, right):
    one = pairing(parts, right)
    used = [at for at in one.partner.tolist() if at >= 0]
    assert len(used) == len(set(used))
    assert all(right[at] == char for char, at in zip("".join(parts), one.partner.tolist(), strict=True) if at >= 0)
