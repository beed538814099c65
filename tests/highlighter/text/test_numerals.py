"""Numbers in their forms: the same number has one form, another number has another."""

from __future__ import annotations

import pytest

from highlighter.text.chinese_numerals import parse_chinese_numeral
from highlighter.text.numeral_forms import list_number_forms, write_chinese_numeral, write_number_words
from highlighter.text.numerals import find_quantities, parse_number
from tests.properties import given, settings, st

SAME = {
    "30d": ["三十天", "30 days", "30天", "thirty days", "thirty (30) days", "30-day", "３０天", "卅天", "30 Tage", "30 jours",
            "٣٠ days", "३० days", "๓๐ days", "۳۰ days", "३०天", "dreißig Tagen", "treinta días", "trente (30) jours", "trinta dias", "trenta giorni", "dertig dagen",
            "тридцати дней"],
    "2024y3m5d": ["二零二四年三月五日", "二〇二四年三月五日", "2024年3月5日", "5 March 2024", "March 5, 2024", "5th of March, 2024",
                  "2024-03-05", "2024/3/5", "5. März 2024", "5 mars 2024", "5.3.2024", "5 de marzo de 2024", "5 de março de 2024", "5 marzo 2024", "5 марта 2024",
                  "民國113年3月5日", "民國一百一十三年三月五日"],
    "2024y3m": ["2024年3月", "二零二四年三月", "March 2024", "März 2024", "marzo de 2024", "民國113年3月"],
    "2024y": ["2024年", "二〇二四年", "民國113年"],
    "12m31d": ["十二月三十一日", "12月31日", "31 December", "Dec 31"],
    "5%": ["百分之五", "5 %", "5%", "5 per cent", "five percent", "5 Prozent", "5％", "٥٪"],
    "0.5%": ["0.5%", "〇.5%", "零点五%", "٠٫٥٪"],
    "20%": ["两成", "兩成", "2成", "20%", "百分之二十"],
    "35%": ["三成五", "三成半", "35%"],
    "3‰": ["千分之三", "3‰"],
    "15pp": ["十五個百分點", "15 percentage points", "15 Prozentpunkte"],
    "2/3": ["三分之二", "two thirds", "two-thirds"],
    "1480000000€": ["1.48 billion euros", "1,48 Mrd Euro", "1,48 Milliarden Euro", "1.480 Mio Euro", "1,48 mil millones euros", "1,48 miliardi euro"],
    "30min": ["half an hour", "halbe Stunde", "demi-heure", "media hora", "mezz'ora", "meia hora", "полчаса", "半小时"],
    "0.006": ["0,006", "0.006"],
    "6mo": ["半年", "halbes Jahr", "medio año", "六個月", "half a year", "6 months", "sechs Monate", "seis meses"],
    "500NT$": ["NT$500", "新臺幣500元", "新台幣五百元", "500新台幣"],
    "500HK$": ["HK$500", "港幣五百元", "500港元", "HKD 500"],
    "120": ["一百二", "一百二十", "120"],
    "23000": ["两万三", "兩萬三千", "23,000"],
    "7d": ["sept jours", "sette giorni", "siete días", "七天"],
    "45": ["fünfundvierzig", "quarante-cinq", "cuarenta y cinco", "quarenta e cinco", "quarantacinque", "сорок пять"],
    "99": ["quatre-vingt-dix-neuf", "neunundneunzig", "negenennegentig"],
    "1234567": ["١٬٢٣٤٬٥٦٧", "1,234,567"],
    "10000元": ["一萬元", "1万元", "10,000 元", "10000元", "壹萬圓"],
    "50000": ["fifty thousand", "50,000", "50'000", "50 thousand", "五万"],
    "1200000€": ["€1.2 million", "1,200,000 euros", "1.200.000 Euro", "€ 1.200.000", "120万欧元", "1,2 Mio Euro"],
    "1234.56": ["1,234.56", "1.234,56", "1234.56"],
    "12000": ["一点二万", "1.2万", "12,000"],
    "24": ["two dozen", "24"],
    "105": ["one hundred and five", "一百零五", "105"],
    "1000000": ["10⁶", "10^6", "10^{6}", "1,000,000", "one million", "1 × 10⁶", "1·10^6", "100 x 10^4"],
    "5200000": ["5.2 × 10⁶", "5.2x10^6", "5.2 million", "5,200,000"],
    "0.0025": ["2.5 × 10⁻³", "2.5 × 10^−3", "0.0025"],
    "2^10": ["2¹⁰", "2^10", "2^{10}"],
    "1000000€": ["10⁶ euros", "1,000,000 Euro", "€10^6"],
    "2d": ["两天", "二天", "兩天", "two days", "due giorni", "deux jours"],
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
        ("Die Kaution: 4.440 €, EUR 4.440, je kWh 0.245 €", ["4440€", "4440€", "0.245€"]),
        ("年会費は50万円です。제5조", ["500000¥", "5"]),
        ("it may not; 99 May flowers", ["99"]),
        ("the amount is due once a year, at five cents per cent, on DOS", ["5"]),
        ("one third party and a dozen others", ["1"]),
        ("一成不变的七八月，三四天内，十七八人，上半年", ["1"]),
        ("两三百人", []),
        ("1906年动工，1912年通车", ["1906y", "1912y"]),  # a comma of Chinese is none of thousands
        ("10⁶ cells, not 106 cells", ["1000000", "106"]),
        ("a plot of 5 km², 12 m^2 and 3 m³, by x^3 and H₂O", ["5", "12", "3"]),
        ("10⁹⁹ and 10⁻⁴⁰ and 5² and 12⁻²", ["10^99", "10^-40", "5^2", "12^-2"]),
        ("¹ In 2023¹ it was 30² days from 5 March 2024³", ["2023", "30", "2024y3m5d"]),  # marks of notes
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


@given(st.text("0123456789⁶⁻².,'%^{}× 一二十百千万亿百分之点年月日 onefivehundred€$", max_size=30))
@settings(max_examples=300)
def test_spans_of_quantities_are_in_order(text):
    spans = [(quantity.start, quantity.end) for quantity in find_quantities(text)]
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(start < end <= len(text) for start, end in spans)
