import pytest

from highlighter.evidence.document_names import ask_about_heading, find_head_end, remove_document_names
from highlighter.models import Chunk

TITLE = "Safety Data Sheet – Kalorit 40 (descaler)"
JUDGMENT = "In the High Court of Arden\nPellworm Shipping v Delta Grain\nMrs Justice Ferreby"
HANDBOOK = "Brightwell Instruments – Employee Handbook"


@pytest.mark.parametrize(
    ("question", "naming_text", "rest"),
    [
        ("What is the density of Kalorit 40?", TITLE, "What is the density?"),
        ("Who runs the hotline of Brightwell Instruments?", HANDBOOK, "Who runs the hotline?"),
        ("What leave does the employee handbook grant?", HANDBOOK, "What leave does grant?"),
        ("How much did Mrs Justice Ferreby award?", JUDGMENT, "How much did award?"),
        ("Wann soll bei Frau Brück operiert werden?", "Entlassungsbrief – Frau Brück", "Wann soll operiert werden?"),
        ("Wanneer is de ouderavond van De Wilg?", "Nieuwsbrief De Wilg", "Wanneer is de ouderavond?"),
        ("青禾科技的产假有几天？", "青禾科技有限公司 员工手册", "产假有几天？"),
        # Small words, single words without a capital letter and the first word name nothing.
        ("What is the sheet made of?", TITLE, "What is the sheet made of?"),
        ("Safety is whose duty?", TITLE, "Safety is whose duty?"),
        (
            "What was the profit of Brightwell Instruments in FY2024?",
            "Report FY2024, Brightwell Instruments",
            "What was the profit in FY2024?",
        ),
        # About another year than that of the document.
        (
            "What was the profit of Brightwell Instruments in FY2019?",
            "Report FY2024, Brightwell Instruments",
            "What was the profit of Brightwell Instruments in FY2019?",
        ),
        # Something must be left to ask about.
        ("What is Kalorit 40?", TITLE, "What is Kalorit 40?"),
    ],
)
def test_names_of_a_document_are_removed_from_a_question(question, naming_text, rest):
    assert remove_document_names(question, [naming_text], []) == rest


def test_name_that_stands_in_a_sentence_is_kept():
    question = "What is the density of Kalorit 40?"
    assert remove_document_names(question, [TITLE], ["Kalorit 40 has a density of 1.27."]) == question


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("What does it say about annual leave?", "Annual leave?"),
        ("What does this document state about the first aid?", "What does this document state about the first aid?"),
        ("What do they say about first aid?", "First aid?"),
        ("When can we cancel?", "When can we cancel?"),
        ("Who cancels?", "Who cancels?"),
    ],
)
def test_question_what_a_document_says_about_a_heading_is_the_heading(question, rewritten):
    assert ask_about_heading(question, ["Annual leave", "4. First aid", "5. Cancelling"]) == rewritten


@pytest.mark.parametrize(
    ("text", "headings", "head"),
    [
        ("Title\n\nFrom: A. Berg\n\nScope\n" + 80 * "word ", ((0, 5, 1), (22, 27, 2)), "Title\n\nFrom: A. Berg\n\n"),
        ("Title\n" + 80 * "word ", (), "Title\n" + 19 * "word "),
        ("Bank of Lorne\nService\tPlus account\nFee\t9\n" + 80 * "word ", (), "Bank of Lorne\n"),
        ("One line alone", (), "One line alone"),
    ],
)
def test_head_ends_before_second_heading_and_table(text, headings, head):
    chunk = Chunk("d", 1, 0, 0, len(text), 1, 1, text=text, headings=headings)
    assert text[: find_head_end(chunk)].startswith(head.rstrip())
    assert len(text[: find_head_end(chunk)]) <= len(head) + 6
