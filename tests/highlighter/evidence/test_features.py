"""The features of a passage's sentences."""

import numpy as np
import pytest

from highlighter.evidence.features import (
    FEATURE_NAMES,
    KIND_NAME,
    KIND_NUMBER,
    KIND_REASON,
    KIND_TIME,
    compute_features,
    detect_expected_kind,
    has_expected_kind,
)
from tests.properties import given, settings, st

NOTICE = (
    "The tenant pays the rent on the first day of each month.",
    "Either party may end the lease by 60 days' written notice.",
    "Pets are not allowed.",
)


def compute_column(name, question, texts, similarities=None):
    similarities = np.full(len(texts), 0.5) if similarities is None else np.array(similarities)
    return compute_features(question, texts, similarities)[:, FEATURE_NAMES.index(name)].tolist()


def test_features_count_shared_and_differing_numbers():
    assert compute_column("numbers_shared", "Is notice 60 days?", NOTICE) == [0, 1, 0]
    assert compute_column("numbers_differ", "Is notice 30 days?", NOTICE) == [0, 1, 0]


def test_features_count_shared_and_missing_names():
    texts = ["It was Ada Lovelace who wrote it.", "It was written in 1843."]
    assert compute_column("names_shared", "What did Ada Lovelace write?", texts) == [1, 0]
    assert compute_column("names_missing", "What did Ada Lovelace write?", texts) == [0, 1]


def test_negation_on_one_side_only_is_a_feature():
    assert compute_column("negation_differs", "Are pets allowed?", NOTICE) == [0, 0, 1]
    assert compute_column("negation_differs", "哪些情况不予赔偿？", ["不予赔偿。", "予以赔偿。"]) == [0, 1]


def test_similarity_is_compared_with_the_best_of_the_passage():
    assert compute_column("below_best_similarity", "?", NOTICE, [0.2, 0.7, 0.1]) == pytest.approx(
        [-0.5, 0, -0.6], abs=1e-6
    )


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When does the lease end?", KIND_TIME),
        ("How many days of notice?", KIND_NUMBER),
        ("Who signs?", KIND_NAME),
        ("Why was it cancelled?", KIND_REASON),
        ("合同什么时候终止？", KIND_TIME),
        ("一共有多少人？", KIND_NUMBER),
        ("Wer haftet?", KIND_NAME),
        ("Какие условия?", None),
        ("Describe the terms", None),
    ],
)
def test_expected_kind_of_answer_is_detected(question, kind):
    assert detect_expected_kind(question) == kind


def test_words_of_the_question_are_not_the_expected_kind():
    assert not has_expected_kind(KIND_TIME, "In 1999 it was sold.", "What happened after 1999?")
    assert has_expected_kind(KIND_TIME, "In 2004 it was sold.", "What happened after 1999?")


@settings(max_examples=50)
@given(st.text(), st.lists(st.text(), min_size=1, max_size=8))
def test_every_text_has_finite_features(question, texts):
    assert np.isfinite(compute_features(question, texts, np.zeros(len(texts)))).all()
