"""Whole numbers as addresses and forms write them. No page, part or place is further than LARGEST; SQLite takes little more."""

from __future__ import annotations

from dataclasses import dataclass

from flask import request
from werkzeug.routing import IntegerConverter

from highlighter.embedding.embedder import COLD, LOADING
from highlighter.errors import BadRequest
from highlighter.search import MAX_QUESTION_CHARACTERS
from highlighter.settings import HIGHLIGHT_METHODS
from highlighter.web.application import current_services

MAX_NUMBER = 2**31 - 1


def parse_count(text: str) -> int:
    """For `args.get(name, type=count)`, to which what raises was not said."""
    if not (text.isdecimal() and len(text) <= 10 and int(text) <= MAX_NUMBER):
        raise ValueError
    return int(text)


def parse_count_or_zero(text: str) -> int:
    """Zero for what counts nothing."""
    try:
        return parse_count(text)
    except ValueError:
        return 0


class CountConverter(IntegerConverter):
    """`<int:...>` in an address; a larger number is the largest, so that it is said what there is instead."""

    def to_python(self, value: str) -> int:
        try:
            return parse_count(value)
        except ValueError:
            return MAX_NUMBER


# What every page that can be asked something reads from its address, and whether it can be answered yet.


def read_question(name: str = "q") -> str:
    """What was asked, or nothing; refused when it is too long to be a question."""
    return check_question_length(read_unchecked_question(name))


def check_question_length(question: str) -> str:
    if len(question) > MAX_QUESTION_CHARACTERS:
        raise BadRequest(f"The question is longer than {MAX_QUESTION_CHARACTERS:,} characters.")
    return question


def read_unchecked_question(name: str = "q") -> str:
    return request.args.get(name, "").strip()


def read_highlight_method() -> str:
    """The method that was asked for; nothing when it is none that there is, and the usual one is meant."""
    asked = request.args.get("method", "")
    return asked if asked in HIGHLIGHT_METHODS else ""


def is_model_loading() -> bool:
    """Whether the model is still loading, so that an answer is worth waiting for."""
    return current_services().embedder.state in (COLD, LOADING)


# A long list cut into pages, counted from 1. A page that is not there is the nearest one that is.


@dataclass(frozen=True, slots=True)
class Pager:
    number: int
    size: int
    total: int

    @classmethod
    def for_page(cls, requested_page: int | None, size: int, total: int) -> Pager:
        last = max(1, -(-total // size))
        return cls(min(max(requested_page or 1, 1), last), size, total)

    @property
    def last(self) -> int:
        return max(1, -(-self.total // self.size))

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.size

    @property
    def shown(self) -> tuple[int, int]:
        """The first and the last item of this page, counted from 1."""
        return self.offset + 1, min(self.offset + self.size, self.total)
