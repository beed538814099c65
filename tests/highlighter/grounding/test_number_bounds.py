"""What is said of a number: the opposite is a contrast, the same in other words is none."""

import pytest

from highlighter.grounding.contrasts import BOUND, NEGATION, find_contrasts
from highlighter.grounding.wording import parse_wording


def list_kinds(claim, source):
    return [contrast.kind for contrast in find_contrasts(parse_wording(claim), parse_wording(source))]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The index makes up no more than 80 per cent of the fund.", "至少八成資產投資於成分股。"),
        ("全市人口增加了1.2万人。", "全市人口减少一点二万人。"),
        ("Crime fiction rose by 3%.", "Crime fiction fell by 3 per cent."),
        ("At least two people must sign.", "At most two people may sign."),
        ("押金不超过三个月租金。", "The deposit is at least three months' rent."),
    ],
)
def test_opposite_of_a_number_is_a_contrast(claim, source):
    assert BOUND in list_kinds(claim, source)
    assert BOUND in list_kinds(source, claim)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Dogs of up to 10 kg may come.", "Dogs of no more than 10 kg may come."),
        ("每组最多可有八人。", "每组不超过八人。"),
        ("Costs fell 3%.", "Sales rose 3% and costs fell 3%."),  # the source says both
        ("Sales rose 3%.", "Sales rose 3% while costs fell 5%."),
    ],
)
def test_same_bound_in_other_words_is_no_contrast(claim, source):
    assert not {BOUND, NEGATION} & set(list_kinds(claim, source))


def test_more_and_less_than_a_number_may_say_the_same():
    assert BOUND not in list_kinds("No dogs of more than 10 kg.", "Only dogs of less than 10 kg.")
