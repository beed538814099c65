"""A pack's answer as a page that needs nothing but itself, and leads to the other files of the pack."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, Template
from markupsafe import Markup

from highlighter.language import language
from highlighter.pack.report import Report

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


def as_page(told: Report) -> str:
    return _template().render(told=told, answer=told.answer, lang_of=_lang_attribute)


def _lang_attribute(text: str) -> Markup:
    code = language(text)
    return Markup(f' lang="{code}"') if code else Markup()


@lru_cache(maxsize=1)
def _template() -> Template:
    made = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return made.get_template("pack.html")
