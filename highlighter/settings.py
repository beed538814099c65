"""Every knob: its default, its environment variable, how it is read. Builds nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from highlighter.errors import HighlighterError


class SettingsError(HighlighterError):
    title = "A setting is wrong"


def _knob(default: Any, read: Callable[[str], Any], variable: str, about: str) -> Any:
    return field(default=default, metadata={"read": read, "variable": variable, "about": about})


def _names(value: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in value.split(",") if name.strip())


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


METHODS = ("evidence", "cosine")
REPORTLAB, LIBREOFFICE = TYPESETTERS = ("reportlab", "libreoffice")


@dataclass(frozen=True, slots=True)
class Settings:
    """Read once at start; tests make their own."""

    data_dir: Path = _knob(Path("data"), Path, "DATA_DIR", "where everything is kept")
    host: str = _knob("127.0.0.1", str, "HOST", "address to serve on")
    port: int = _knob(8000, int, "PORT", "port to serve on")
    trusted_hosts: tuple[str, ...] = _knob(
        (), _names, "TRUSTED_HOSTS", "host names answered to, comma-separated (on loopback: this machine's)"
    )
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
    read_seconds: int = _knob(60, _positive, "READ_SECONDS", "wall clock for reading one file")
    read_memory_mb: int = _knob(1024, _positive, "READ_MEMORY_MB", "memory for reading one file")
    ocr: bool = _knob(False, _switch, "OCR", "1: read scans with ocrmypdf, where it is installed")
    typesetter: str = _knob(
        REPORTLAB, _typesetter, "TYPESETTER", "who makes the pages of DOCX: reportlab, or libreoffice where installed"
    )
    workers: int = _knob(2, _positive, "WORKERS", "child processes that read files")
    threads: int = _knob(8, _positive, "THREADS", "threads that answer requests")
    warm_up_seconds: int = _knob(30, _positive, "WARM_UP_SECONDS", "how long an answer waits for the model to load")

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
        raise SettingsError(f"{knob.metadata['variable']}={text!r} cannot be used: {err}.") from err
