"""Reading settings from environment variables."""

from pathlib import Path

import pytest

from highlighter.settings import Settings, SettingsError


def test_empty_environment_gives_the_defaults():
    assert Settings.from_environment({}) == Settings()


def test_variables_are_parsed():
    settings = Settings.from_environment({"DATA_DIR": "/srv", "PORT": "9000", "TRUSTED_HOSTS": "a.example, b.example"})
    assert (settings.data_dir, settings.port, settings.trusted_hosts) == (
        Path("/srv"),
        9000,
        ("a.example", "b.example"),
    )


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
        ("MIN_GROUNDING", "1.5"),
        ("REFUSAL_TEXT", "   "),
        ("FILES_URL", "/srv/files"),
        ("FILES_URL", "s3://Bucket/prefix"),
        ("FILES_URL", "s3://bucket/a b"),
        ("FILES_CACHE_MB", "0"),
    ],
)
def test_error_names_the_variable_and_its_wrong_value(variable, value):
    with pytest.raises(SettingsError, match=f"{variable}='{value}' cannot be used"):
        Settings.from_environment({variable: value})


def test_models_keys_and_addresses_are_parsed():
    settings = Settings.from_environment(
        {
            "LLM_MODELS": "openai/gpt-4o-mini, anthropic/claude-x,ollama/llama3.1",
            "OLLAMA_BASE_URL": "http://gpu:11434/v1/",
            "ANTHROPIC_API_KEY": " sk-ant-1 ",
            "PROMPTS_DIR": "/srv/prompts",
            "EXTRACTIVE_FALLBACK": "0",
        }
    )
    assert settings.llm_models == ("openai/gpt-4o-mini", "anthropic/claude-x", "ollama/llama3.1")
    assert settings.ollama_base_url == "http://gpu:11434/v1"
    assert settings.anthropic_api_key.reveal() == "sk-ant-1"
    assert (settings.prompts_dir, settings.extractive_fallback) == (Path("/srv/prompts"), False)


def test_link_keys_are_parsed_and_not_shown():
    settings = Settings.from_environment({"LINK_KEYS": f"new:{'n' * 32}, old:{'o' * 31}:"})
    assert [(name, secret.reveal()) for name, secret in settings.link_keys] == [
        ("new", "n" * 32),
        ("old", "o" * 31 + ":"),
    ]
    assert "nnn" not in repr(settings)


@pytest.mark.parametrize("value", ["n" * 40, f"new:{'n' * 31}", f"a:{'n' * 32},a:{'o' * 32}", f"a b:{'n' * 32}"])
def test_error_for_an_invalid_link_key_does_not_show_it(value):
    with pytest.raises(SettingsError, match="LINK_KEYS cannot be used") as error:
        Settings.from_environment({"LINK_KEYS": value})
    assert "nnn" not in str(error.value)


@pytest.mark.parametrize("variable", ["EMBED_ORIGINS", "CORS_ORIGINS"])
def test_origins_are_parsed_alike_in_all_settings(variable):
    settings = Settings.from_environment({variable: "https://Chat.Example/, http://[::1]:8080"})
    assert getattr(settings, variable.lower()) == ("https://chat.example", "http://[::1]:8080")
    with pytest.raises(SettingsError, match=f"{variable}.*'chat.example' is not an origin.*scheme://host"):
        Settings.from_environment({variable: "chat.example"})


def test_any_origin_is_allowed_for_cors_but_not_for_embedding():
    assert Settings.from_environment({"CORS_ORIGINS": "*"}).cors_origins == ("*",)
    extension = f"chrome-extension://{'abcdefghijklmnop' * 2}"
    assert Settings.from_environment({"CORS_ORIGINS": extension}).cors_origins == (extension,)
    with pytest.raises(SettingsError, match="EMBED_ORIGINS"):
        Settings.from_environment({"EMBED_ORIGINS": "*"})


@pytest.mark.parametrize(
    "value", ["api.openai.com", "ftp://x/v1", "http://", "http://me:word@x/v1", "http://x/v1?key=1"]
)
def test_base_url_without_scheme_or_with_password_is_refused(value):
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL cannot be used"):
        Settings.from_environment({"OPENAI_BASE_URL": value})


@pytest.mark.parametrize(
    ("written", "host"), [("LocalHost", "localhost"), ("[::1]", "::1"), ("::", "::"), ("0.0.0.0", "0.0.0.0")]
)
def test_host_is_normalised(written, host):
    assert Settings.from_environment({"HOST": written}).host == host


@pytest.mark.parametrize("variable", ["HOST", "TRUSTED_HOSTS"])
def test_invalid_host_is_refused(variable):
    with pytest.raises(SettingsError, match=variable):
        Settings.from_environment({variable: "a..b"})


def test_host_with_a_port_is_refused():
    with pytest.raises(SettingsError, match="without a port"):
        Settings.from_environment({"HOST": "localhost:9000"})


@pytest.mark.parametrize("value", ["chroma:8000", "http://me:word@chroma:8000", "http://chroma:8000/path"])
def test_address_of_an_index_server_is_checked_and_not_shown(value):
    with pytest.raises(SettingsError, match="CHROMA_URL cannot be used") as error:
        Settings.from_environment({"CHROMA_URL": value})
    assert value not in str(error.value)


def test_addresses_of_storage_and_index_lose_a_final_slash():
    settings = Settings.from_environment({"FILES_URL": "s3://bucket/prefix/", "CHROMA_URL": "http://chroma:8000/"})
    assert (settings.files_url, settings.chroma_url) == ("s3://bucket/prefix", "http://chroma:8000")
