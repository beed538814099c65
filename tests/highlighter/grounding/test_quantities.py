"""What numbers count, and how a reason names them."""

import pytest

from highlighter.grounding.contrasts import find_contrasts
from highlighter.grounding.entailment import find_quoted
from highlighter.grounding.quantities import (
    DURATION,
    ITEM,
    MONEY,
    OTHER,
    PERCENT,
    REFERENCE,
    TIME,
    classify_number,
    find_item_number,
    is_numbered,
    quote_number,
)
from highlighter.grounding.wording import NUMBER, parse_wording


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("6.4 For each day the Contractor pays £4,200.", [(ITEM, "6.4"), (MONEY, "£4,200")]),
        ("5. Bluecairn keeps all data for five working days.", [(ITEM, "5"), (DURATION, "five working days")]),
        ("(3) The lane is 4 metres wide.", [(ITEM, "3"), (OTHER, "4 metres")]),
        ("4.5 million people came in three weeks after May.", [(OTHER, "4.5 million people"), (DURATION, "three weeks")]),
        ("Under clause 6.4 it is ten per cent of the price.", [(REFERENCE, "clause 6.4"), (PERCENT, "ten per cent")]),
        ("All three vendors keep 99.95 % of it.", [(OTHER, "three vendors"), (PERCENT, "99.95 %")]),
        ("It opens at 09:40 and costs 5 pounds.", [(TIME, "09:40"), (TIME, "09:40"), (MONEY, "5 pounds")]),
        ("It is one month's rent.", [(DURATION, "one month's rent")]),
        ("5.2 承租人应在五个工作日内支付3500元。", [(ITEM, "5.2"), (DURATION, "五个工作日"), (MONEY, "3500元")]),
        ("根据第3条，总额不超过合同总价的百分之五。", [(REFERENCE, "第3条"), (PERCENT, "百分之五")]),
        ("整項工程預計在二〇二七年十二月完成。", [(DURATION, "二〇二七年"), (DURATION, "十二月")]),
        ("三、总价为三千二百八十万元。", [(MONEY, "三千二百八十万元")]),
    ],
)  # fmt: skip
def test_number_has_a_kind_and_is_quoted_with_its_unit(text, numbers):
    wording = parse_wording(text)
    words = [word for word in wording.words if word.kind == NUMBER]
    assert [(classify_number(wording, word), quote_number(wording, word)) for word in words] == numbers


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("All three vendors keep all data in the United Kingdom.", "5. Bluecairn keeps all data in the United Kingdom."),
        ("3 For each day the Contractor pays damages.", "6.4 For each day the Contractor pays damages."),
        ("The Contractor pays three weeks late.", "The Contractor pays £4,200 late."),
        ("Under clause 5 damages are due.", "In 28 cases damages are due."),
        ("The Contractor pays ten per cent of the price.", "Under clause 12 the Contractor pays for delay."),
    ],
)  # fmt: skip
def test_number_of_a_clause_or_of_another_kind_is_no_contrast(claim, source):
    assert not [c for c in find_contrasts(parse_wording(claim), parse_wording(source)) if c.kind == NUMBER]


@pytest.mark.parametrize(
    ("claim", "source", "why"),
    [
        ("The window is on 9 June, from 08:10.", "The window is on 11 June, from 07:40.",
         "The source says 11 June where the claim says 9 June."),
        ("The window is open from 08:10 on that day.", "The window is open from 09:40 on that day.",
         "The source says 09:40 where the claim says 08:10."),
        ("Under clause 6.5 damages are due.", "Under clause 6.4 damages are due.",
         "The source says clause 6.4 where the claim says clause 6.5."),
        ("违约金总额不超过合同总价的百分之十五。", "违约金总额不超过合同总价的百分之五。",
         "The source says 百分之五 where the claim says 百分之十五."),
    ],
)  # fmt: skip
def test_contrast_names_whole_values(claim, source, why):
    assert why in [contrast.why for contrast in find_contrasts(parse_wording(claim), parse_wording(source))]


def test_sentence_is_quoted_without_the_number_of_its_clause():
    sentence = "6.4 For each day the Contractor pays £4,200."
    assert find_quoted("For each day the Contractor pays £4,200.", [sentence])
    assert find_quoted(sentence, [sentence])
    assert not find_quoted("5 million people came.", ["4.5 million people came."])
    assert not find_quoted("million people came.", ["4.5 million people came."])


@pytest.mark.parametrize(
    "text", ["30 June is the last day.", "2025 is over.", "3.5 米以上须报告。", "A fee is due.", "I pay.", "6.4"]
)
def test_sentence_without_item_number_begins_at_its_first_word(text):
    assert find_item_number(text) == 0


def test_exponents_of_units_and_numbers_have_one_key_however_they_are_typed():
    written, typed = (
        parse_wording(text)
        for text in ("10⁶ cells on 25 m² or 5km², in 2023¹", "10^6 cells on 25 m^2 or 5km^2, in 2023")
    )
    assert written.keys == typed.keys
    assert {"#1000000", "m2", "#25", "#5", "y2023"} <= written.keys
    assert not {"#106", "#10", "#2", "#20231"} & typed.keys


@pytest.mark.parametrize(
    ("claim", "source", "is_said"),
    [
        ("The fourth sailing is late.", "Sailing 4 is late.", True),
        ("The fourth sailing is late.", "Sailing 5 is late.", False),
        ("The fourth sailing is late.", "The sailing has 4 crew.", False),
    ],
)
def test_ordinal_is_the_number_of_a_thing(claim, source, is_said):
    wording = parse_wording(claim)
    ordinal = next(word for word in wording.words if word.kind == NUMBER)
    assert is_numbered(wording, ordinal, parse_wording(source)) == is_said
