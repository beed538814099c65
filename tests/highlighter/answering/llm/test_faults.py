"""Each way in which a provider can fail, through both SDKs, over real connections."""

import pytest

from highlighter.answering.llm.call_limits import CallLimits, track_disconnect
from highlighter.answering.llm.errors import (
    ApiKeyMissing,
    ApiKeyRefused,
    CompletionCancelled,
    CompletionCutShort,
    CompletionEmpty,
    CompletionIsWebPage,
    CompletionMalformed,
    CompletionTimedOut,
    CompletionTooLong,
    ProviderBusy,
    ProviderFailed,
    ProviderRefused,
    ProviderUnreachable,
)
from highlighter.answering.llm.messages import FINISH_LENGTH, CompletionRequest, Message
from highlighter.errors import NoModelAnswered
from highlighter.secret import Secret
from tests.scripted.plays import (
    Cut,
    Fails,
    FailsMidway,
    Huge,
    Nothing,
    Page,
    Says,
    Shapeless,
    Slow,
    Unless,
    rate_limited,
    structure_refused,
)
from tests.scripted.plays import Malformed as Garbled

MESSAGES = [Message("system", "You are brief."), Message("user", "When does it leave?")]
CALL = CompletionRequest(MESSAGES, 100, 0.0)
SHAPE = {"type": "object", "title": "Times", "properties": {"at": {"type": "string"}}, "required": ["at"]}


@pytest.fixture(params=["openai", "anthropic"])
def model(request, chain_of):
    model = chain_of(f"{request.param}/writer").models[0]
    model.preload_sdk()
    return model


def complete(model, call=CALL, seconds=20.0):
    return model.complete(call, CallLimits(seconds))


def stream(model, call=CALL, seconds=20.0):
    return list(model.stream(call, CallLimits(seconds)))


def test_an_answer_comes_with_its_tokens(scripted, model):
    scripted.play("writer", Says("At seven.", tokens=(30, 4)))
    part = complete(model)
    assert (part.text, part.tokens, part.finish_reason) == ("At seven.", 34, "stop")


def test_a_stream_says_the_same_piece_by_piece(scripted, model):
    scripted.play("writer", Says("At seven in the morning. 早上七時。", piece=3, tokens=(30, 4), finish="length"))
    parts = stream(model)
    assert "".join(part.text for part in parts) == "At seven in the morning. 早上七時。"
    assert len([part for part in parts if part.text]) > 5
    assert (parts[-1].tokens, parts[-1].finish_reason) == (34, FINISH_LENGTH)


def test_what_is_asked_reaches_the_provider(scripted, model):
    scripted.play("writer", Says("Yes."))
    complete(model)
    (request,) = scripted.requests
    assert request.system == "You are brief."
    assert request.asked == "When does it leave?"
    assert (request.body["max_tokens"], request.body["temperature"]) == (100, 0.0)
    assert scripted.key in (request.headers.get("authorization", "") + request.headers.get("x-api-key", ""))


@pytest.mark.parametrize("ask", [complete, stream])
@pytest.mark.parametrize(
    ("play", "failure"),
    [
        (rate_limited(), ProviderBusy),
        (Fails(500), ProviderFailed),
        (Fails(503), ProviderFailed),
        (Fails(401), ApiKeyRefused),
        (Fails(403), ApiKeyRefused),
        (Fails(404), ProviderRefused),
        (Fails(400), ProviderRefused),
        (Fails(302, headers={"Location": "http://127.0.0.1:9/"}), ProviderRefused),
        (Garbled(), CompletionMalformed),
        (Huge(), CompletionTooLong),
        (Page(), CompletionIsWebPage),
        (Page(502), ProviderFailed),
        (Nothing(), CompletionEmpty),
        (Cut(), CompletionCutShort),
    ],
)
def test_each_fault_has_its_name(scripted, model, ask, play, failure):
    scripted.play("writer", play)
    if ask is stream and isinstance(play, Nothing):
        assert "".join(part.text for part in stream(model)) == ""  # whoever writes finds it empty: see test_chain.py
        return
    with pytest.raises(failure) as raised:
        ask(model)
    assert type(raised.value) is failure
    assert raised.value.detail.endswith((".", "?"))


@pytest.mark.parametrize(
    "play",
    [Shapeless(), Shapeless("[]"), Shapeless('"text"'), Shapeless("null"), Nothing(bare=True), Cut(politely=True)],
)
def test_json_of_another_shape_cannot_be_read(scripted, model, play):
    scripted.play("writer", play)
    with pytest.raises((CompletionMalformed, CompletionEmpty)):
        complete(model)


