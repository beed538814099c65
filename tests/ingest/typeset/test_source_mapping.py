"""Two versions of one text are aligned character by character."""

from __future__ import annotations

import itertools

from ingest.typeset.source_mapping import align_characters
from tests.properties import given, st


def align(wanted: str, found: str) -> list[tuple[int, int]]:
    left, right = align_characters(wanted, found)
    return list(zip(left.tolist(), right.tolist(), strict=True))


def test_equal_texts_are_paired_and_the_rest_is_left_out():
    assert align("abc", "abc1/2") == [(0, 0), (1, 1), (2, 2)]


def test_text_between_matches_is_skipped_on_either_side():
    assert align("abcd", "abXcd") == [(0, 0), (1, 1), (2, 3), (3, 4)]
    assert align("abXcd", "abcd") == [(0, 0), (1, 1), (3, 2), (4, 3)]


def test_hyphen_at_a_line_end_matches_every_code_for_a_hyphen():
    assert align("a-b", "a\x02b") == align("a-b", "a\ufffeb") == [(0, 0), (1, 1), (2, 2)]


def test_a_ligature_pairs_with_each_of_its_letters():
    assert align("oﬁx", "ofixy") == [(0, 0), (1, 1), (1, 2), (2, 3)]
    assert align("ofix", "oﬁx") == [(0, 0), (1, 1), (2, 1), (3, 2)]


def test_different_character_between_matches_is_paired():
    assert align("a😀b", "a\u1f60b") == [(0, 0), (1, 1), (2, 2)]


@given(st.text(max_size=60), st.text(max_size=60))
def test_pairs_never_go_backwards(wanted, found):
    both = align(wanted, found)
    assert all(one[0] <= two[0] and one[1] <= two[1] for one, two in itertools.pairwise(both))
    assert all(left < len(wanted) and right < len(found) for left, right in both)
