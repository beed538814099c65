"""What every page that can be asked something reads from its address, and whether it can be answered yet."""

from __future__ import annotations

from flask import current_app, request

from highlighter.embedder import COLD, LOADING
from highlighter.errors import BadRequest
from highlighter.search import MAX_QUESTION
from highlighter.settings import METHODS


def question(name: str = "q") -> str:
    """What was asked, or nothing; refused when it is too long to be a question."""
    return checked(typed(name))


def checked(asked: str) -> str:
    if len(asked) > MAX_QUESTION:
        raise BadRequest(f"The question is longer than {MAX_QUESTION:,} characters.")
    return asked


def typed(name: str = "q") -> str:
    return request.args.get(name, "").strip()


def method() -> str:
    """The method that was asked for; nothing when it is none that there is, and the usual one is meant."""
    asked = request.args.get("method", "")
    return asked if asked in METHODS else ""


def warming() -> bool:
    """Whether the model is still loading, so that an answer is worth waiting for."""
    return current_app.services.embedder.state in (COLD, LOADING)
