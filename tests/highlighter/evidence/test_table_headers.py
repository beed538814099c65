"""The header of a table is no evidence beside a row that answers, and the header of a row chooses the row."""

import numpy as np
import pytest

from highlighter.evidence.table_headers import adjust_table_scores, find_tables

TABLE = ["Pier\tFee for a night\tStay", "North pier\t24.00\tthree days", "South pier\t16.00\ttwo weeks"]


@pytest.mark.parametrize(
    ("texts", "headers"),
    [
        (TABLE, [0]),
        (["The fees of 2025.", *TABLE, "Visitors pay by card."], [1]),
        ([*TABLE, "Berth\tFee", "Small\t£20", "Large\t£40"], [0, 3]),
        (TABLE[1:], [None]),
        (TABLE[:2], []),  # with a single row, which need not be one
        (["Fee for 2025\t£", "North\t24.00", "South\t16.00"], [None]),  # the first row may itself answer
        (["€ million\tFY2024\tFY2023", "Ships\t921\t905", "Ports\t317\t287"], [0]),
        (["项目\t2024年\t2023年", "收入\t921\t905", "成本\t317\t287"], [0]),
        (["Ships\t1,921\t2,005", "Ports\t317\t287"], [None]),
        (["Nothing.", "Is.", "Here."], []),
        ([], []),
    ],
)
def test_header_is_the_first_row_without_a_digit_of_rows_with_as_many_cells(texts, headers):
    assert [header for header, _ in find_tables(texts)] == headers


@pytest.mark.parametrize(
    ("question", "scores", "expected"),
    [
        ("What is the fee?", [0.6, 0.2, 0.9], [0.0, 0.2, 0.9]),
        ("What is the fee?", [0.6, 0.2, 0.3], [0.6, 0.2, 0.3]),
        ("What is the fee at the South pier?", [0.6, 0.7, 0.9], [0.0, 0.0, 0.9]),
        ("What is the fee at the South pier?", [0.6, 0.7, 0.5], [0.0, 0.0, 0.5]),
    ],
)
def test_row_that_answers_keeps_its_score(question, scores, expected):
    assert adjust_table_scores(question, TABLE, np.array(scores)).tolist() == expected


def _list_rows_without_score(question, texts):
    """Return the rows that lose their score where all rows and the header have the same."""
    return np.flatnonzero(adjust_table_scores(question, texts, np.ones(len(texts))) == 0).tolist()


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("What is the fee for a night at the South pier?", [1]),
        ("how long may one stay at the north pier", [2]),
        ("What are the fees of North pier and South pier?", []),
        ("What is the fee for a night?", []),
        ("Which pier costs less than the South pier?", []),
        ("What does a night at the Northern pier cost?", []),
    ],
)
def test_rows_with_other_headers_are_those_that_the_question_does_not_name(question, others):
    assert _list_rows_without_score(question, TABLE) == others
    assert _list_rows_without_score(question, TABLE[1:]) == [row - 1 for row in others]


LAYOFFS = [
    "Date\tCompany\tCity\tStaff",
    "1 July\tBosch\tPalo Alto\t55",
    "1 July\tLeidos\tEl Segundo\t72",
    "2 July\tMullin\tEl Segundo\t9",
]


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("How many did Leidos in El Segundo lay off?", [1, 3]),
        ("How many did Leidos in El Segundo and Bosch lay off?", [3]),
        ("Which companies in El Segundo lay off staff?", [1]),
        ("Who lays off the most staff?", []),
        ("How many did Leidos Holdings of El Segundoville lay off?", [1, 3]),
        ("How many did Mullins lay off?", []),
    ],
)
def test_rows_are_chosen_by_the_named_cell_that_the_fewest_have(question, others):
    assert _list_rows_without_score(question, LAYOFFS) == others


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        (
            "Is breakfast included with the standard room?",
            ["Room\tBreakfast", "Standard double\tnot included", "Suite\tincluded"],
        ),
        ("Is maternity leave on full pay?", ["Leave\tPay", "Maternity (birth)\tHalf", "Marriage\tFull"]),
        ("Who leads the London office?", ["Place\tTeam", "London bridge\tsales", "Leeds\toffice"]),
    ],
)
def test_cell_that_is_no_name_chooses_no_row(question, rows):
    assert _list_rows_without_score(question, rows) == []


def test_headers_of_rows_in_chinese_are_named_within_a_sentence():
    table = ["碼頭\t費用", "北碼頭\t24元", "南碼頭\t16元"]
    assert _list_rows_without_score("南碼頭一晚的費用是多少？", table) == [1]


def test_function_word_names_no_row():
    table = ["Charged\tWho", "Yes\tAdults", "No\tSchools"]
    assert _list_rows_without_score("Is there no charge for children?", table) == []


SEGMENTS = ["€ million\tFY2024\tChange", "Ships\t921\t1.8%", "Offshore services¹\t604\t21.3%", "Ports\t317\t10.5%"]


def test_year_of_a_column_chooses_no_row():
    assert _list_rows_without_score("Revenue in FY2024?", SEGMENTS) == []


def test_row_with_the_mark_of_a_note_is_named_without_it():
    assert _list_rows_without_score("Revenue of Offshore services in FY2024?", SEGMENTS) == [0, 1, 3]
