import json

import pytest

from highlighter.answering.decomposition.decomposer import SubQuestions, decompose_question
from tests.scripted.fake_replies import Fails, Says, structure_refused

QUESTION = "What is the deposit and when is it due?"
QUESTIONS_BY_RULES = ("What is the deposit?", "When is the deposit due?")
QUESTIONS_BY_MODEL = ["What is the deposit?", "When must the deposit be paid?"]


@pytest.fixture
def decompose(scripted, chain_of):
    """A function that decomposes a question by a scripted model."""

    def decompose_by_model(*plays, question=QUESTION, history=(), provider="openai"):
        scripted.play("writer", *plays)
        return decompose_question(question, history, chain_of(f"{provider}/writer", llm_retries=0))

    return decompose_by_model


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_structured_reply_has_no_warning(scripted, decompose, provider):
    decomposition = decompose(Says(json.dumps({"questions": QUESTIONS_BY_MODEL})), provider=provider)
    assert (decomposition.questions, decomposition.warnings) == (tuple(QUESTIONS_BY_MODEL), ())
    assert (decomposition.model, decomposition.tokens) == (f"{provider}/writer", 18)
    (request,) = scripted.requests
    assert request.body["temperature"] == 0
    assert "SubQuestions" in json.dumps(request.body) or "output_config" in request.body


def test_schema_allows_one_to_five_questions():
    schema = SubQuestions.model_json_schema()["properties"]["questions"]
    assert (schema["minItems"], schema["maxItems"]) == (1, 5)


@pytest.mark.parametrize(
    "reply",
    [
        {"questions": QUESTIONS_BY_MODEL},
        QUESTIONS_BY_MODEL,
        {"sub_questions": [{"question": question} for question in QUESTIONS_BY_MODEL]},
    ],
)
def test_plain_json_is_read_with_warning(decompose, reply):
    text = json.dumps(reply)
    decomposition = decompose(structure_refused(Says(text)))
    assert decomposition.questions == tuple(QUESTIONS_BY_MODEL)
    (warning,) = decomposition.warnings
    assert "plain JSON" in warning
    assert text in warning


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"questions": ["What is the deposit?", "When must the deposit be paid?"]}\n```',
        'Here they are:\n```\n["What is the deposit?", "When must the deposit be paid?"]\n```\nAnything else?',
        'Of course! {"questions": ["What is the deposit?", "When must the deposit be paid?"]} I hope that helps.',
    ],
)
@pytest.mark.parametrize("refused", [False, True])
def test_json_within_text_is_read_with_warning(decompose, text, refused):
    decomposition = decompose(structure_refused(Says(text)) if refused else Says(text))
    assert decomposition.questions == tuple(QUESTIONS_BY_MODEL)
    (warning,) = decomposition.warnings
    assert text[:500] in warning


@pytest.mark.parametrize(
    "text", ["I would rather not.", '{"questions": []}', '{"questions": [1, null]}', "[" * 900, "42"]
)
def test_unreadable_reply_gives_question_itself_and_is_logged(decompose, text, caplog):
    decomposition = decompose(Says(text))
    assert decomposition.questions == (QUESTION,)
    (warning,) = decomposition.warnings
    assert "searched as a whole" in warning
    assert text[:500] in warning
    assert [record.message for record in caplog.records if "openai/writer" in record.message] == [
        f"The sub-questions that openai/writer wrote could not be read ({len(text)} characters)"
    ]


def test_warning_quotes_first_500_characters(decompose):
    decomposition = decompose(Says("x" * 499 + "yz" + "w" * 900))
    assert "x" * 499 + "y" in decomposition.warnings[-1]
    assert "yz" not in decomposition.warnings[-1]


def test_duplicate_questions_count_once_and_five_remain(decompose):
    decomposition = decompose(Says(json.dumps({"questions": ["One?", "one?", *(f"And {n}?" for n in range(9))]})))
    assert decomposition.questions == ("One?", "And 0?", "And 1?", "And 2?", "And 3?")


def test_question_without_model_is_decomposed_by_rules():
    decomposition = decompose_question(QUESTION, (), None)
    assert (decomposition.questions, decomposition.warnings, decomposition.model) == (QUESTIONS_BY_RULES, (), "")


def test_failed_model_falls_back_to_rules_with_warning(decompose):
    decomposition = decompose(Fails(500))
    assert decomposition.questions == QUESTIONS_BY_RULES
    assert "by rule" in decomposition.warnings[0]
    assert "openai/writer" in decomposition.warnings[0]


def test_model_receives_history(scripted, decompose):
    decompose(
        Says('{"questions": ["What is the tax in Hong Kong?"]}'),
        question="and in Hong Kong?",
        history=[("What is the tax in Singapore?", "17 %")],
    )
    assert [message["content"] for message in scripted.requests[0].body["messages"][1:3]] == [
        "What is the tax in Singapore?",
        "17 %",
    ]
