"""The parameters of requests: counts, questions, methods and page numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import request
from werkzeug.routing import IntegerConverter

from highlighter.embedding.embedder import COLD, LOADING
from highlighter.errors import BadRequest
from highlighter.locale import N_
from highlighter.search import MAX_QUESTION_CHARACTERS
from highlighter.settings import HIGHLIGHT_METHODS
from highlighter.urls import TINT_COUNT
from highlighter.web.application import current_services

MAX_NUMBER = 2**31 - 1  # more than any page, chunk or offset; SQLite takes little more


def parse_count(text: str) -> int:
    """Return a whole number from 0 to MAX_NUMBER; raise ValueError, which `args.get(name, type=...)` takes as missing."""
    if not (text.isdecimal() and len(text) <= 10 and int(text) <= MAX_NUMBER):
        raise ValueError
    return int(text)


def parse_count_or_zero(text: str) -> int:
    """Return a whole number, or 0 for any other text."""
    try:
        return parse_count(text)
    except ValueError:
        return 0


def read_tint(parameters: Mapping[str, str]) -> int:
    """Return the colour of highlights that a URL names, of TINT_COUNT; 0 is the usual one."""
    return min(parse_count_or_zero(parameters.get("tint", "")), TINT_COUNT)


class CountConverter(IntegerConverter):
    """Converts `<int:...>` in a path. A larger number becomes MAX_NUMBER, so that the error names what there is."""

    def to_python(self, value: str) -> int:
        try:
            return parse_count(value)
        except ValueError:
            return MAX_NUMBER


# Questions


def read_question(name: str = "q") -> str:
    """Return the question of the request, or ""; raise BadRequest when it is too long."""
    return check_question_length(read_unchecked_question(name))


def check_question_length(question: str) -> str:
    if len(question) > MAX_QUESTION_CHARACTERS:
        raise BadRequest(N_("The question is longer than {limit:,} characters.", limit=MAX_QUESTION_CHARACTERS))
    return question


def read_unchecked_question(name: str = "q") -> str:
    return request.args.get(name, "").strip()


def read_highlight_method() -> str:
    """Return the requested method; "", for the default method, where the request names none that exists."""
    method = request.args.get("method", "")
    return method if method in HIGHLIGHT_METHODS else ""


def is_model_loading() -> bool:
    """Return whether the embedding model is still loading, so that an answer is worth waiting for."""
    return current_services().embedder.state in (COLD, LOADING)


# Paging


@dataclass(frozen=True, slots=True)
class Pager:
    """One page of a long list, counted from 1."""

    number: int
    size: int
    total: int

    @classmethod
    def for_page(cls, requested_page: int | None, size: int, total: int) -> Pager:
        """Return the requested page, or the nearest one that exists."""
        last = max(1, -(-total // size))
        return cls(min(max(requested_page or 1, 1), last), size, total)

    @property
    def last(self) -> int:
        return max(1, -(-self.total // self.size))

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.size

    @property
    def item_range(self) -> tuple[int, int]:
        """The first and the last item of this page, counted from 1."""
        return self.offset + 1, min(self.offset + self.size, self.total)
