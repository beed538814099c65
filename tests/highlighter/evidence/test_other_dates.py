"""Sentences about another year or month than the question asks about are no evidence."""

import pytest

from highlighter.evidence.other_dates import find_sentences_about_other_dates


@pytest.mark.parametrize(
    ("question", "sentence", "is_other"),
    [
        ("What was inflation in June?", "Inflation was 6.1 % in May, down from 7.0 % in April.", True),
        ("What was inflation in June?", "Inflation was 6.1 % in May, down from 7.0 % in June.", False),
        ("What was inflation in May?", "Inflation was 6.1 % in May, down from 7.0 % in April.", False),
        ("What was inflation in June?", "Inflation was 6.1 %.", False),
        ("What was inflation in June?", "You may see the inflation below.", False),
        ("Who patented an engine in 1883?", "In 1781 James Watt patented an engine.", True),
        ("Who led the firm in 2021?", "Ms Okoro led the firm from 2019 to 2023.", False),
        ("What was revenue in 2021?", "Revenue rose to £5m (2020: £4m).", False),
        ("What was revenue in 2021?", "Revenue rose to £5m, compared with £4m in 2020.", False),
        ("What was revenue in June 2021?", "In June 2020 revenue was £4m.", True),
        ("What does the Act of 2010 require?", "By 2015, employers report their figures.", False),
        ("Was it more in 2021?", "In 2020 it was £4m.", False),
        ("2022年營業額是多少？", "2021年營業額為五百萬元。", True),
        ("2022年營業額是多少？", "營業額在2021年為四百萬元，2022年為五百萬元。", False),
        ("In 2021 revenue was £5m.", "In 2020 revenue was £4m.", False),  # a statement is no question
    ],
)
def test_sentence_that_names_another_date_is_told(question, sentence, is_other):
    assert find_sentences_about_other_dates(question, [sentence]).tolist() == [is_other]
