import json

import pytest

from highlighter.answering.decomposition.decomposer import SubQuestions, decompose_question
from tests.scripted.plays import Fails, Says, structure_refused

QUESTION = "What is the deposit and when is it due?"
BY_RULE = ("What is the deposit?", "When is the deposit due?")
TWO = ["What is the deposit?", "When must the deposit be paid?"]


@pytest.fixture
def divide(scripted, chain_of):
    """A question divided by a model that does as it is told."""

    def of(*plays, question=QUESTION, history=(), provider="openai"):
        scripted.play("writer", *plays)
        return decompose_question(question, history, chain_of(f"{provider}/writer", llm_retries=0))

    return of


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_model_that_is_held_to_the_structure_needs_no_warning(scripted, divide, provider):
    division = divide(Says(json.dumps({"questions": TWO})), provider=provider)
    assert (division.questions, division.warnings) == (tuple(TWO), ())
    assert (division.model, division.tokens) == (f"{provider}/writer", 18)
    (request,) = scripted.requests
    assert request.body["temperature"] == 0
    assert "SubQuestions" in json.dumps(request.body) or "output_config" in request.body


def test_the_structure_holds_one_to_five_questions():
    schema = SubQuestions.model_json_schema()["properties"]["questions"]
    assert (schema["minItems"], schema["maxItems"]) == (1, 5)


@pytest.mark.parametrize("reply", [{"questions": TWO}, TWO, {"sub_questions": [{"question": one} for one in TWO]}])
def test_without_structure_plain_json_is_read_with_a_warning(divide, reply):
    said = json.dumps(reply)
    division = divide(structure_refused(Says(said)))
    assert division.questions == tuple(TWO)
    (warning,) = division.warnings
    assert "plain JSON" in warning
    assert said in warning


@pytest.mark.parametrize(
    "said",
    [
        '```json\n{"questions": ["What is the deposit?", "When must the deposit be paid?"]}\n```',
        'Here they are:\n```\n["What is the deposit?", "When must the deposit be paid?"]\n```\nAnything else?',
        'Of course! {"questions": ["What is the deposit?", "When must the deposit be paid?"]} I hope that helps.',
    ],
)
@pytest.mark.parametrize("refused", [False, True])
def test_json_in_a_fence_is_read_with_a_warning(divide, said, refused):
    division = divide(structure_refused(Says(said)) if refused else Says(said))
    assert division.questions == tuple(TWO)
    (warning,) = division.warnings
    assert said[:500] in warning


@pytest.mark.parametrize(
    "said", ["I would rather not.", '{"questions": []}', '{"questions": [1, null]}', "[" * 900, "42"]
)
def test_at_last_it_is_the_question_itself(divide, said):
    division = divide(Says(said))
    assert division.questions == (QUESTION,)
    assert "searched as a whole" in division.warnings[-1]
    assert said[:500] in division.warnings[-1]


def test_a_warning_holds_the_first_500_characters(divide):
    division = divide(Says("x" * 499 + "yz" + "w" * 900))
    assert "x" * 499 + "y" in division.warnings[-1]
    assert "yz" not in division.warnings[-1]


def test_more_than_five_are_cut_and_the_same_one_counts_once(divide):
    division = divide(Says(json.dumps({"questions": ["One?", "one?", *(f"And {n}?" for n in range(9))]})))
    assert division.questions == ("One?", "And 0?", "And 1?", "And 2?", "And 3?")


def test_without_a_model_it_is_divided_by_rule():
    division = decompose_question(QUESTION, (), None)
    assert (division.questions, division.warnings, division.model) == (BY_RULE, (), "")


def test_when_no_model_answers_it_is_divided_by_rule_and_that_is_said(divide):
    division = divide(Fails(500))
    assert division.questions == BY_RULE
    assert "by rule" in division.warnings[0]
    assert "openai/writer" in division.warnings[0]


def test_the_model_is_told_what_was_said_before(scripted, divide):
    divide(
        Says('{"questions": ["What is the tax in Hong Kong?"]}'),
        question="and in Hong Kong?",
        history=[("What is the tax in Singapore?", "17 %")],
    )
    assert [message["content"] for message in scripted.requests[0].body["messages"][1:3]] == [
        "What is the tax in Singapore?",
        "17 %",
    ]
