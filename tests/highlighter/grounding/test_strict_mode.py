"""Strict mode: every claim ends with (exact quote) [[label]], and the quoted source supports it."""

import pytest

from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.checker import Checker
from highlighter.grounding.judge import Opinion
from highlighter.grounding.strict_mode import find_grounded_quotes, list_grounding_errors
from highlighter.models import Source

SOURCES = [
    Source("c.pdf", label="C", text="The Contractor pays delay damages of £4,200 (four thousand two hundred pounds). It shall not work at night."),
    Source("d.pdf", label="Annex D, p.2", text="The Engineer replies within a week."),
    Source("s.pdf", label="Sale", text="The Seller pays within 28 days."),
    Source("r.pdf", label="Returns", text="The Buyer may return the goods within a week, unless they were opened."),
    Source("z.pdf", label="合約", text="賣方須於28日內付款，除非買方違約。租客可以飼養寵物。"),
]  # fmt: skip


@pytest.fixture(scope="module")
def checker(embedder, tmp_path_factory):
    calibration = load_calibration(embedder.name, tmp_path_factory.mktemp("none"))
    return Checker(embedder, EvidenceScorer(calibration, JointScorer()))


@pytest.mark.parametrize(
    "text",
    [
        "It owes delay damages of £4,200 (pays delay damages of £4,200) [[C]]. It must not work at night (shall not work at night) [[C]].",
        "It owes delay damages of £4,200. (pays delay damages of £4,200) [[C]] It must not work at night. (shall not work at night) [[C]]",
        "It pays delay damages of £4,200 (delay damages of £4,200 (four thousand two hundred pounds)) [[c]].",
        "The Engineer answers within a week (The Engineer replies within a week) [[Annex D, p.2]] [[C]].",
        "The Seller pays within 28 days (The Seller pays within 28 days) [[Sale]].",
        "No relevant sources found.",
    ],
)
def test_grounded_answer_has_no_errors(checker, text):
    assert list_grounding_errors(text, SOURCES, checker) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is empty"),
        ("Delay costs £4,200.", "does not end with"),
        ("Delay costs £4,200 [[C]].", "does not end with"),
        ("Delay costs £4,200 (pays delay damages of £4,200) [[C]]. Night work is barred.", "“Night work is barred.” does not end"),
        ("Delay costs £4,300 (pays delay damages of £4,300) [[C]].", "£4,300"),
        ("Night work is fine (shall work at night) [[C]].", "not"),
        ("Delay costs money (pays delay damages) [[E]].", "Unknown source [[E]]."),
        ("Delay costs money () [[C]].", "is empty"),
        ("A reply takes a week (The Engineer replies within a week) [[C]].", "is not in [[C]]"),
        ("The Buyer pays at once. (The Seller pays within 28 days) [[Sale]]", "“The Buyer pays at once.” is "),
        ("The Buyer pays at once (The Seller pays within 28 days) [[Sale]].", "“The Buyer pays at once.” is "),
        ("The Seller pays within 14 days (The Seller pays within 28 days) [[Sale]].", "is contradicted by the quoted source: "),
        ("The Engineer replies within a week (The Seller pays within 28 days) [[Sale]].", "by the quoted source"),
        ("The Buyer may return the goods within a week (The Buyer may return the goods within a week) [[Returns]].",
         "leaves out “unless they were opened”, which stands in the same sentence of [[Returns]]."),
        ("賣方須於28日內付款（賣方須於28日內付款）[[合約]]。", "leaves out “除非買方違約”"),
    ],
)  # fmt: skip
def test_ungrounded_answer_has_an_error(checker, text, expected):
    assert any(expected in error for error in list_grounding_errors(text, SOURCES, checker))


def test_every_ungrounded_claim_has_an_error(checker):
    assert len(list_grounding_errors("Delay costs £4,200. Night work is barred.", SOURCES, checker)) == 2


@pytest.mark.parametrize(
    ("verdict", "words"), [("partly", "only in part"), ("contradicted", "contradicted"), ("supported", "")]
)
def test_external_judge_decides_on_claim_without_its_quote(checker, verdict, words):
    judged = []

    def judge(claim, sentences):
        judged.append(claim)
        return Opinion(verdict, "The judge says so.")

    text = "The Seller pays within 28 days (The Seller pays within 28 days) [[Sale]]."
    errors = list_grounding_errors(text, SOURCES, checker, judge)
    assert judged == ["The Seller pays within 28 days."]
    assert all(words in error and error.endswith(": The judge says so.") for error in errors)
    assert bool(errors) == bool(words)


def test_grounded_quote_has_its_span():
    text = "Delay costs (a (b) c) [[C]] [[D]] more."
    (quote,) = find_grounded_quotes(text)
    assert (quote.quote, quote.labels, text[quote.start : quote.end]) == (
        "a (b) c",
        ("C", "D"),
        "(a (b) c) [[C]] [[D]]",
    )
