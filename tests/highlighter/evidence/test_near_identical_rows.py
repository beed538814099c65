"""Rows that differ only in their numbers: the number in a question chooses among them."""

import pytest

from highlighter.evidence.near_identical_rows import list_rows_with_other_numbers

ROWS = [f"{number}\t£{900 + number * 17}" for number in range(1, 41)]


@pytest.mark.parametrize("form", ["{}", "| {} |", "Berth {}"])
@pytest.mark.parametrize("question", ["fee for berth 27?", "What is the fee for berth 27?"])
def test_row_that_the_question_numbers_is_highlighted(services, form, question):
    text = "Berth\tFee\n" + "\n".join(form.format(row) for row in ROWS)
    evidence = services.passage_highlighter.highlight_text(question, text)
    assert [scored.sentence.text for scored in evidence.sentences if scored.highlighted] == [form.format(ROWS[26])]


@pytest.mark.parametrize(
    ("question", "texts", "others"),
    [
        ("fee for berth 3?", ROWS[:6], [0, 1, 3, 4, 5]),
        ("三號泊位 3 的費用？", ROWS[:6], [0, 1, 3, 4, 5]),
        ("fee for berth 99?", ROWS[:6], []),
        ("fee for the berths?", ROWS[:6], []),
        ("Which berths cost more than £951?", ROWS[:6], []),
        ("哪些泊位超過 £951？", ROWS[:6], []),
        ("fee for berth 3?", ROWS[:4], []),
        ("What is clause 3?", ["3 The rent.", "4 The term.", "5 Pets.", "6 Noise.", "7 The end.", "8 Keys."], []),
    ],
)
def test_rows_with_other_numbers_are_those_that_the_question_does_not_name(question, texts, others):
    assert list_rows_with_other_numbers(question, texts) == others
