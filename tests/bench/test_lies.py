"""The lies that are told to the whole service: well formed, and a few of each trick told here."""

from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

from bench.answers.lies import BREAK_OFF, INVENTED, build_rows, find_document, read_lies, tell_lies

LIES = read_lies()
PER_TRICK = 1


def test_every_kind_and_trick_has_several_lies_and_each_language():
    false_claims = [(lie, claim) for lie in LIES for claim in lie.claims if not claim.holds]
    assert len(false_claims) >= 300
    assert min(Counter(claim.kind for _, claim in false_claims).values()) >= 8
    assert min(Counter(lie.trick for lie in LIES).values()) >= 8
    assert {lie.languages[0] for lie in LIES} == {"en", "zh-Hant", "zh-Hans"}
    assert sum(lie.languages[0][:2] != lie.languages[1][:2] for lie in LIES) >= 60


@pytest.mark.parametrize("name", sorted({name for lie in LIES for name in lie.documents}))
def test_every_document_exists(name):
    assert find_document(name).is_file()


def test_half_streams_alone_break_off():
    assert {lie.trick for lie in LIES if BREAK_OFF in lie.answer} == {"half_stream"}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory) -> list:
    """What becomes of a few lies of each trick, and of some true answers."""
    by_trick = groupby(sorted(LIES, key=lambda lie: (lie.trick, lie.is_true, lie.id)), key=lambda lie: lie.trick)
    chosen = [lie for _, lies in by_trick for lie in list(lies)[:PER_TRICK]]
    chosen += [lie for lie in LIES if lie.is_true and lie.trick == "plain"][:6]
    return list(tell_lies(Path(tmp_path_factory.mktemp("lies")), chosen))


def test_what_was_invented_gets_no_link_and_no_tick(outcomes):
    invented = [outcome for outcome in outcomes if outcome.lie.trick in INVENTED and not outcome.lie.is_true]
    assert len(invented) >= len(INVENTED)
    assert not any(outcome.wrong_links or any(outcome.ticked) or outcome.added_citations for outcome in invented)


def test_most_lies_get_no_tick_and_some_truths_do(outcomes):
    ticks = {
        holds: [
            tick
            for outcome in outcomes
            for claim, tick in zip(outcome.lie.claims, outcome.ticked, strict=True)
            if claim.holds == holds
        ]
        for holds in (False, True)
    }
    assert sum(ticks[False]) / len(ticks[False]) < sum(ticks[True]) / len(ticks[True])


def test_table_has_a_row_for_each_trick_and_language(outcomes):
    names = [row.measurement for row in build_rows(outcomes)]
    assert sum(", trick " in name for name in names) == len({outcome.lie.trick for outcome in outcomes})
    assert any("citations of ours" in name for name in names)
