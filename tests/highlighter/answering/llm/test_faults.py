"""Failures of providers, through both SDKs, over real connections."""

import subprocess
import sys

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
from tests.scripted.fake_replies import (
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
from tests.scripted.fake_replies import Malformed as Garbled

MESSAGES = [Message("system", "You are brief."), Message("user", "When does it leave?")]
REQUEST = CompletionRequest(MESSAGES, 100, 0.0)
SCHEMA = {"type": "object", "title": "Times", "properties": {"at": {"type": "string"}}, "required": ["at"]}


@pytest.fixture(params=["openai", "anthropic"])
def model(request, chain_of):
    model = chain_of(f"{request.param}/writer").models[0]
    model.preload_sdk()
    return model


def complete(model, request=REQUEST, seconds=20.0):
    return model.complete(request, CallLimits(seconds))


def stream(model, request=REQUEST, seconds=20.0):
    return list(model.stream(request, CallLimits(seconds)))


def test_completion_has_text_tokens_and_finish_reason(scripted, model):
    scripted.play("writer", Says("At seven.", tokens=(30, 4)))
    part = complete(model)
    assert (part.text, part.tokens, part.finish_reason) == ("At seven.", 34, "stop")


def test_stream_yields_text_in_parts_and_tokens_last(scripted, model):
    scripted.play("writer", Says("At seven in the morning. 早上七時。", piece=3, tokens=(30, 4), finish="length"))
    parts = stream(model)
    assert "".join(part.text for part in parts) == "At seven in the morning. 早上七時。"
    assert len([part for part in parts if part.text]) > 5
    assert (parts[-1].tokens, parts[-1].finish_reason) == (34, FINISH_LENGTH)


def test_provider_receives_messages_options_and_key(scripted, model):
    scripted.play("writer", Says("Yes."))
    complete(model)
    (request,) = scripted.requests
    assert request.system_message == "You are brief."
    assert request.user_message == "When does it leave?"
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
def test_provider_failure_raises_its_own_error(scripted, model, ask, play, failure):
    scripted.play("writer", play)
    if ask is stream and isinstance(play, Nothing):
        assert (
            "".join(part.text for part in stream(model)) == ""
        )  # the caller finds the stream empty: see test_fallback.py
        return
    with pytest.raises(failure) as raised:
        ask(model)
    assert type(raised.value) is failure
    assert raised.value.detail.endswith((".", "?"))


@pytest.mark.parametrize(
    "play",
    [Shapeless(), Shapeless("[]"), Shapeless('"text"'), Shapeless("null"), Nothing(bare=True), Cut(politely=True)],
)
def test_json_of_unexpected_shape_is_malformed(scripted, model, play):
    scripted.play("writer", play)
    with pytest.raises((CompletionMalformed, CompletionEmpty)):
        complete(model)


@pytest.mark.parametrize("play", [Cut(), Cut(politely=True), FailsMidway(), Garbled("The ferry")])
def test_interrupted_stream_yields_its_text_then_raises(scripted, model, play):
    scripted.play("writer", play)
    texts = []
    with pytest.raises((CompletionCutShort, ProviderFailed, CompletionMalformed)):
        texts.extend(part.text for part in model.stream(REQUEST, CallLimits(20)))  # part by part
    assert "".join(texts).startswith("The ferry")


@pytest.mark.parametrize("ask", [complete, stream])
@pytest.mark.parametrize("drips", [False, True])
def test_slow_model_times_out_and_connection_closes(scripted, model, ask, drips):
    scripted.play("writer", Slow(drips))
    with pytest.raises(CompletionTimedOut):
        ask(model, seconds=0.3)
    # The connection is closed; on a busy machine the time can end before the request is sent.
    assert scripted.hung_up.wait(20) or not scripted.requests


@pytest.mark.parametrize("ask", [complete, stream])
def test_call_is_cancelled_when_client_disconnects(scripted, model, ask):
    scripted.play("writer", Slow())
    call = model.complete if ask is complete else lambda *arguments: list(model.stream(*arguments))
    with track_disconnect(lambda: bool(scripted.requests)), pytest.raises(CompletionCancelled):
        call(REQUEST, CallLimits(600))
    assert scripted.hung_up.wait(20)


def test_closed_stream_closes_connection(scripted, model):
    scripted.play("writer", Huge(30_000_000))
    parts = model.stream(CompletionRequest(MESSAGES, 1_000_000, 0.0), CallLimits(60))
    next(parts)
    parts.close()
    assert scripted.hung_up.wait(20)


def test_closed_port_is_unreachable(scripted, model):
    scripted.close()
    with pytest.raises(ProviderUnreachable):
        complete(model)


def test_missing_key_sends_no_request(scripted, model):
    model.secret = Secret()
    with pytest.raises(ApiKeyMissing, match="_API_KEY is not set"):
        complete(model)
    assert scripted.requests == []


def test_local_providers_need_no_key(scripted, chain_of):
    scripted.play("llama", Says("At seven."))
    for name in ("ollama/llama", "vllm/llama"):
        assert complete(chain_of(name).models[0]).text == "At seven."


def test_schema_is_sent_in_format_of_provider(scripted, model):
    scripted.play("writer", Says('{"at": "seven"}'))
    assert complete(model, CompletionRequest(MESSAGES, 100, 0.0, SCHEMA)).omitted_parameters == frozenset()
    body = scripted.requests[-1].body
    sent = body["response_format"]["json_schema"] if "response_format" in body else body["output_config"]["format"]
    assert sent["schema"]["properties"]["at"]["type"] == "string"


def test_refused_schema_is_left_out(scripted, model):
    scripted.play("writer", structure_refused(Says('{"at": "seven"}')))
    part = complete(model, CompletionRequest(MESSAGES, 100, 0.0, SCHEMA))
    assert part.text == '{"at": "seven"}'
    assert part.omitted_parameters == {model.schema_parameter}
    assert len(scripted.requests) == 2


@pytest.mark.parametrize("ask", [complete, stream])
def test_refused_temperature_is_left_out_from_then_on(scripted, model, ask):
    scripted.play("writer", Unless("temperature", Says("At seven.")))
    ask(model)
    ask(model)
    assert ["temperature" in request.body for request in scripted.requests] == [True, False, False]


def test_refused_max_tokens_is_sent_as_max_completion_tokens(scripted, chain_of):
    message = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    )
    scripted.play("writer", Unless("max_tokens", Says("At seven."), message))
    assert complete(chain_of("openai/writer").models[0]).text == "At seven."
    assert scripted.requests[-1].body["max_completion_tokens"] == 100


