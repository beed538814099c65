from pathlib import Path

import pytest

from highlighter.settings import Settings, SettingsError


def test_nothing_set_is_the_defaults():
    assert Settings.from_environment({}) == Settings()


def test_every_variable_is_read():
    read = Settings.from_environment({"DATA_DIR": "/srv", "PORT": "9000", "TRUSTED_HOSTS": "a.example, b.example"})
    assert (read.data_dir, read.port, read.trusted_hosts) == (Path("/srv"), 9000, ("a.example", "b.example"))


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "eighty"),
        ("HIGHLIGHT_SIMILARITY_THRESHOLD", "1.5"),
        ("HIGHLIGHT_METHOD", "magic"),
        ("WORKERS", "0"),
        ("TYPESETTER", "word"),
        ("LLM_RETRIES", "-1"),
        ("LLM_MODELS", "gpt-4o"),
    ],
)
def test_a_wrong_value_is_named(variable, value):
    with pytest.raises(SettingsError, match=f"{variable}='{value}' cannot be used"):
        Settings.from_environment({variable: value})


def test_models_keys_and_addresses_are_read():
    read = Settings.from_environment(
        {
            "LLM_MODELS": "openai/gpt-4o-mini, anthropic/claude-x,ollama/llama3.1",
            "OLLAMA_BASE_URL": "http://gpu:11434/v1/",
            "ANTHROPIC_API_KEY": " sk-ant-1 ",
            "PROMPTS_DIR": "/srv/prompts",
            "EXTRACTIVE_FALLBACK": "0",
        }
    )
    assert read.llm_models == ("openai/gpt-4o-mini", "anthropic/claude-x", "ollama/llama3.1")
    assert read.ollama_base_url == "http://gpu:11434/v1"
    assert read.anthropic_api_key.reveal() == "sk-ant-1"
    assert (read.prompts_dir, read.extractive_fallback) == (Path("/srv/prompts"), False)


@pytest.mark.parametrize(
    "value", ["api.openai.com", "ftp://x/v1", "http://", "http://me:word@x/v1", "http://x/v1?key=1"]
)
def test_a_base_url_is_an_address_without_a_password(value):
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL cannot be used"):
        Settings.from_environment({"OPENAI_BASE_URL": value})
