"""Claims judged true or false, and alterations that make true ones false."""

import gzip
import json
import random

import pytest

from training.claims.alterations import ALTERATIONS, restate_sentence
from training.claims.judged_claims import read_judged_claims, remove_spans

pytestmark = pytest.mark.integrations

CONTEXT = "Mr Brown sold {n} boats to Anna Smith in {y}. It rained all day on the quay, which was new. He went to Leeds in May."


@pytest.fixture
def data(tmp_path):
    wice, fm2 = [], []
    for n in range(12):
        context = CONTEXT.format(n=n + 2, y=1900 + n)
        claim = f"Mr Brown sold {n + 2} boats in {1900 + n} to Anna Smith for gold."
        wice.append(
            {
                "context": context,
                "answer": claim,
                "labels": [{"start": claim.index(" for"), "end": len(claim) - 1, "kind": "unsupported"}],
            }
        )
        for kind, town in (("supported", "Leeds"), ("contradicted", "York")):
            text = f"Mr Brown went to {town}."
            fm2.append(
                {
                    "context": context,
                    "answer": text,
                    "group": f"d{n}",
                    "labels": [{"start": 0, "end": len(text), "kind": kind}],
                }
            )
    for name, rows in (("wice_tokens", wice), ("fm2_claims", fm2)):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
            out.write("\n".join(map(json.dumps, rows)))
    return tmp_path


def test_claims_are_read_whole_and_without_their_wrong_words(data):
    judged = read_judged_claims(data)
    first, second = judged[:2]
    assert (first.holds, [first.text[a:b] for a, b in first.wrong]) == (False, [" for gold"])
    assert (second.holds, second.text) == (True, "Mr Brown sold 2 boats in 1900 to Anna Smith.")
    assert {claim.kind for claim in judged} >= {"true", "partly", "contradicted", "number", "date", "name", "negation"}
    assert read_judged_claims(data) == judged


def test_page_is_either_fitted_on_or_measured(data):
    measured_of_group = {}
    for claim in read_judged_claims(data):
        measured_of_group.setdefault(claim.group, set()).add(claim.measured)
    assert all(len(values) == 1 for values in measured_of_group.values())


@pytest.mark.parametrize(("kind", "removed"), [("number", "7"), ("date", "1907"), ("name", "Anna Smith")])
def test_alteration_changes_one_thing_and_returns_its_span(kind, removed):
    claim = "He sold 7 boats to Anna Smith in 1907."
    text, ((start, end),) = ALTERATIONS[kind](random.Random(1), claim, claim)
    assert (text[:start], text[end:]) == (claim[:start], claim[start + len(removed) :])
    assert claim[start : start + len(removed)] == removed != text[start:end]


def test_negation_is_added_or_removed():
    assert ALTERATIONS["negation"](random.Random(1), "It is new.", "")[0] == "It is not new."
    assert ALTERATIONS["negation"](random.Random(1), "It is not new.", "")[0] == "It is new."


def test_restated_sentence_may_lack_its_aside():
    context = "The old stone quay, which was built long before the war, is visited by many ships each day."
    restated_texts = {restate_sentence(random.Random(n), context) for n in range(20)}
    assert {"which was built" in text for text in restated_texts} == {True, False}
    assert all(text.startswith("The old stone quay") and text.endswith("each day.") for text in restated_texts)


def test_spans_are_removed_cleanly():
    assert remove_spans("It rained, in May, a lot .", ((9, 17),)) == "It rained, a lot."
