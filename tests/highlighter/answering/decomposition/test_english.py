import pytest

from highlighter.answering.decomposition.decomposer import decompose_by_rules
from tests.properties import given, st

SINGLE_QUESTIONS = """\
What are the terms and conditions?
Which terms and conditions apply to goods and services?
What does health and safety law require?
What is the relationship between the buyer and the seller?
What is and is not covered?
What conditions and what exceptions apply?
Which parties and which assets are affected?
Is it possible to cancel and get a refund?
What happens if the buyer dies and the seller withdraws?
What must the tenant do when the lease ends and the keys are lost?
Who signed the form and returned it?
What is the role of the project manager and the supervisor?
My lease ends in May. When must I give notice?
What is the name of the firm that pays and insures the staff?
When does the ferry leave?
How old must Mr. Berg be?
What do Smith et al. say about shade?
Can I, e.g. in winter, return a bike outside a station?
What is the fee, approx. per month?
deposit""".splitlines()

COMPOUND_QUESTIONS = {
    "Who is liable and for how long?": ("Who is liable?", "For how long is someone liable?"),
    "What is the deposit and when is it due?": ("What is the deposit?", "When is the deposit due?"),
    "What is the retention money? When is it released?": (
        "What is the retention money?",
        "When is the retention money released?",
    ),
    "What are the fees, and who pays them?": ("What are the fees?", "Who pays the fees?"),
    "When can the contractor terminate and how?": (
        "When can the contractor terminate?",
        "How can the contractor terminate?",
    ),
    "Which fees must the tenant pay and when?": (
        "Which fees must the tenant pay?",
        "When must the tenant pay the fees?",
    ),
    "How many days of leave does an employee have, and who may not work from home?": (
        "How many days of leave does an employee have?",
        "Who may not work from home?",
    ),
    "Who pays and when?": ("Who pays?", "When does someone pay?"),
    "Who paid crowns for the broken capstan, and how many?": (
        "Who paid crowns for the broken capstan?",
        "How many crowns did someone pay for the broken capstan?",
    ),
    "Who sold timber to the yard, and how much?": (
        "Who sold timber to the yard?",
        "How much timber did someone sell to the yard?",
    ),
    "Who built the tower and when?": ("Who built the tower?", "When did someone build the tower?"),
    "Who repaired the pier, and why?": ("Who repaired the pier?", "Why did someone repair the pier?"),
    "Who stored the ropes, and how many?": ("Who stored the ropes?", "How many ropes did someone store?"),
    "Who trains apprentices here, and how many?": (
        "Who trains apprentices here?",
        "How many apprentices does someone train here?",
    ),
    "Who paid the fee and how much?": ("Who paid the fee?", "How much did someone pay the fee?"),
    "What caused the flood and when?": ("What caused the flood?", "When did something cause the flood?"),
    "When and how must notice be given?": ("When must notice be given?", "How must notice be given?"),
    "What did the study find, and on what grounds was it criticised?": (
        "What did the study find?",
        "On what grounds was the study criticised?",
    ),
    "Is smoking allowed and are pets permitted?": ("Is smoking allowed?", "Are pets permitted?"),
    "What are the payment terms and the notice period?": ("What are the payment terms?", "What is the notice period?"),
    "What are the name and the address of the buyer?": (
        "What is the name of the buyer?",
        "What is the address of the buyer?",
    ),
    "What is the fee, when is it due, and who pays it?": (
        "What is the fee?",
        "When is the fee due?",
        "Who pays the fee?",
    ),
    "Explain what retention is and how it works": ("Explain what retention is.", "Explain how retention works."),
    "List the fees and explain how they are charged.": ("List the fees.", "Explain how the fees are charged."),
    "1. What is the fee? 2. Who pays it?": ("What is the fee?", "Who pays the fee?"),
    "Compare the warranty of the X100 and the Z200.": (
        "What is the warranty of the X100?",
        "What is the warranty of the Z200?",
    ),
    "Compare the fees in 2022 and 2023": ("What are the fees in 2022?", "What are the fees in 2023?"),
    "Compare the terms and conditions of A1 and B2.": (
        "What are the terms and conditions of A1?",
        "What are the terms and conditions of B2?",
    ),
    "What is the difference between a lease and a licence?": ("What is a lease?", "What is a licence?"),
    "How does the lease differ from the licence?": ("What is the lease?", "What is the licence?"),
    "NEC4 vs FIDIC": ("What is NEC4?", "What is FIDIC?"),
    "What are the differences between the duties of the employer and the employee with regard to safety?": (
        "What are the duties of the employer with regard to safety?",
        "What are the duties of the employee with regard to safety?",
    ),
}

