import pytest

from highlighter.answering.llm.call_limits import track_disconnect
from highlighter.answering.llm.errors import CompletionCancelled, CompletionInterrupted
from highlighter.answering.llm.fallback import ModelFallback
from highlighter.answering.llm.messages import Message
from highlighter.errors import NoModelAnswered
from highlighter.settings import PROVIDERS, Settings, SettingsError
from tests.scripted.plays import (
    Cut,
    Fails,
    FailsMidway,
    Huge,
    Malformed,
    Nothing,
    Page,
    Says,
    Shapeless,
    Slow,
    rate_limited,
    structure_refused,
)

MESSAGES = [Message("system", "You are brief."), Message("user", "When does it leave?")]
ASKED = {"max_tokens": 100, "temperature": 0.0}


def test_the_first_model_of_the_chain_answers(scripted, chain_of):
    scripted.play("first", Says("At seven."))
    scripted.play("second", Says("At eight."))
    reply = chain_of("openai/first", "anthropic/second").complete(MESSAGES, **ASKED)
    assert (reply.text, reply.model, reply.tokens, reply.failed_attempts) == ("At seven.", "openai/first", 18, ())
    assert reply.latency_ms >= 0
    assert scripted.asked("second") == []


@pytest.mark.parametrize(
    "play",
    [Fails(500), Fails(401), Fails(404), rate_limited(), Malformed(), Shapeless(), Huge(), Page(), Nothing(), Cut()],
)
def test_a_model_that_fails_is_followed_by_the_next_and_that_is_said(scripted, chain_of, play):
    scripted.play("first", play)
    scripted.play("second", Says("At eight."))
    chain = chain_of("openai/first", "anthropic/second", llm_retries=1)
    reply = chain.complete(MESSAGES, **ASKED)
    assert (reply.text, reply.model) == ("At eight.", "anthropic/second")
    assert reply.failed_attempts
    assert all(said.startswith("openai/first: ") for said in reply.failed_attempts)
    writing = chain.stream(MESSAGES, **ASKED)
    if isinstance(play, (Cut, Huge)):
        return  # these have begun to write: see below
    assert "".join(writing) == "At eight."
    assert (writing.model, writing.tokens, writing.finish_reason) == ("anthropic/second", 18, "stop")
    assert writing.failed_attempts[0].startswith("openai/first: ")


def test_a_slow_model_leaves_the_next_its_whole_time(scripted, chain_of):
    scripted.play("first", Slow())
    scripted.play("second", Says("At eight."))
    chain = chain_of("openai/first", "anthropic/second")
    chain.models[1].preload_sdk()
    reply = chain.complete(MESSAGES, **ASKED, deadline=1.0)
    assert (reply.model, len(scripted.asked("first"))) == ("anthropic/second", 1)


@pytest.mark.parametrize("play", [rate_limited(), Fails(500), Fails(503), Cut()])
def test_what_may_pass_is_tried_again(scripted, chain_of, play):
    scripted.play("only", play, play, Says("At seven."))
    reply = chain_of("openai/only", llm_retries=2).complete(MESSAGES, **ASKED)
    assert (reply.text, len(reply.failed_attempts), len(scripted.requests)) == ("At seven.", 2, 3)


@pytest.mark.parametrize("play", [Fails(401), Fails(400), Fails(404), Malformed(), Page(), Nothing()])
def test_what_will_not_pass_is_not_tried_again(scripted, chain_of, play):
    scripted.play("only", play)
    with pytest.raises(NoModelAnswered):
        chain_of("openai/only", llm_retries=2).complete(MESSAGES, **ASKED)
    assert len(scripted.requests) == 1


def test_retries_are_bounded(scripted, chain_of):
    scripted.play("only", Fails(500))
    with pytest.raises(NoModelAnswered):
        chain_of("openai/only", llm_retries=3).complete(MESSAGES, **ASKED)
    assert len(scripted.requests) == 4


def test_the_wait_that_a_provider_asks_for_is_kept(scripted, chain_of):
    scripted.play("only", rate_limited(0.4), Says("At seven."))
    chain_of("openai/only").complete(MESSAGES, **ASKED)
    first, second = scripted.requests
    assert second.at - first.at >= 0.4


@pytest.mark.parametrize("wait", [11, 3600, 1e12])
def test_a_provider_that_asks_for_a_long_wait_is_left_for_the_next(scripted, chain_of, wait):
    scripted.play("first", rate_limited(wait))
    scripted.play("second", Says("At eight."))
    assert chain_of("openai/first", "openai/second").complete(MESSAGES, **ASKED).text == "At eight."
    assert len(scripted.asked("first")) == 1


