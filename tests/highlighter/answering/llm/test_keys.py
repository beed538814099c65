"""Keys are sent to their provider and appear nowhere else."""

import logging
import traceback

import pytest

from highlighter.answering.llm.messages import Message
from highlighter.answering.llm.sdk_errors import redact_keys
from highlighter.errors import NoModelAnswered
from highlighter.secret import Secret
from highlighter.settings import Settings, SettingsError
from tests.scripted.fake_replies import Cut, Fails, FailsMidway, Says, Shapeless
from tests.scripted.server import ScriptedProvider

MESSAGES = [Message("user", "When?")]
ECHOES = [
    *(Fails(status, f"Incorrect key {ScriptedProvider.key} given.") for status in (400, 401, 404, 429, 500)),
    FailsMidway(message=f"Overloaded, {ScriptedProvider.key}"),
    Shapeless('{"error": "' + ScriptedProvider.key + '"}'),
    Cut(),
]


@pytest.mark.parametrize("play", ECHOES)
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_key_repeated_by_provider_is_redacted_everywhere(scripted, chain_of, caplog, provider, play):
    caplog.set_level(logging.DEBUG)
    scripted.play("writer", play)
    chain = chain_of(f"{provider}/writer", llm_retries=0)
    seen = [repr(chain), repr(chain.models), repr(vars(chain.models[0]))]
    for ask in (chain.complete, lambda *args, **options: list(chain.stream(*args, **options))):
        with pytest.raises(Exception) as raised:  # noqa: PT011 - any error
            ask(MESSAGES, max_tokens=50, temperature=0)
        seen += [repr(raised.value), str(raised.value), "".join(traceback.format_exception(raised.value))]
        seen += [repr(getattr(raised.value, "attempts", "")), *(repr(cause) for cause in list_causes(raised.value))]
    assert scripted.requests, "it was sent"
    assert all(scripted.key in str(request.headers) for request in scripted.requests)
    assert all(scripted.key not in text for text in [*seen, caplog.text, *map(repr, caplog.records)])


def list_causes(err):
    while (err := err.__cause__ or err.__context__) is not None:
        yield err


def test_settings_hide_keys():
    settings = Settings.from_environment({"OPENAI_API_KEY": "sk-very-secret", "GROQ_API_KEY": "gsk-very-secret"})
    assert settings.openai_api_key.reveal() == "sk-very-secret"
    assert "very-secret" not in repr(settings)
    assert "very-secret" not in f"{settings.openai_api_key} {settings.openai_api_key!r}"


@pytest.mark.parametrize("value", ["sk-secret\nX-Evil: 1", "sk-sécret", "sk secret"])
def test_invalid_key_is_refused_and_not_repeated(value):
    with pytest.raises(SettingsError, match="OPENAI_API_KEY cannot be used") as raised:
        Settings.from_environment({"OPENAI_API_KEY": value})
    assert value not in "".join(traceback.format_exception(raised.value))


def test_base_url_with_password_is_refused_and_not_repeated():
    password = "password" + "1"  # concatenated, as the traceback shows this line
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL cannot be used") as raised:
        Settings.from_environment({"OPENAI_BASE_URL": f"http://me:{password}@example.org/v1"})
    assert password not in "".join(traceback.format_exception(raised.value))


def test_text_that_looks_like_a_key_is_redacted():
    assert redact_keys("Incorrect API key: sk-ab12****wxyz.", Secret("other")) == "Incorrect API key: ***"


def test_plain_key_is_stored_as_secret(scripted, chain_of):
    scripted.play("writer", Says("Yes."))
    chain = chain_of("openai/writer", openai_api_key=scripted.key)
    assert chain.complete(MESSAGES, max_tokens=5, temperature=0).text == "Yes."
    assert scripted.key not in repr(vars(chain.models[0]))


def test_missing_key_error_names_variable(scripted, chain_of):
    with pytest.raises(NoModelAnswered, match="groq/writer: GROQ_API_KEY is not set"):
        chain_of("groq/writer", groq_api_key=Secret()).complete(MESSAGES, max_tokens=5, temperature=0)
