"""Quotes whose numbers the text writes in another form."""

from __future__ import annotations

import pytest

from highlighter.quotes.matcher import find_closest_match, match_quote
from highlighter.quotes.normal_form import ComparableText
from highlighter.quotes.numeral_search import find_numeral_spans

TEXT = """\
The Client pays the Contractor fifty thousand euros within thirty (30) days of the notice of 5 March 2024.
The interest on late payments is 5 per cent a year, and at most €1.2 million. Clause 5.10 applies from 31 December.

租客須於三十天內繳付一萬元，並須於二零二四年三月五日前，即十二月三十一日之後，通知業主。利率為百分之五。合同自2024年6月1日起生效，為期15天。
"""


@pytest.mark.parametrize(
    ("quote", "matched"),
    [
        ("The Client pays the Contractor 50,000 euros within 30 days", "The Client pays the Contractor fifty thousand euros within thirty (30) days"),
        ("pays the Contractor €50,000 within thirty days", "pays the Contractor fifty thousand euros within thirty (30) days"),
        ("the notice of March 5, 2024", "the notice of 5 March 2024"),
        ("interest on late payments is 5% a year", "interest on late payments is 5 per cent a year"),
        ("interest on late payments is five percent a year, and at most 1,200,000 euros", "interest on late payments is 5 per cent a year, and at most €1.2 million"),
        ("租客須於30天內繳付10,000元", "租客須於三十天內繳付一萬元"),
        ("租客须于３０天内缴付１００００元", "租客須於三十天內繳付一萬元"),
        ("並須於2024年3月5日前，即12月31日之後", "並須於二零二四年三月五日前，即十二月三十一日之後"),
        ("利率為5%", "利率為百分之五"),
        ("合同自二〇二四年六月一日起生效，為期十五天", "合同自2024年6月1日起生效，為期15天"),
    ],
)  # fmt: skip
def test_other_form_of_a_number_is_a_normalised_match(quote, matched):
    match = match_quote(TEXT, quote)
    assert match
    assert (match.tier, TEXT[match.start : match.end]) == ("normalised", matched)


@pytest.mark.parametrize(
    "quote",
    [
        "The Client pays the Contractor 15,000 euros within 30 days",
        "The Client pays the Contractor 50,000 pounds within 30 days",
        "interest on late payments is 15% a year, and at most 1,200,000 euros",
        "Clause 5.1 applies from December 31",
        "租客須於十三天內繳付一萬元",
        "並須於2024年3月6日前，即12月31日之後，通知業主",
        "合同自二〇二四年六月一日起生效，為期五天",
    ],
)
def test_other_number_is_no_match_in_any_form(quote):
    match = find_closest_match(TEXT, quote)
    assert match is None or (match.tier, match.reason) == ("none", "number")


def test_typing_errors_beside_another_form_of_a_number_are_a_fuzzy_match():
    match = match_quote(TEXT, "The Client pays teh Contractor 50,000 euros within thirty (30) days of the notise")
    assert match.tier == "fuzzy"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("租客須於三十天內向業主繳付租金及按金。", "租客須於30日內向業主繳付租按金"),
        ("租客須於三十日內向業主繳付租金及按金。", "租客須於30日內向業主繳付租金和按金費"),
        ("乙方應於二〇二四年三月五日前完成全部工程並通知監理。", "乙方應於2024年3月5日前完成全部的工程並知會監理"),
        ("The tenant pays the landlord within thirty (30) days of receipt of the notice.", "The tenant pays the landlord within 30 calendar days of receipt of notice"),
    ],
)  # fmt: skip
def test_other_form_of_a_number_beside_another_difference_is_a_fuzzy_match(text, quote):
    assert match_quote(text, quote).tier == "fuzzy"


@pytest.mark.parametrize(
    ("text", "quote", "in_text", "in_quote"),
    [
        ("租客須於三十日內向業主繳付租金及按金。", "租客須於60日內向業主繳付租金和按金", "三十", "60"),
        ("The Client pays the Contractor 5,000 pounds for each day of delay.", "The Client pays the Contractor 5,000 euros for each day of delay", "5,000 pounds", "5,000 euros"),
        ("Le client règle la facture dans les sept jours suivant la réception.", "Le client règle la facture dans les six jours suivant la réception", "sept", "six"),
        ("利率按年計為百分之五，由付款日起計算。", "利率按年計為百分之十五，由付款日起計算", "百分之五", "百分之十五"),
    ],
)  # fmt: skip
def test_other_number_is_named_whole(text, quote, in_text, in_quote):
    near_miss = find_closest_match(text, quote)
    assert (near_miss.tier, near_miss.reason) == ("none", "number")
    assert f"“{in_text}”" in near_miss.why
    assert f"“{in_quote}”" in near_miss.why


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("يدفع العميل قيمة الفاتورة خلال ٣٠ يوما من تاريخ الاستلام.", "يدفع العميل قيمة الفاتورة خلال 30 يوما"),
        ("مشتری ظرف ۳۰ روز مبلغ صورتحساب را پرداخت می‌کند.", "مشتری ظرف 30 روز مبلغ صورتحساب"),
        ("ग्राहक ३० दिनों के भीतर बिल का भुगतान करेगा।", "ग्राहक 30 दिनों के भीतर बिल का भुगतान"),
        ("The buyer pays within ３０ days of the notice.", "The buyer pays within 30 days of the notice"),
        ("ผู้เช่าต้องชำระค่าเช่าภายใน ๓๐ วัน", "ผู้เช่าต้องชำระค่าเช่าภายใน 30 วัน"),
        ("نسبة الفائدة ٠٫٥٪ سنويا على المبلغ المتأخر.", "نسبة الفائدة 0.5% سنويا على المبلغ"),
        ("Der Auftraggeber zahlt binnen dreißig Tagen nach Zugang.", "Der Auftraggeber zahlt binnen 30 Tagen nach Zugang"),
        ("El cliente paga en un plazo de treinta días desde el aviso.", "El cliente paga en un plazo de 30 días desde el aviso"),
        ("甲方應於民國113年3月5日前完成登記並公告。", "甲方應於2024年3月5日前完成登記並公告"),
        ("出席者須達全體委員三分之二方可開會。", "出席者須達全體委員三分之二方可開會"),
        ("租金為新臺幣三萬元，每月首日繳付予業主。", "租金為NT$30,000，每月首日繳付予業主"),
        ("租金為HK$500，每月首日繳付予業主。", "租金為港幣五百元，每月首日繳付予業主"),
        ("業主應於六個月內將鎖匙交還給住客。", "業主應於半年內將鎖匙交還給住客"),
    ],
)  # fmt: skip
def test_native_digits_and_number_words_match(text, quote):
    assert match_quote(text, quote).tier in ("exact", "normalised")


def test_every_occurrence_in_another_form_is_found_in_order():
    text = "Within thirty days. Within 30 days. Within 130 days. Within 30.5 days. WITHIN THIRTY (30) DAYS."
    spans = find_numeral_spans(ComparableText(text), "within 30 days")
    assert [text[start:end] for start, end in spans] == [
        "Within thirty days",
        "Within 30 days",
        "WITHIN THIRTY (30) DAYS",
    ]