FOLLOW_UPS = {
    ("What is the tax rate in Singapore?", "and in Hong Kong?"): "What is the tax rate in Hong Kong?",
    ("What is the warranty of the X100?", "What about the Z200?"): "What is the warranty of the Z200?",
    ("What is the notice period for the tenant?", "And the landlord?"): "What is the notice period for the landlord?",
    ("How much do adults pay?", "What about children?"): "How much do children pay?",
    ("When does the ferry leave?", "How many passengers does it carry?"): "How many passengers does the ferry carry?",
    ("What are the fees?", "How are they calculated?"): "How are the fees calculated?",
    ("Who is the captain?", "What is his name?"): "What is the captain's name?",
    ("How long is the notice period?", "Is that negotiable?"): "Is the notice period negotiable?",
    ("When can the contractor terminate?", "Why?"): "Why can the contractor terminate?",
    ("What is the deposit?", "What is the capital of France?"): "What is the capital of France?",
    ("What is the deposit?", "Can you tell me more?"): "What is the deposit?",
    ("What is the deposit?", "And the other thing?"): "What is the deposit?",
    ("What is the deposit?", "Is that fair?"): "Is the deposit fair?",
    ("How long is the notice period?", "What about it?"): "How long is the notice period?",
    ("How long is the notice period?", "And what happens next?"): "How long is the notice period?",
    ("How long is the notice period?", "Is that all?"): "How long is the notice period?",
    ("What is retention?", "Is it possible to cancel?"): "Is it possible to cancel?",
}


@pytest.mark.parametrize("question", SINGLE_QUESTIONS)
def test_single_question_is_not_split(question):
    assert decompose_by_rules(question) == (question,)


@pytest.mark.parametrize(("question", "parts"), COMPOUND_QUESTIONS.items())
def test_compound_question_is_split_into_complete_questions(question, parts):
    assert decompose_by_rules(question) == parts


@pytest.mark.parametrize(("turns", "complete"), FOLLOW_UPS.items())
def test_follow_up_is_completed_by_previous_question(turns, complete):
    before, question = turns
    assert decompose_by_rules(question, [(before, "An answer.")]) == (complete,)


def test_follow_up_of_follow_up_is_completed():
    history = [("What is the tax rate in Singapore?", "17 %."), ("and in Hong Kong?", "16.5 %.")]
    assert decompose_by_rules("And in Macau?", history) == ("What is the tax rate in Macau?",)


def test_follow_up_is_completed_before_it_is_split():
    assert decompose_by_rules("When is it due and who pays it?", [("What is the deposit?", "Rent.")]) == (
        "When is the deposit due?",
        "Who pays the deposit?",
    )


def test_question_has_at_most_five_parts():
    assert len(decompose_by_rules("What is A? What is B? What is C? What is D? What is E? What is F?")) == 5


WORDS = "what who when how is are the a of and or it they compare between explain for in contractor fees ? , . 押金 和 是 多少 何時".split()


@given(st.lists(st.sampled_from(WORDS), max_size=40), st.lists(st.sampled_from(WORDS), max_size=12))
def test_any_words_give_one_to_five_questions(question, before):
    questions = decompose_by_rules(" ".join(question) or "x", [(" ".join(before), "yes")])
    assert 1 <= len(questions) <= 5
    assert all(part.strip() for part in questions)


@given(st.text(min_size=1, max_size=300), st.text(max_size=100))
def test_any_text_can_be_decomposed(question, before):
    assert 1 <= len(decompose_by_rules(question, [(before, "yes")])) <= 5
