"""The words in which a claim differs from a sentence."""

import pytest

from highlighter.grounding.differences import find_difference, find_missing_runs, join_spans, select_telling_runs
from highlighter.grounding.wording import parse_wording


@pytest.mark.parametrize(
    ("claim", "source", "why"),
    [
        ("The Buyer pays the Seller within a week.", "The Seller pays the Buyer within a week.", "“Seller … Buyer” where the claim says “Buyer … Seller”"),
        ("The request was approved by the board.", "The request was rejected by the board.", "“rejected” where the claim says “approved”"),
        ("The tenant pays the water bill.", "The landlord pays the water bill.", "“landlord” where the claim says “tenant”"),
        ("보증금은 2주 안에 반환된다.", "보증금은 14일 이내에 반환된다.", "“14일 이내에” where the claim says “2주 안에”"),
        ("甲方應支付運費。", "乙方應支付運費。", "“乙方” where the claim says “甲方”"),
    ],
)  # fmt: skip
def test_exchanged_words_are_named(claim, source, why):
    difference = find_difference(parse_wording(claim), parse_wording(source))
    assert difference.why == f"The source says {why}."
    assert len(difference.claim_spans) == len(difference.source_spans)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Pets are welcome.", "The lease ends on 31 May after five years."),
        ("The tenant pays the water bill.", "The tenant pays the water bill."),
        ("The tenant pays.", "The tenant pays the water bill."),
        ("", "The tenant pays."),
        # Words of Chinese are cut anywhere.
        ("住戶大會改到11月15日舉行。", "住戶大會因颱風改至11月15日召開。"),
        ("Ramipril wurde auf 2,5 mg reduziert.", "Ramipril 5 mg\t1\t0\t0\tbisher 2,5 mg"),
    ],
)
def test_nothing_is_named_where_the_wordings_cannot_be_compared(claim, source):
    assert find_difference(parse_wording(claim), parse_wording(source)) is None


@pytest.mark.parametrize(
    ("claim", "known", "named"),
    [
        ("Theft must be reported to the insurer.", "theft reported", "insurer"),
        ("A hotel may cost up to 210 euros per night.", "hotel cost up 210 euros night", ""),
        ("It is evacuated as soon as the wind rises.", "evacuated wind rises", ""),
        ("Le cercle aura lieu le 10 mars.", "le cercle lieu 10 mars", ""),
        ("Der Lesekreis findet am 10. März statt.", "der lesekreis am 10. März", ""),
        ("Nur wer vorsätzlich handelt, wird bestraft.", "wer vorsätzlich handelt wird bestraft", "Nur"),
        ("Il sindaco deve vietare l'accesso.", "il sindaco vietare accesso", "deve"),
        ("운영자가 30일 전에 알려야 한다.", "운영 30일 전에 알려야 한다", "운영자가"),
        ("年假可以顺延至次年年底。", "年假顺延至次年", ""),
        ("現在是每坪82元，之後調整為75元並由住戶繳。", "現在是每坪82元，之後75元", "之後調整為75元並由住戶繳"),
        ("年假须经公司同意。", "年假公司同意", "须经"),
    ],
)
def test_missing_words_are_named_whole_and_only_if_they_tell_something(claim, known, named):
    wording = parse_wording(claim)
    runs = select_telling_runs(wording, find_missing_runs(wording, parse_wording(known).keys))
    assert join_spans(claim, runs) == named
