"""What is said of a number: the opposite is a contrast, the same in other words is none."""

import pytest

from highlighter.grounding.contrasts import BOUND, NEGATION, find_contrasts
from highlighter.grounding.number_bounds import unify_bounds
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
        ("Claims are filed by 1 May.", "Claims cannot be filed before 1 May."),
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
        ("The dose is at most 4 g.", "The dose must never exceed 4 g."),
        ("Notice is given by 5 May 2025.", "Notice is given no later than 5 May."),
        (
            "The old rate of 4% applied until 1 May 2024.",
            "The new rate of 5% applies from 1 May 2024 instead of the old rate of 4%.",
        ),
        ("Claims are filed by 1 June.", "Claims are filed from 1 May to 1 June."),
        ("Costs fell 3%.", "Sales rose 3% and costs fell 3%."),  # the source says both
        ("Sales rose 3%.", "Sales rose 3% while costs fell 5%."),
    ],
)
def test_same_bound_in_other_words_is_no_contrast(claim, source):
    assert not {BOUND, NEGATION} & set(list_kinds(claim, source))


@pytest.mark.parametrize(
    ("claim", "source", "unified"),
    [
        ("Notice is at least 6 months.", "Notice is not less than 6 months.", "Notice is at least 6 months."),
        ("The fee is at most £40.", "The fee must not exceed £40 a year.", "The fee must be at most £40 a year."),
        ("It is paid by 5 May.", "It is paid no later than 5 May.", "It is paid by 5 May."),
        ("It is filed from 1 May.", "It cannot be filed before 1 May.", "It can be filed from 1 May."),
        ("It is paid by 5 May.", "It is paid no later than 5 June.", "It is paid no later than 5 June."),
        ("The fee is at least 40.", "The fee is not more than 40.", "The fee is not more than 40."),
        ("The fee is at least 40.", "|---|---|", "|---|---|"),
    ],
)
def test_equal_bounds_are_written_in_the_same_words(claim, source, unified):
    assert unify_bounds(parse_wording(claim), [parse_wording(source)])[1] == [unified]


def test_more_and_less_than_a_number_may_say_the_same():
    assert BOUND not in list_kinds("No dogs of more than 10 kg.", "Only dogs of less than 10 kg.")