def test_unpaired_surrogate_in_message_does_not_fail_call(scripted, model):
    scripted.play("writer", Says("Yes."))
    assert complete(model, CompletionRequest([Message("user", "caf\ud83d?")], 100, 0.0)).text == "Yes."


def test_reply_far_above_max_tokens_is_refused(scripted, model):
    scripted.play("writer", Says("word " * 2_000))
    with pytest.raises(CompletionTooLong):
        complete(model)
    with pytest.raises(CompletionTooLong):
        stream(model)


def test_error_without_models_names_setting(chain_of):
    with pytest.raises(NoModelAnswered, match="LLM_MODELS is empty"):
        chain_of().complete(MESSAGES, max_tokens=10, temperature=0)


WHILE_HTTPX_IS_IMPORTED = """
import sys, threading, time
from importlib.machinery import PathFinder
from highlighter.answering.llm.call_limits import CallLimits
from highlighter.answering.llm.providers import create_model_client
from highlighter.settings import Settings

begun = threading.Event()

class SlowFinder:
    def find_spec(self, name, path=None, target=None):
        if name != "httpx":
            return None
        spec = PathFinder.find_spec(name, path)
        execute = spec.loader.exec_module
        def execute_slowly(module):
            begun.set()
            time.sleep(0.5)
            execute(module)
        spec.loader.exec_module = execute_slowly
        return spec

client = create_model_client("vllm/m", Settings(vllm_base_url="http://127.0.0.1:9/v1"))
client._import_sdk()
sys.meta_path.insert(0, SlowFinder())
threading.Thread(target=lambda: __import__("httpx")).start()
begun.wait()
client.preload_sdk()
with client._open_client(CallLimits(10)):
    print("created")
"""


def test_client_is_created_while_another_thread_imports_httpx():
    """The SDK looks at httpx where somebody imports it, and fails where that has only begun."""
    run = subprocess.run([sys.executable, "-c", WHILE_HTTPX_IS_IMPORTED], capture_output=True, text=True)
    assert (run.stdout, run.returncode) == ("created\n", 0), run.stderr
