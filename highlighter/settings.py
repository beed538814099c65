"""The settings: each with its default, its environment variable and its parser."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from highlighter.errors import HighlighterError
from highlighter.monitoring.logs import LOG_FORMATS, LOG_LEVELS
from highlighter.origins import is_loopback, parse_host_name, parse_origin, strip_port
from highlighter.outgoing_addresses import AllowedHosts
from highlighter.secret import Secret

# prometheus_client reads it, too.
METRICS_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


class SettingsError(HighlighterError):
    """The error for a setting with a wrong value."""

    title = "A setting is wrong"


def _setting(default: Any, parse: Callable[[str], Any], variable: str, description: str, is_public: bool = True) -> Any:
    """Return the dataclass field of a setting.

    A setting that is not public is a secret or may hold one: no message and no repr contains it.
    """
    metadata = {"parse": parse, "variable": variable, "description": description, "is_public": is_public}
    return field(default=default, metadata=metadata, repr=is_public)


def _parse_names(value: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in value.split(",") if name.strip())


def _parse_host(value: str) -> str:
    name = parse_host_name(value)
    if value.lower() not in (name, f"[{name}]"):
        raise ValueError("it must be a name or an address, without a port")
    return name


def _parse_hosts(value: str) -> tuple[str, ...]:
    return tuple("." * name.startswith(".") + parse_host_name(name.removeprefix(".")) for name in _parse_names(value))


def _parse_fraction(value: str) -> float:
    number = float(value)
    if not 0.0 <= number <= 1.0:
        raise ValueError("it must lie between 0 and 1")
    return number


def _parse_positive(value: str) -> int:
    number = int(value)
    if number < 1:
        raise ValueError("it must be 1 or more")
    return number


def _parse_port(value: str) -> int:
    number = int(value)
    if not 1 <= number <= 65_535:
        raise ValueError("it must lie between 1 and 65535")
    return number


def _parse_count(value: str) -> int:
    number = int(value)
    if number < 0:
        raise ValueError("it must be 0 or more")
    return number


def _parse_switch(value: str) -> bool:
    if value not in ("0", "1"):
        raise ValueError("it must be 0 or 1")
    return value == "1"


def _parse_method(value: str) -> str:
    if value not in HIGHLIGHT_METHODS:
        raise ValueError(f"it must be one of {', '.join(HIGHLIGHT_METHODS)}")
    return value


def _parse_typesetter(value: str) -> str:
    if value not in TYPESETTERS:
        raise ValueError(f"it must be one of {', '.join(TYPESETTERS)}")
    return value


def _parse_log_format(value: str) -> str:
    if value not in LOG_FORMATS:
        raise ValueError(f"it must be one of {', '.join(LOG_FORMATS)}")
    return value


def _parse_log_level(value: str) -> str:
    if value.lower() not in LOG_LEVELS:
        raise ValueError(f"it must be one of {', '.join(LOG_LEVELS)}")
    return value.lower()


def _parse_language_codes(value: str) -> tuple[str, ...]:
    names = _parse_names(value)
    for name in names:
        if not re.fullmatch(r"[A-Za-z]\w{1,20}", name, re.ASCII):
            raise ValueError(f"{name!r} is no language of Tesseract, such as eng or chi_tra")
    return names


def _parse_rate(value: str) -> str:
    if value == "0":
        return ""
    if not re.fullmatch(r"[1-9]\d{0,8}/([1-9]\d{0,2} ?)?(second|minute|hour|day)", value):
        raise ValueError("it must be so many in a time, such as 600/minute, or 0 for no limit")
    return value


def _parse_origins(value: str) -> tuple[str, ...]:
    return tuple(map(parse_origin, _parse_names(value)))


def _parse_origins_or_any(value: str) -> tuple[str, ...]:
    return tuple(
        name if name == "*" or _is_extension_origin(name) else parse_origin(name) for name in _parse_names(value)
    )


def _is_extension_origin(name: str) -> bool:
    return re.fullmatch(r"chrome-extension://[a-p]{32}", name) is not None


def is_one_line(value: str) -> bool:
    """Return whether a text can be the words of a refusal."""
    return len(value) <= MAX_REFUSAL_TEXT_CHARACTERS and value.isprintable() and bool(value.strip())


def _parse_sentence(value: str) -> str:
    if not is_one_line(value):
        raise ValueError(f"it must be one line of {MAX_REFUSAL_TEXT_CHARACTERS} characters or less")
    return value.strip()


def _parse_require_keys(value: str) -> str:
    if value not in REQUIRE_KEYS_MODES:
        raise ValueError(f"it must be one of {', '.join(REQUIRE_KEYS_MODES)}")
    return value


def _parse_models(value: str) -> tuple[str, ...]:
    names = _parse_names(value)
    for name in names:
        prefix, _, model = name.partition("/")
        if prefix not in PROVIDERS or not model:
            raise ValueError(f"{name!r} must be PROVIDER/MODEL, with one of {', '.join(PROVIDERS)}")
    return names


def _parse_address(value: str) -> str:
    if not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#@]*)?", value):
        raise ValueError("it must be an address that begins with http:// or https://, and hold no password")
    return value.rstrip("/")


def _parse_public_url(value: str) -> str:
    """Return the address of the service as browsers write it, without a final slash."""
    origin, slashes, rest = value.strip().rstrip("/").partition("://")
    host, _, path = rest.partition("/")
    prefix = f"/{path}" if path else ""
    if not PREFIX_PATTERN.fullmatch(prefix):
        raise ValueError("its path may hold letters, digits, ., _, ~ and - between slashes")
    return parse_origin(f"{origin}{slashes}{host}") + prefix


def _parse_networks(value: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    try:
        return tuple(ipaddress.ip_network(name, strict=False) for name in _parse_names(value))
    except ValueError as err:
        raise ValueError("each must be an address or a network, such as 10.0.0.7 or 10.0.0.0/8") from err


def _parse_proxy_headers(value: str) -> str:
    if value.strip().lower() not in (X_FORWARDED, FORWARDED):
        raise ValueError(f"it must be {X_FORWARDED} or {FORWARDED}")
    return value.strip().lower()


def _parse_outgoing_hosts(value: str) -> AllowedHosts:
    names, networks = [], []
    for name in _parse_names(value):
        try:
            networks.append(ipaddress.ip_network(name, strict=False))
        except ValueError:
            names.append(_parse_host(name))
    return AllowedHosts(frozenset(names), tuple(networks))


def _parse_redis_url(value: str) -> Secret:
    if not re.fullmatch(r"rediss?://[^\s/]+(/\d+)?", value.strip()):
        raise ValueError("it must be redis://HOST:PORT or redis://:PASSWORD@HOST:PORT/NUMBER")
    return Secret(value.strip())


def _parse_scheduler(value: str) -> str:
    """Return the address of a Dask scheduler, as its own log shows it."""
    if not re.fullmatch(r"(tcp|tls)://[^\s/@]+:\d+", value.strip()):
        raise ValueError("it must be tcp://HOST:PORT or tls://HOST:PORT")
    return value.strip()


def _parse_server_address(value: str) -> str:
    address = _parse_address(value)
    if address.count("/") > 2:
        raise ValueError("it must have no path")
    return address


def _parse_files_url(value: str) -> str:
    if not re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[\w.=/-]*)?", value, re.ASCII):
        raise ValueError("it must be s3://BUCKET or s3://BUCKET/PREFIX")
    return value.rstrip("/")


def _parse_database_url(value: str) -> Secret:
    """Return the address of a PostgreSQL database with the driver that is used; no message contains it, nor its password."""
    match = re.fullmatch(r"postgres(?:ql)?(?:\+psycopg)?(://[^\s?#]*/[^\s/?#]+(?:\?\S*)?)", value.strip())
    if match is None:
        raise ValueError("it must be postgresql+psycopg://USER:PASSWORD@HOST/DATABASE")
    return Secret(f"postgresql+psycopg{match[1]}")


def _parse_key(value: str) -> Secret:
    value = value.strip()
    if not all(" " < character <= "~" for character in value):
        raise ValueError("it holds characters that no key has")
    return Secret(value)


def _parse_issuer(value: str) -> str:
    """Return the address of an OpenID provider, without a final slash."""
    address = _parse_address(value.strip())
    if address.startswith("http://") and not is_loopback(strip_port(urlsplit(address).netloc)):
        raise ValueError("it must begin with https://: only on this machine may it be http://")
    return address


def _parse_scopes(value: str) -> tuple[str, ...]:
    scopes = tuple(value.replace(",", " ").split())
    if "openid" not in scopes:
        raise ValueError("openid must be among them")
    return scopes


def _parse_header_name(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,99}", value.strip()):
        raise ValueError("it must be the name of a header, such as X-Forwarded-User")
    return value.strip()


def _parse_sign_out_address(value: str) -> str:
    if not re.fullmatch(r"(https?://[^\s/\\]+)?/(?![/\\])[^\s\\]*", value.strip()):
        raise ValueError("it must be a path such as /oauth2/sign_out, or an address that begins with https://")
    return value.strip()


def _parse_link_keys(value: str) -> tuple[tuple[str, Secret], ...]:
    keys = tuple((name, Secret(secret)) for name, _, secret in (key.partition(":") for key in _parse_names(value)))
    if not all(re.fullmatch(r"[\w.-]{1,40}", name, re.ASCII) for name, _ in keys):
        raise ValueError("each key must be ID:SECRET, with letters, digits, ., _ or - in its ID")
    if any(len(secret.reveal()) < MIN_LINK_SECRET_CHARACTERS for _, secret in keys):
        raise ValueError(f"each secret must have {MIN_LINK_SECRET_CHARACTERS} characters or more")
    if len({name for name, _ in keys}) < len(keys):
        raise ValueError("two keys have the same ID")
    return keys


def _base_url_setting(provider: str, default: str) -> Any:
    return _setting(
        default, _parse_address, f"{provider.upper()}_BASE_URL", f"where {provider}/ models are asked", is_public=False
    )


def _api_key_setting(provider: str) -> Any:
    return _setting(
        Secret(), _parse_key, f"{provider.upper()}_API_KEY", f"the key for {provider}/ models", is_public=False
    )


# A path before the application: "" or segments, none of which is "." or "..".
PREFIX_PATTERN = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[\w.~-]+)*", re.ASCII)
MAX_REFUSAL_TEXT_CHARACTERS = 500
MIN_LINK_SECRET_CHARACTERS = 32  # as HS256 requires
# All providers but anthropic have OpenAI's API.
PROVIDERS = ("openai", "anthropic", "groq", "gemini", "openrouter", "ollama", "vllm")
HIGHLIGHT_METHODS = ("evidence", "cosine")
KEYS_AUTO, KEYS_NEVER, KEYS_ALWAYS = REQUIRE_KEYS_MODES = ("auto", "0", "1")
X_FORWARDED, FORWARDED = "x-forwarded", "forwarded"
REPORTLAB, LIBREOFFICE = TYPESETTERS = ("reportlab", "libreoffice")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a service: read once at start."""

    data_dir: Path = _setting(Path("data"), Path, "DATA_DIR", "where everything is kept")
    files_url: str = _setting(
        "", _parse_files_url, "FILES_URL", "s3://BUCKET/PREFIX: files are stored there; none: in DATA_DIR"
    )
    files_cache_mb: int = _setting(
        2048, _parse_positive, "FILES_CACHE_MB", "local copies of the files at FILES_URL, in megabytes"
    )
    files_public_url: str = _setting(
        "",
        _parse_address,
        "FILES_PUBLIC_URL",
        "the storage as browsers reach it: they read large originals there; none: from the service",
    )
    # Not checked, as other programs on the machine may have a use for them.
    aws_endpoint_url: str = _setting(
        "", str.strip, "AWS_ENDPOINT_URL", "the storage of FILES_URL; none: Amazon's", is_public=False
    )
    aws_region: str = _setting("", str, "AWS_REGION", "the region of the storage")
    aws_default_region: str = _setting("", str, "AWS_DEFAULT_REGION", "the region where AWS_REGION names none")
    aws_access_key_id: str = _setting("", str.strip, "AWS_ACCESS_KEY_ID", "the id of the key", is_public=False)
    aws_secret_access_key: Secret = _setting(
        Secret(), Secret, "AWS_SECRET_ACCESS_KEY", "the key of the storage", is_public=False
    )
    aws_session_token: Secret = _setting(
        Secret(), Secret, "AWS_SESSION_TOKEN", "the token of a temporary key", is_public=False
    )
    chroma_url: str = _setting(
        "",
        _parse_server_address,
        "CHROMA_URL",
        "the Chroma server of the vector index; none: in DATA_DIR",
        is_public=False,
    )
    chroma_api_key: Secret = _setting(
        Secret(), _parse_key, "CHROMA_API_KEY", "the key of the Chroma server", is_public=False
    )
    chroma_tenant: str = _setting("default_tenant", str.strip, "CHROMA_TENANT", "the tenant on the Chroma server")
    chroma_database: str = _setting("default_database", str.strip, "CHROMA_DATABASE", "the database of that tenant")
    database_url: Secret = _setting(
        Secret(),
        _parse_database_url,
        "DATABASE_URL",
        "the PostgreSQL database of the catalog; none: SQLite in DATA_DIR",
        is_public=False,
    )
    processes: int = _setting(
        1, _parse_positive, "PROCESSES", "server processes that answer requests; more than one needs CHROMA_URL"
    )
    metrics_folder: Path | None = _setting(
        None,
        Path,
        METRICS_FOLDER_VARIABLE,
        "where several processes count together what /metrics shows; none: a temporary folder",
    )
    rate_limit_url: Secret = _setting(
        Secret(),
        _parse_redis_url,
        "RATE_LIMIT_URL",
        "redis://HOST:PORT/NUMBER, where all processes count requests; none: each by itself",
        is_public=False,
    )
    dask_scheduler: str = _setting(
        "", _parse_scheduler, "DASK_SCHEDULER", "tcp://HOST:PORT, the Dask cluster that reads files; none: this machine"
    )
    host: str = _setting("127.0.0.1", _parse_host, "HOST", "address to serve on")
    port: int = _setting(8000, _parse_port, "PORT", "port to serve on")
    takeover_seconds: int = _setting(
        20,
        _parse_count,
        "TAKEOVER_SECONDS",
        "how long a starting server waits for another on the same DATA_DIR to stop",
    )
    trusted_hosts: tuple[str, ...] = _setting(
        (), _parse_hosts, "TRUSTED_HOSTS", "host names answered to, comma-separated (on loopback: this machine's)"
    )
    public_url: str = _setting(
        "",
        _parse_public_url,
        "PUBLIC_URL",
        "the address at which people open the service, such as https://host/papers; none: that of each request",
    )
    trusted_proxies: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = _setting(
        (),
        _parse_networks,
        "TRUSTED_PROXIES",
        "addresses or networks of proxies whose X-Forwarded headers are believed, comma-separated",
    )
    proxy_headers: str = _setting(
        X_FORWARDED,
        _parse_proxy_headers,
        "PROXY_HEADERS",
        "which headers the proxies of TRUSTED_PROXIES write: x-forwarded, or forwarded for the standard one (RFC 7239)",
    )
    webhook_hosts: AllowedHosts = _setting(
        AllowedHosts(),
        _parse_outgoing_hosts,
        "WEBHOOK_HOSTS",
        "names, addresses or networks of your own that webhooks may be sent to, comma-separated; none: public addresses alone",
    )
    require_keys: str = _setting(
        KEYS_AUTO,
        _parse_require_keys,
        "REQUIRE_KEYS",
        "1: always; 0: never on loopback; auto: on loopback only once there are keys",
    )
    access_rules: Path | None = _setting(
        None, Path, "ACCESS_RULES", "a TOML or JSON file: which groups of people have which scopes and collections"
    )
    session_hours: int = _setting(
        12, _parse_positive, "SESSION_HOURS", "hours after which people sign in again with the OpenID provider"
    )
    oidc_issuer: str = _setting(
        "", _parse_issuer, "OIDC_ISSUER", "the address of the OpenID provider that signs people in; none: only keys"
    )
    oidc_client_id: str = _setting("", str.strip, "OIDC_CLIENT_ID", "the name by which that provider knows the service")
    oidc_client_secret: Secret = _setting(
        Secret(),
        _parse_key,
        "OIDC_CLIENT_SECRET",
        "the secret for that provider; none: a public client",
        is_public=False,
    )
    oidc_client_secret_file: Path | None = _setting(
        None, Path, "OIDC_CLIENT_SECRET_FILE", "a file with that secret, in place of OIDC_CLIENT_SECRET"
    )
    oidc_scopes: tuple[str, ...] = _setting(
        ("openid", "profile", "email"), _parse_scopes, "OIDC_SCOPES", "the scopes that the provider is asked for"
    )
    oidc_groups_claim: str = _setting(
        "groups", str.strip, "OIDC_GROUPS_CLAIM", "the claim that names a person's groups, with dots for a path"
    )
    oidc_name: str = _setting(
        "", str.strip, "OIDC_NAME", "the name of the provider on the sign-in page; none: its host"
    )
    auth_user_header: str = _setting(
        "",
        _parse_header_name,
        "AUTH_USER_HEADER",
        "the header in which a proxy of TRUSTED_PROXIES names the person whom it has signed in",
    )
    auth_groups_header: str = _setting(
        "", _parse_header_name, "AUTH_GROUPS_HEADER", "the header in which it lists that person's groups, with commas"
    )
    auth_sign_out_url: str = _setting(
        "", _parse_sign_out_address, "AUTH_SIGN_OUT_URL", "where that proxy signs people out, such as /oauth2/sign_out"
    )
    rate_read: str = _setting(
        "6000/minute", _parse_rate, "RATE_READ", "rate limit of one key for reading and searching; 0: no limit"
    )
    rate_ingest: str = _setting(
        "600/minute", _parse_rate, "RATE_INGEST", "rate limit of one key for uploading and deleting documents"
    )
    rate_link: str = _setting(
        "1200/minute", _parse_rate, "RATE_LINK", "rate limit of one signed link, page images included"
    )
    rate_answer: str = _setting("120/minute", _parse_rate, "RATE_ANSWER", "rate limit of one key for answers")
    cors_origins: tuple[str, ...] = _setting(
        (),
        _parse_origins_or_any,
        "CORS_ORIGINS",
        "whose pages may use the API from a browser, comma-separated; *: all, with a key",
    )
    service_url: str = _setting(
        "", _parse_address, "HIGHLIGHTER_URL", "a service elsewhere that the command line asks", is_public=False
    )
    service_key: Secret = _setting(Secret(), _parse_key, "HIGHLIGHTER_KEY", "the key that it is shown", is_public=False)
    embedding_model: str = _setting(
        "multilingual-e5-small-int8",
        str,
        "EMBEDDING_MODEL",
        "a carried model (all-MiniLM-L6-v2-int8: English, half the cost) or a sentence-transformers name or path",
    )
    highlight_method: str = _setting(
        "evidence", _parse_method, "HIGHLIGHT_METHOD", "which number is held against the threshold: evidence or cosine"
    )
    highlight_threshold: float = _setting(
        0.5, _parse_fraction, "HIGHLIGHT_SIMILARITY_THRESHOLD", "sentences at or above it are highlighted"
    )
    joint: bool = _setting(
        True, _parse_switch, "JOINT", "0: score without the model that reads question and passage together (faster)"
    )
    max_upload_mb: int = _setting(200, _parse_positive, "MAX_UPLOAD_MB", "largest file taken by upload")
    undo_seconds: int = _setting(
        20, _parse_positive, "UNDO_SECONDS", "how long a deletion on the library's page can be undone"
    )
    keep_answers: bool = _setting(True, _parse_switch, "KEEP_ANSWERS", "0: answers are given and not kept")
    link_keys: tuple[tuple[str, Secret], ...] = _setting(
        (), _parse_link_keys, "LINK_KEYS", "ID:SECRET,ID:SECRET: the first signs links, all are known", is_public=False
    )
    embed_origins: tuple[str, ...] = _setting(
        (),
        _parse_origins,
        "EMBED_ORIGINS",
        "who may show the viewer in a frame, comma-separated (none: whom each link names)",
    )
    audit_key: Secret = _setting(Secret(), Secret, "AUDIT_KEY", "signs the exported head of the audit", is_public=False)
    read_seconds: int = _setting(
        60, _parse_positive, "READ_SECONDS", "processor time for reading one file; by the clock, 15 times as much"
    )
    read_memory_mb: int = _setting(1024, _parse_positive, "READ_MEMORY_MB", "memory for reading one file")
    ocr: bool = _setting(
        True, _parse_switch, "OCR", "0: text of scans is not recognised, even where Tesseract is installed"
    )
    ocr_languages: tuple[str, ...] = _setting(
        (),
        _parse_language_codes,
        "OCR_LANGUAGES",
        "languages of all scans as Tesseract names them, comma-separated; none: by the script of each page",
    )
    typesetter: str = _setting(
        REPORTLAB,
        _parse_typesetter,
        "TYPESETTER",
        "who makes the pages of DOCX: reportlab, or libreoffice where installed",
    )
    workers: int = _setting(
        2,
        _parse_positive,
        "WORKERS",
        "files that are read at once: child processes, or with DASK_SCHEDULER jobs sent to the cluster",
    )
    threads: int = _setting(8, _parse_positive, "THREADS", "threads that answer requests")
    request_cpu_seconds: int = _setting(
        60, _parse_positive, "REQUEST_CPU_SECONDS", "processor time that one request may use before it is stopped"
    )
    warm_up_seconds: int = _setting(
        30, _parse_positive, "WARM_UP_SECONDS", "how long an answer waits for the model to load"
    )

    log_format: str = _setting(
        "text",
        _parse_log_format,
        "LOG_FORMAT",
        "text: log lines for people; json: for programs, without any words of documents",
    )
    log_level: str = _setting(
        "warning", _parse_log_level, "LOG_LEVEL", "debug, info (a line for each request), warning or error"
    )
    otlp_endpoint: str = _setting(
        "",
        _parse_address,
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "where traces are sent, such as http://127.0.0.1:4318; none: nothing is traced",
        is_public=False,
    )

    llm_models: tuple[str, ...] = _setting(
        (),
        _parse_models,
        "LLM_MODELS",
        "who writes answers, tried in order, comma-separated; none: the built-in answerer",
    )
    llm_deadline_seconds: int = _setting(
        60,
        _parse_positive,
        "LLM_DEADLINE_SECONDS",
        "how long one model may take, retries and all, before the next is asked",
    )
    llm_retries: int = _setting(
        2, _parse_count, "LLM_RETRIES", "how often a model that is busy or failing is asked again"
    )
    extractive_fallback: bool = _setting(
        True, _parse_switch, "EXTRACTIVE_FALLBACK", "0: refuse, rather than quote the evidence, when no model answers"
    )
    llm_judge: bool = _setting(
        False, _parse_switch, "LLM_JUDGE", "1: a language model gives a second opinion on each claim"
    )
    min_grounding: float = _setting(
        0.0, _parse_fraction, "MIN_GROUNDING", "answers with a lower grounding score are refused; 0: none is"
    )
    refusal_text: str = _setting(
        "",
        _parse_sentence,
        "REFUSAL_TEXT",
        "the words of an answer that refuses; none: the standard ones in the language of the question",
    )
    prompts_dir: Path | None = _setting(None, Path, "PROMPTS_DIR", "a folder of prompts that replace the built-in ones")
    allow_instructing_sources: bool = _setting(
        False,
        _parse_switch,
        "ALLOW_INSTRUCTING_SOURCES",
        "1: language models get sentences of documents that instruct language models, too",
    )
    openai_base_url: str = _base_url_setting("openai", "https://api.openai.com/v1")
    anthropic_base_url: str = _base_url_setting("anthropic", "https://api.anthropic.com")
    groq_base_url: str = _base_url_setting("groq", "https://api.groq.com/openai/v1")
    gemini_base_url: str = _base_url_setting("gemini", "https://generativelanguage.googleapis.com/v1beta/openai")
    openrouter_base_url: str = _base_url_setting("openrouter", "https://openrouter.ai/api/v1")
    ollama_base_url: str = _base_url_setting("ollama", "http://localhost:11434/v1")
    vllm_base_url: str = _base_url_setting("vllm", "http://localhost:8000/v1")
    openai_api_key: Secret = _api_key_setting("openai")
    anthropic_api_key: Secret = _api_key_setting("anthropic")
    groq_api_key: Secret = _api_key_setting("groq")
    gemini_api_key: Secret = _api_key_setting("gemini")
    openrouter_api_key: Secret = _api_key_setting("openrouter")

    @property
    def can_share_data(self) -> bool:
        """Return whether several servers may use the same data folder: no part of it then belongs to one process."""
        return bool(self.chroma_url)

    @property
    def has_sign_in(self) -> bool:
        """Return whether people can sign in, besides keys."""
        return bool(self.oidc_issuer or self.auth_user_header)

    def read_oidc_client_secret(self) -> Secret:
        """Return the secret of the client, from its file where one is named."""
        if self.oidc_client_secret_file is None:
            return self.oidc_client_secret
        try:
            return _parse_key(self.oidc_client_secret_file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as err:
            name = str(self.oidc_client_secret_file)
            raise SettingsError(f"OIDC_CLIENT_SECRET_FILE={name!r} holds no secret that can be read.") from err

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
        """Return the settings from environment variables. Raises SettingsError that names the wrong variable."""
        environment = os.environ if environment is None else environment
        values = {}
        for setting in fields(cls):
            text = environment.get(setting.metadata["variable"], "")
            if text:
                values[setting.name] = _parse_setting(setting, text)
        return cls(**{**values, **overrides})


def _parse_setting(setting: Field[Any], text: str) -> Any:
    try:
        return setting.metadata["parse"](text)
    except ValueError as err:
        is_public = setting.metadata["is_public"]
        value = f"={text!r}" if is_public else ""
        message = f"{setting.metadata['variable']}{value} cannot be used: {err}."
        raise SettingsError(message) from (err if is_public else None)  # the cause may contain the value, too