@pytest.mark.parametrize("play", [Cut(), Cut(politely=True), FailsMidway(), Garbled("The ferry")])
def test_a_stream_that_breaks_gives_what_it_had_and_then_fails(scripted, model, play):
    scripted.play("writer", play)
    heard = []
    with pytest.raises((CompletionCutShort, ProviderFailed, CompletionMalformed)):
        heard.extend(part.text for part in model.stream(CALL, CallLimits(20)))  # each as it comes
    assert "".join(heard).startswith("The ferry")


@pytest.mark.parametrize("ask", [complete, stream])
@pytest.mark.parametrize("drips", [False, True])
def test_a_model_that_is_slow_is_left_when_its_time_is_up(scripted, model, ask, drips):
    scripted.play("writer", Slow(drips))
    with pytest.raises(CompletionTimedOut):
        ask(model, seconds=0.3)
    assert scripted.hung_up.wait(20)  # and its connection is closed


@pytest.mark.parametrize("ask", [complete, stream])
def test_a_model_is_left_when_nobody_listens_any_more(scripted, model, ask):
    scripted.play("writer", Slow())
    call = model.complete if ask is complete else lambda *asked: list(model.stream(*asked))
    with track_disconnect(lambda: bool(scripted.requests)), pytest.raises(CompletionCancelled):
        call(CALL, CallLimits(600))
    assert scripted.hung_up.wait(20)


def test_a_stream_that_is_no_longer_read_hangs_up(scripted, model):
    scripted.play("writer", Huge(30_000_000))
    parts = model.stream(CompletionRequest(MESSAGES, 1_000_000, 0.0), CallLimits(60))
    next(parts)
    parts.close()
    assert scripted.hung_up.wait(20)


def test_an_address_where_nobody_listens_cannot_be_reached(scripted, model):
    scripted.close()
    with pytest.raises(ProviderUnreachable):
        complete(model)


def test_without_a_key_nothing_is_asked(scripted, model):
    model.secret = Secret()
    with pytest.raises(ApiKeyMissing, match="_API_KEY is not set"):
        complete(model)
    assert scripted.requests == []


def test_those_at_home_need_no_key(scripted, chain_of):
    scripted.play("llama", Says("At seven."))
    for name in ("ollama/llama", "vllm/llama"):
        assert complete(chain_of(name).models[0]).text == "At seven."


def test_a_schema_is_sent_in_the_providers_own_way(scripted, model):
    scripted.play("writer", Says('{"at": "seven"}'))
    assert complete(model, CompletionRequest(MESSAGES, 100, 0.0, SHAPE)).omitted_parameters == frozenset()
    body = scripted.requests[-1].body
    sent = body["response_format"]["json_schema"] if "response_format" in body else body["output_config"]["format"]
    assert sent["schema"]["properties"]["at"]["type"] == "string"


def test_a_model_that_takes_no_schema_is_asked_without_it(scripted, model):
    scripted.play("writer", structure_refused(Says('{"at": "seven"}')))
    part = complete(model, CompletionRequest(MESSAGES, 100, 0.0, SHAPE))
    assert part.text == '{"at": "seven"}'
    assert part.omitted_parameters == {model.schema_parameter}
    assert len(scripted.requests) == 2


@pytest.mark.parametrize("ask", [complete, stream])
def test_a_model_that_takes_no_temperature_is_asked_without_it_and_that_is_remembered(scripted, model, ask):
    scripted.play("writer", Unless("temperature", Says("At seven.")))
    ask(model)
    ask(model)
    assert ["temperature" in request.body for request in scripted.requests] == [True, False, False]


def test_a_model_that_knows_only_the_newer_name_of_the_limit_is_told_by_it(scripted, chain_of):
    message = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    )
    scripted.play("writer", Unless("max_tokens", Says("At seven."), message))
    assert complete(chain_of("openai/writer").models[0]).text == "At seven."
    assert scripted.requests[-1].body["max_completion_tokens"] == 100


def test_half_a_character_does_not_stop_a_call(scripted, model):
    scripted.play("writer", Says("Yes."))
    assert complete(model, CompletionRequest([Message("user", "caf\ud83d?")], 100, 0.0)).text == "Yes."


def test_a_reply_far_longer_than_asked_for_is_not_taken(scripted, model):
    scripted.play("writer", Says("word " * 2_000))
    with pytest.raises(CompletionTooLong):
        complete(model)
    with pytest.raises(CompletionTooLong):
        stream(model)


def test_nobody_set_up_is_said_so(chain_of):
    with pytest.raises(NoModelAnswered, match="LLM_MODELS is empty"):
        chain_of().complete(MESSAGES, max_tokens=10, temperature=0)
