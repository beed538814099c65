"""Every knob: its default, its environment variable, how it is read. Builds nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from highlighter.errors import HighlighterError
from highlighter.hosts import host_name
from highlighter.origins import as_origin
from highlighter.secret import Secret


class SettingsError(HighlighterError):
    title = "A setting is wrong"


def _knob(default: Any, read: Callable[[str], Any], variable: str, about: str, shown: bool = True) -> Any:
    """What is not `shown` is a secret, or may hold one: no message and no repr repeats it."""
    about_it = {"read": read, "variable": variable, "about": about, "shown": shown}
    return field(default=default, metadata=about_it, repr=shown)


def _names(value: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in value.split(",") if name.strip())


def _host(value: str) -> str:
    name = host_name(value)
    if value.lower() not in (name, f"[{name}]"):
        raise ValueError("it must be a name or an address, without a port")
    return name


def _hosts(value: str) -> tuple[str, ...]:
    return tuple("." * name.startswith(".") + host_name(name.removeprefix(".")) for name in _names(value))


def _fraction(value: str) -> float:
    number = float(value)
    if not 0.0 <= number <= 1.0:
        raise ValueError("it must lie between 0 and 1")
    return number


def _positive(value: str) -> int:
    number = int(value)
    if number < 1:
        raise ValueError("it must be 1 or more")
    return number


def _port(value: str) -> int:
    number = int(value)
    if not 1 <= number <= 65_535:
        raise ValueError("it must lie between 1 and 65535")
    return number


def _count(value: str) -> int:
    number = int(value)
    if number < 0:
        raise ValueError("it must be 0 or more")
    return number


def _switch(value: str) -> bool:
    if value not in ("0", "1"):
        raise ValueError("it must be 0 or 1")
    return value == "1"


def _method(value: str) -> str:
    if value not in METHODS:
        raise ValueError(f"it must be one of {', '.join(METHODS)}")
    return value


def usual_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "highlighter"


def _typesetter(value: str) -> str:
    if value not in TYPESETTERS:
        raise ValueError(f"it must be one of {', '.join(TYPESETTERS)}")
    return value


def _rate(value: str) -> str:
    if value == "0":
        return ""
    if not re.fullmatch(r"[1-9]\d{0,8}/([1-9]\d{0,2} ?)?(second|minute|hour|day)", value):
        raise ValueError("it must be so many in a time, such as 600/minute, or 0 for no limit")
    return value


def _origins(value: str) -> tuple[str, ...]:
    return tuple(map(as_origin, _names(value)))


def _origins_or_any(value: str) -> tuple[str, ...]:
    return tuple(name if name == "*" else as_origin(name) for name in _names(value))


def _required(value: str) -> str:
    if value not in REQUIRED:
        raise ValueError(f"it must be one of {', '.join(REQUIRED)}")
    return value


def _models(value: str) -> tuple[str, ...]:
    names = _names(value)
    for name in names:
        prefix, _, model = name.partition("/")
        if prefix not in PROVIDERS or not model:
            raise ValueError(f"{name!r} must be PROVIDER/MODEL, with one of {', '.join(PROVIDERS)}")
    return names


def _address(value: str) -> str:
    if not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#@]*)?", value):
        raise ValueError("it must be an address that begins with http:// or https://, and hold no password")
    return value.rstrip("/")


def _key(value: str) -> Secret:
    value = value.strip()
    if not all(" " < character <= "~" for character in value):
        raise ValueError("it holds characters that no key has")
    return Secret(value)


def _link_keys(value: str) -> tuple[tuple[str, Secret], ...]:
    keys = tuple((name, Secret(secret)) for name, _, secret in (key.partition(":") for key in _names(value)))
    if not all(re.fullmatch(r"[\w.-]{1,40}", name, re.ASCII) for name, _ in keys):
        raise ValueError("each key must be ID:SECRET, with letters, digits, ., _ or - in its ID")
    if any(len(secret.reveal()) < LINK_SECRET for _, secret in keys):
        raise ValueError(f"each secret must have {LINK_SECRET} characters or more")
    if len({name for name, _ in keys}) < len(keys):
        raise ValueError("two keys have the same ID")
    return keys


def _base_url(provider: str, default: str) -> Any:
    return _knob(default, _address, f"{provider.upper()}_BASE_URL", f"where {provider}/ models are asked", shown=False)


def _api_key(provider: str) -> Any:
    return _knob(Secret(), _key, f"{provider.upper()}_API_KEY", f"the key for {provider}/ models", shown=False)


LINK_SECRET = 32  # characters: as many as HS256 asks for
# Who models are asked of. All but anthropic speak OpenAI's language.
PROVIDERS = ("openai", "anthropic", "groq", "gemini", "openrouter", "ollama", "vllm")
METHODS = ("evidence", "cosine")
AUTO, NO, YES = REQUIRED = ("auto", "0", "1")
REPORTLAB, LIBREOFFICE = TYPESETTERS = ("reportlab", "libreoffice")


@dataclass(frozen=True, slots=True)
class Settings:
    """Read once at start; tests make their own."""

    data_dir: Path = _knob(Path("data"), Path, "DATA_DIR", "where everything is kept")
    host: str = _knob("127.0.0.1", _host, "HOST", "address to serve on")
    port: int = _knob(8000, _port, "PORT", "port to serve on")
    takeover_seconds: int = _knob(
        20, _count, "TAKEOVER_SECONDS", "how long a starting server waits for another on the same DATA_DIR to stop"
    )
    trusted_hosts: tuple[str, ...] = _knob(
        (), _hosts, "TRUSTED_HOSTS", "host names answered to, comma-separated (on loopback: this machine's)"
    )
    require_keys: str = _knob(
        AUTO, _required, "REQUIRE_KEYS", "1: always; 0: never on loopback; auto: on loopback only once there are keys"
    )
    rate_read: str = _knob("6000/minute", _rate, "RATE_READ", "how often one key may read and search; 0: no limit")
    rate_ingest: str = _knob("600/minute", _rate, "RATE_INGEST", "how often it may hand files in, or delete them")
    rate_link: str = _knob(
        "1200/minute", _rate, "RATE_LINK", "how often one signed link may be read by, pictures and all"
    )
    rate_answer: str = _knob("120/minute", _rate, "RATE_ANSWER", "how often it may ask for an answer")
    cors_origins: tuple[str, ...] = _knob(
        (),
        _origins_or_any,
        "CORS_ORIGINS",
        "whose pages may use the API from a browser, comma-separated; *: all, with a key",
    )
    service_url: str = _knob(
        "", _address, "HIGHLIGHTER_URL", "a service elsewhere that the command line asks", shown=False
    )
    service_key: Secret = _knob(Secret(), _key, "HIGHLIGHTER_KEY", "the key that it is shown", shown=False)
    embedding_model: str = _knob(
        "all-MiniLM-L6-v2-int8", str, "EMBEDDING_MODEL", "a sentence-transformers name or path; the default comes along"
    )
    cache_dir: Path = _knob(
        usual_cache(), Path, "CACHE_DIR", "where the embedding model is kept once prepared, for every library"
    )
    highlight_method: str = _knob(
        "evidence", _method, "HIGHLIGHT_METHOD", "which number is held against the threshold: evidence or cosine"
    )
    highlight_threshold: float = _knob(
        0.5, _fraction, "HIGHLIGHT_SIMILARITY_THRESHOLD", "sentences at or above it are lit"
    )
    joint: bool = _knob(
        True, _switch, "JOINT", "0: score without the model that reads question and passage together (faster)"
    )
    max_upload_mb: int = _knob(200, _positive, "MAX_UPLOAD_MB", "largest file taken by upload")
    undo_seconds: int = _knob(20, _positive, "UNDO_SECONDS", "how long a deletion on the library's page can be undone")
    keep_answers: bool = _knob(True, _switch, "KEEP_ANSWERS", "0: answers are given and not kept")
    link_keys: tuple[tuple[str, Secret], ...] = _knob(
        (), _link_keys, "LINK_KEYS", "ID:SECRET,ID:SECRET: the first signs links, all are known", shown=False
    )
    embed_origins: tuple[str, ...] = _knob(
        (),
        _origins,
        "EMBED_ORIGINS",
        "who may show the viewer in a frame, comma-separated (none: whom each link names)",
    )
    audit_key: Secret = _knob(Secret(), Secret, "AUDIT_KEY", "signs the exported head of the audit", shown=False)
    read_seconds: int = _knob(
        60, _positive, "READ_SECONDS", "processor time for reading one file; by the clock, 15 times as much"
    )
    read_memory_mb: int = _knob(1024, _positive, "READ_MEMORY_MB", "memory for reading one file")
    ocr: bool = _knob(False, _switch, "OCR", "1: read scans with ocrmypdf, where it is installed")
    typesetter: str = _knob(
        REPORTLAB, _typesetter, "TYPESETTER", "who makes the pages of DOCX: reportlab, or libreoffice where installed"
    )
    workers: int = _knob(2, _positive, "WORKERS", "child processes that read files")
    threads: int = _knob(8, _positive, "THREADS", "threads that answer requests")
    request_cpu_seconds: int = _knob(
        60, _positive, "REQUEST_CPU_SECONDS", "processor time that one request may use before it is stopped"
    )
    warm_up_seconds: int = _knob(30, _positive, "WARM_UP_SECONDS", "how long an answer waits for the model to load")

    llm_models: tuple[str, ...] = _knob(
        (), _models, "LLM_MODELS", "who writes answers, tried in order, comma-separated; none: the built-in answerer"
    )
    llm_deadline_seconds: int = _knob(
        60, _positive, "LLM_DEADLINE_SECONDS", "how long one model may take, retries and all, before the next is asked"
    )
    llm_retries: int = _knob(2, _count, "LLM_RETRIES", "how often a model that is busy or failing is asked again")
    extractive_fallback: bool = _knob(
        True, _switch, "EXTRACTIVE_FALLBACK", "0: refuse, rather than quote the evidence, when no model answers"
    )
    llm_judge: bool = _knob(False, _switch, "LLM_JUDGE", "1: a language model gives a second opinion on each claim")
    prompts_dir: Path | None = _knob(None, Path, "PROMPTS_DIR", "a folder of prompts that replace the built-in ones")
    openai_base_url: str = _base_url("openai", "https://api.openai.com/v1")
    anthropic_base_url: str = _base_url("anthropic", "https://api.anthropic.com")
    groq_base_url: str = _base_url("groq", "https://api.groq.com/openai/v1")
    gemini_base_url: str = _base_url("gemini", "https://generativelanguage.googleapis.com/v1beta/openai")
    openrouter_base_url: str = _base_url("openrouter", "https://openrouter.ai/api/v1")
    ollama_base_url: str = _base_url("ollama", "http://localhost:11434/v1")
    vllm_base_url: str = _base_url("vllm", "http://localhost:8000/v1")
    openai_api_key: Secret = _api_key("openai")
    anthropic_api_key: Secret = _api_key("anthropic")
    groq_api_key: Secret = _api_key("groq")
    gemini_api_key: Secret = _api_key("gemini")
    openrouter_api_key: Secret = _api_key("openrouter")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
        """Read every variable that is set, and name the one that is wrong."""
        environment = os.environ if environment is None else environment
        values = {}
        for knob in fields(cls):
            text = environment.get(knob.metadata["variable"], "")
            if text:
                values[knob.name] = _read(knob, text)
        return cls(**{**values, **overrides})


def _read(knob: Any, text: str) -> Any:
    try:
        return knob.metadata["read"](text)
    except ValueError as err:
        said = f"={text!r}" if knob.metadata["shown"] else ""
        # The cause may repeat the value, too.
        raise SettingsError(f"{knob.metadata['variable']}{said} cannot be used: {err}.") from (err if said else None)