def test_a_wait_longer_than_the_time_left_is_not_begun(scripted, chain_of):
    scripted.play("only", rate_limited(5))
    chain = chain_of("openai/only")
    with pytest.raises(NoModelAnswered, match="HTTP 429"):
        chain.complete(MESSAGES, **ASKED, deadline=3.0)
    assert len(scripted.requests) == 1


def test_when_none_is_left_each_is_quoted(scripted, chain_of):
    scripted.play("first", Fails(500, "Out of order"))
    scripted.play("second", Fails(401))
    with pytest.raises(NoModelAnswered) as raised:
        chain_of("openai/first", "anthropic/second", llm_retries=0).complete(MESSAGES, **ASKED)
    assert raised.value.attempts == (
        "openai/first: The provider failed (HTTP 500): Out of order.",
        "anthropic/second: The provider rejected the API key (HTTP 401).",
    )
    assert all(said in raised.value.detail for said in raised.value.attempts)
    assert raised.value.status == 503


@pytest.mark.parametrize("play", [Cut(), Cut(politely=True), FailsMidway(), Malformed("The ferry leaves")])
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_stream_that_breaks_in_the_middle_is_told_and_nobody_else_goes_on(scripted, chain_of, provider, play):
    scripted.play("first", play)
    scripted.play("second", Says("At eight."))
    writing = chain_of(f"{provider}/first", "openai/second").stream(MESSAGES, **ASKED)
    heard = []
    with pytest.raises(CompletionInterrupted) as raised:
        heard.extend(writing)  # each piece as it comes
    assert "".join(heard) == raised.value.text == writing.text == "The ferry leaves"
    assert raised.value.model == writing.model == f"{provider}/first"
    assert scripted.asked("second") == []


def test_white_space_before_a_break_is_nothing_written(scripted, chain_of):
    scripted.play("first", Cut(" \n "))
    scripted.play("second", Says("\n At eight."))
    writing = chain_of("openai/first", "openai/second", llm_retries=0).stream(MESSAGES, **ASKED)
    assert "".join(writing) == "\n At eight."
    assert writing.model == "openai/second"


def test_a_writing_that_nobody_hears_ends_by_itself(scripted, chain_of):
    scripted.play("first", Says("At seven in the morning."))
    scripted.play("second", Says("At eight."))
    writing = chain_of("openai/first", "openai/second").stream(MESSAGES, **ASKED)
    heard = []
    with track_disconnect(lambda: bool(scripted.requests)), pytest.raises(CompletionCancelled):
        heard.extend(writing)
    assert "At seven in the morning.".startswith("".join(heard))
    assert scripted.asked("second") == []


def test_nothing_is_asked_before_a_writing_is_iterated(scripted, chain_of):
    scripted.play("only", Says("At seven."))
    chain_of("openai/only").stream(MESSAGES, **ASKED)
    assert scripted.requests == []


def test_a_reply_says_whether_it_was_held_to_the_schema(scripted, chain_of):
    schema = {"type": "object", "properties": {"at": {"type": "string"}}}
    scripted.play("can", Says('{"at": "seven"}'))
    scripted.play("cannot", structure_refused(Says('{"at": "seven"}')))
    assert chain_of("openai/can").complete(MESSAGES, **ASKED, schema=schema).is_structured
    assert not chain_of("openai/cannot").complete(MESSAGES, **ASKED, schema=schema).is_structured
    assert not chain_of("openai/can").complete(MESSAGES, **ASKED).is_structured


@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_prefix_has_its_address_and_key(scripted, chain_of, provider):
    scripted.play("org/writer", Says("At seven."))
    reply = chain_of(f"{provider}/org/writer").complete(MESSAGES, **ASKED)
    assert (reply.model, scripted.requests[0].model) == (f"{provider}/org/writer", "org/writer")


@pytest.mark.parametrize("name", ["gpt-4o", "nobody/gpt", "openai/", "/x"])
def test_a_model_of_nobody_is_refused_at_the_start(name):
    with pytest.raises(SettingsError, match="LLM_MODELS"):
        Settings.from_environment({"LLM_MODELS": name})
    with pytest.raises(SettingsError, match="LLM_MODELS"):
        ModelFallback.from_settings(Settings(llm_models=(name,)))


def test_without_models_the_chain_is_not_configured():
    assert not ModelFallback.from_settings(Settings()).is_configured
    assert ModelFallback.from_settings(Settings(llm_models=("ollama/llama3.1",))).is_configured
