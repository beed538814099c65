"""Two readings of one text, character by character."""

from __future__ import annotations

import itertools

from ingest.typeset.source_mapping import align_characters
from tests.properties import given, st


def pairs(wanted: str, found: str) -> list[tuple[int, int]]:
    left, right = align_characters(wanted, found)
    return list(zip(left.tolist(), right.tolist(), strict=True))


def test_equal_texts_pair_one_by_one_and_what_follows_is_left_out():
    assert pairs("abc", "abc1/2") == [(0, 0), (1, 1), (2, 2)]


def test_what_stands_between_is_skipped_on_either_side():
    assert pairs("abcd", "abXcd") == [(0, 0), (1, 1), (2, 3), (3, 4)]
    assert pairs("abXcd", "abcd") == [(0, 0), (1, 1), (3, 2), (4, 3)]


def test_a_hyphen_at_a_line_end_is_a_hyphen_whatever_the_page_calls_it():
    assert pairs("a-b", "a\x02b") == pairs("a-b", "a\ufffeb") == [(0, 0), (1, 1), (2, 2)]


def test_a_ligature_pairs_with_each_of_its_letters():
    assert pairs("oﬁx", "ofixy") == [(0, 0), (1, 1), (1, 2), (2, 3)]
    assert pairs("ofix", "oﬁx") == [(0, 0), (1, 1), (2, 1), (3, 2)]


def test_another_character_in_a_known_place_is_paired():
    assert pairs("a😀b", "a\u1f60b") == [(0, 0), (1, 1), (2, 2)]


@given(st.text(max_size=60), st.text(max_size=60))
def test_pairs_never_go_backwards(wanted, found):
    both = pairs(wanted, found)
    assert all(one[0] <= two[0] and one[1] <= two[1] for one, two in itertools.pairwise(both))
    assert all(left < len(wanted) and right < len(found) for left, right in both)
