"""Numbers in their forms: the same number has one form, another number has another."""

from __future__ import annotations

import pytest

from highlighter.text.numeral_forms import list_number_forms, write_chinese_numeral, write_number_words
from highlighter.text.numerals import find_quantities, parse_chinese_numeral, parse_number
from tests.properties import given, settings, st

SAME = {
    "30d": ["三十天", "30 days", "30天", "thirty days", "thirty (30) days", "30-day", "３０天", "卅天", "30 Tage", "30 jours"],
    "2024y3m5d": ["二零二四年三月五日", "二〇二四年三月五日", "2024年3月5日", "5 March 2024", "March 5, 2024", "5th of March, 2024",
                  "2024-03-05", "2024/3/5", "5. März 2024", "5 mars 2024", "5.3.2024"],
    "12m31d": ["十二月三十一日", "12月31日", "31 December", "Dec 31"],
    "5%": ["百分之五", "5 %", "5%", "5 per cent", "five percent", "5 Prozent", "5％"],
    "10000元": ["一萬元", "1万元", "10,000 元", "10000元", "壹萬圓"],
    "50000": ["fifty thousand", "50,000", "50'000", "50 thousand", "五万"],
    "1200000€": ["€1.2 million", "1,200,000 euros", "1.200.000 Euro", "€ 1.200.000", "120万欧元", "1,2 Mio Euro"],
    "1234.56": ["1,234.56", "1.234,56", "1234.56"],
    "105": ["one hundred and five", "一百零五", "105"],
    "2d": ["两天", "二天", "兩天", "two days"],
}  # fmt: skip


@pytest.mark.parametrize(("form", "text"), [(form, text) for form, texts in SAME.items() for text in texts])
def test_spellings_of_a_number_have_one_form(form, text):
    (quantity,) = find_quantities(f"于{text}内" if text[0] > "\u3000" else f"in {text} it")
    assert quantity.form == form


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("NEC4 and 5.10 and one or two", ["5.10", "1", "2"]),
        ("on 14 days and 5,000 pounds", ["14d", "5000£"]),
        ("der Preis und die Gebühr der Firma ist 1.200 Euro", ["1200€"]),
        ("the price is 1.200 euros", ["1.200€"]),
        ("it may not; 99 May flowers", ["99"]),
        ("", []),
    ],
)
def test_other_numbers_and_words_keep_apart(text, forms):
    assert [quantity.form for quantity in find_quantities(text)] == forms


@pytest.mark.parametrize("text", ["", "十足", "abc", "一" * 31])
def test_other_text_is_no_chinese_numeral(text):
    assert parse_chinese_numeral(text) is None


@given(st.integers(0, 10**11))
@settings(max_examples=200)
def test_written_number_is_read_again(number):
    assert parse_chinese_numeral(write_chinese_numeral(number)) == number
    assert str(number) in list_number_forms(str(number))


@given(st.integers(1, 10**6))
@settings(max_examples=100)
def test_number_words_are_read_again(number):
    words = write_number_words(number)
    for word in ("hundred", "thousand", "million", "and", "ty"):
        words = words.replace(word, f" {word} ").replace(" ty ", "ty ").replace("thous and ", "thousand ")
    assert parse_number(" ".join(words.split())) == str(number)


@given(st.text("0123456789.,'% 一二十百千万亿百分之点年月日 onefivehundred€$", max_size=30))
@settings(max_examples=300)
def test_spans_of_quantities_are_in_order(text):
    spans = [(quantity.start, quantity.end) for quantity in find_quantities(text)]
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(start < end <= len(text) for start, end in spans)
