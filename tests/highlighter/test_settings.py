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


def test_link_keys_are_read_and_not_shown():
    read = Settings.from_environment({"LINK_KEYS": f"new:{'n' * 32}, old:{'o' * 31}:"})
    assert [(name, secret.reveal()) for name, secret in read.link_keys] == [("new", "n" * 32), ("old", "o" * 31 + ":")]
    assert "nnn" not in repr(read)


@pytest.mark.parametrize("value", ["n" * 40, f"new:{'n' * 31}", f"a:{'n' * 32},a:{'o' * 32}", f"a b:{'n' * 32}"])
def test_a_link_key_that_cannot_be_used_is_told_without_being_shown(value):
    with pytest.raises(SettingsError, match="LINK_KEYS cannot be used") as told:
        Settings.from_environment({"LINK_KEYS": value})
    assert "nnn" not in str(told.value)


@pytest.mark.parametrize("knob", ["EMBED_ORIGINS", "CORS_ORIGINS"])
def test_origins_are_read_alike_wherever_they_are_named(knob):
    read = Settings.from_environment({knob: "https://Chat.Example/, http://[::1]:8080"})
    assert getattr(read, knob.lower()) == ("https://chat.example", "http://[::1]:8080")
    with pytest.raises(SettingsError, match=f"{knob}.*'chat.example' is no origin.*scheme://host"):
        Settings.from_environment({knob: "chat.example"})


def test_anybody_s_pages_may_be_let_in_to_the_api_but_not_frame_the_viewer():
    assert Settings.from_environment({"CORS_ORIGINS": "*"}).cors_origins == ("*",)
    with pytest.raises(SettingsError, match="EMBED_ORIGINS"):
        Settings.from_environment({"EMBED_ORIGINS": "*"})


@pytest.mark.parametrize(
    "value", ["api.openai.com", "ftp://x/v1", "http://", "http://me:word@x/v1", "http://x/v1?key=1"]
)
def test_a_base_url_is_an_address_without_a_password(value):
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL cannot be used"):
        Settings.from_environment({"OPENAI_BASE_URL": value})


@pytest.mark.parametrize(
    ("written", "read"), [("LocalHost", "localhost"), ("[::1]", "::1"), ("::", "::"), ("0.0.0.0", "0.0.0.0")]
)
def test_host_is_read_as_it_may_be_written(written, read):
    assert Settings.from_environment({"HOST": written}).host == read


@pytest.mark.parametrize("variable", ["HOST", "TRUSTED_HOSTS"])
def test_what_is_no_host_is_refused(variable):
    with pytest.raises(SettingsError, match=variable):
        Settings.from_environment({variable: "a..b"})


def test_host_with_a_port_is_refused():
    with pytest.raises(SettingsError, match="without a port"):
        Settings.from_environment({"HOST": "localhost:9000"})
