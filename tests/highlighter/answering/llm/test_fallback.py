import pytest

from highlighter.answering.llm.call_limits import track_disconnect
from highlighter.answering.llm.errors import CompletionCancelled, CompletionInterrupted
from highlighter.answering.llm.fallback import ModelFallback
from highlighter.answering.llm.messages import Message
from highlighter.errors import NoModelAnswered
from highlighter.settings import PROVIDERS, Settings, SettingsError
from tests.scripted.fake_replies import (
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
OPTIONS = {"max_tokens": 100, "temperature": 0.0}


def test_first_model_answers(scripted, chain_of):
    scripted.play("first", Says("At seven."))
    scripted.play("second", Says("At eight."))
    reply = chain_of("openai/first", "anthropic/second").complete(MESSAGES, **OPTIONS)
    assert (reply.text, reply.model, reply.tokens, reply.failed_attempts) == ("At seven.", "openai/first", 18, ())
    assert reply.latency_ms >= 0
    assert scripted.requests_to("second") == []


@pytest.mark.parametrize(
    "play",
    [Fails(500), Fails(401), Fails(404), rate_limited(), Malformed(), Shapeless(), Huge(), Page(), Nothing(), Cut()],
)
def test_next_model_follows_failed_model_and_failure_is_recorded(scripted, chain_of, play):
    scripted.play("first", play)
    scripted.play("second", Says("At eight."))
    chain = chain_of("openai/first", "anthropic/second", llm_retries=1)
    reply = chain.complete(MESSAGES, **OPTIONS)
    assert (reply.text, reply.model) == ("At eight.", "anthropic/second")
    assert reply.failed_attempts
    assert all(attempt.startswith("openai/first: ") for attempt in reply.failed_attempts)
    completion = chain.stream(MESSAGES, **OPTIONS)
    if isinstance(play, (Cut, Huge)):
        return  # these begin to write: see the tests of interrupted streams
    assert "".join(completion) == "At eight."
    assert (completion.model, completion.tokens, completion.finish_reason) == ("anthropic/second", 18, "stop")
    assert completion.failed_attempts[0].startswith("openai/first: ")


def test_slow_model_leaves_whole_deadline_to_next_model(scripted, chain_of):
    scripted.play("first", Slow())
    scripted.play("second", Says("At eight."))
    chain = chain_of("openai/first", "anthropic/second")
    chain.models[1].preload_sdk()
    reply = chain.complete(MESSAGES, **OPTIONS, deadline=1.0)
    assert (reply.model, len(scripted.requests_to("first"))) == ("anthropic/second", 1)


@pytest.mark.parametrize("play", [rate_limited(), Fails(500), Fails(503), Cut()])
def test_temporary_failure_is_retried(scripted, chain_of, play):
    scripted.play("only", play, play, Says("At seven."))
    reply = chain_of("openai/only", llm_retries=2).complete(MESSAGES, **OPTIONS)
    assert (reply.text, len(reply.failed_attempts), len(scripted.requests)) == ("At seven.", 2, 3)


@pytest.mark.parametrize("play", [Fails(401), Fails(400), Fails(404), Malformed(), Page(), Nothing()])
def test_permanent_failure_is_not_retried(scripted, chain_of, play):
    scripted.play("only", play)
    with pytest.raises(NoModelAnswered):
        chain_of("openai/only", llm_retries=2).complete(MESSAGES, **OPTIONS)
    assert len(scripted.requests) == 1


def test_retries_are_bounded(scripted, chain_of):
    scripted.play("only", Fails(500))
    with pytest.raises(NoModelAnswered):
        chain_of("openai/only", llm_retries=3).complete(MESSAGES, **OPTIONS)
    assert len(scripted.requests) == 4


def test_retry_waits_as_long_as_provider_asks(scripted, chain_of):
    scripted.play("only", rate_limited(0.4), Says("At seven."))
    chain_of("openai/only").complete(MESSAGES, **OPTIONS)
    first, second = scripted.requests
    assert second.received_at - first.received_at >= 0.4


@pytest.mark.parametrize("wait", [11, 3600, 1e12])
def test_next_model_follows_provider_that_asks_for_long_wait(scripted, chain_of, wait):
    scripted.play("first", rate_limited(wait))
    scripted.play("second", Says("At eight."))
    assert chain_of("openai/first", "openai/second").complete(MESSAGES, **OPTIONS).text == "At eight."
    assert len(scripted.requests_to("first")) == 1


def test_wait_longer_than_time_left_is_not_started(scripted, chain_of):
    scripted.play("only", rate_limited(5))
    chain = chain_of("openai/only")
    with pytest.raises(NoModelAnswered, match="HTTP 429"):
        chain.complete(MESSAGES, **OPTIONS, deadline=3.0)
    assert len(scripted.requests) == 1


def test_error_quotes_every_failed_attempt(scripted, chain_of):
    scripted.play("first", Fails(500, "Out of order"))
    scripted.play("second", Fails(401))
    with pytest.raises(NoModelAnswered) as raised:
        chain_of("openai/first", "anthropic/second", llm_retries=0).complete(MESSAGES, **OPTIONS)
    assert raised.value.attempts == (
        "openai/first: The provider failed (HTTP 500): Out of order.",
        "anthropic/second: The provider rejected the API key (HTTP 401).",
    )
    assert all(attempt in raised.value.detail for attempt in raised.value.attempts)
    assert raised.value.status == 503


@pytest.mark.parametrize("play", [Cut(), Cut(politely=True), FailsMidway(), Malformed("The ferry leaves")])
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_interrupted_stream_raises_and_next_model_is_not_asked(scripted, chain_of, provider, play):
    scripted.play("first", play)
    scripted.play("second", Says("At eight."))
    completion = chain_of(f"{provider}/first", "openai/second").stream(MESSAGES, **OPTIONS)
    texts = []
    with pytest.raises(CompletionInterrupted) as raised:
        texts.extend(completion)  # text by text
    assert "".join(texts) == raised.value.text == completion.text == "The ferry leaves"
    assert raised.value.model == completion.model == f"{provider}/first"
    assert scripted.requests_to("second") == []


def test_white_space_before_interruption_does_not_count_as_text(scripted, chain_of):
    scripted.play("first", Cut(" \n "))
    scripted.play("second", Says("\n At eight."))
    completion = chain_of("openai/first", "openai/second", llm_retries=0).stream(MESSAGES, **OPTIONS)
    assert "".join(completion) == "\n At eight."
    assert completion.model == "openai/second"


def test_stream_ends_when_client_disconnects(scripted, chain_of):
    scripted.play("first", Says("At seven in the morning."))
    scripted.play("second", Says("At eight."))
    completion = chain_of("openai/first", "openai/second").stream(MESSAGES, **OPTIONS)
    texts = []
    with track_disconnect(lambda: bool(scripted.requests)), pytest.raises(CompletionCancelled):
        texts.extend(completion)
    assert "At seven in the morning.".startswith("".join(texts))
    assert scripted.requests_to("second") == []


def test_stream_sends_no_request_before_it_is_iterated(scripted, chain_of):
    scripted.play("only", Says("At seven."))
    chain_of("openai/only").stream(MESSAGES, **OPTIONS)
    assert scripted.requests == []


def test_completion_tells_whether_schema_was_enforced(scripted, chain_of):
    schema = {"type": "object", "properties": {"at": {"type": "string"}}}
    scripted.play("can", Says('{"at": "seven"}'))
    scripted.play("cannot", structure_refused(Says('{"at": "seven"}')))
    assert chain_of("openai/can").complete(MESSAGES, **OPTIONS, schema=schema).is_structured
    assert not chain_of("openai/cannot").complete(MESSAGES, **OPTIONS, schema=schema).is_structured
    assert not chain_of("openai/can").complete(MESSAGES, **OPTIONS).is_structured


@pytest.mark.parametrize("provider", PROVIDERS)
def test_provider_prefix_selects_address_and_key(scripted, chain_of, provider):
    scripted.play("org/writer", Says("At seven."))
    reply = chain_of(f"{provider}/org/writer").complete(MESSAGES, **OPTIONS)
    assert (reply.model, scripted.requests[0].model) == (f"{provider}/org/writer", "org/writer")


@pytest.mark.parametrize("name", ["gpt-4o", "nobody/gpt", "openai/", "/x"])
def test_unknown_model_name_is_refused_at_start(name):
    with pytest.raises(SettingsError, match="LLM_MODELS"):
        Settings.from_environment({"LLM_MODELS": name})
    with pytest.raises(SettingsError, match="LLM_MODELS"):
        ModelFallback.from_settings(Settings(llm_models=(name,)))


def test_fallback_without_models_is_not_configured():
    assert not ModelFallback.from_settings(Settings()).is_configured
    assert ModelFallback.from_settings(Settings(llm_models=("ollama/llama3.1",))).is_configured
