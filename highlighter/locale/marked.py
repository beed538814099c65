"""What Python says to people, for the catalogues: whatever stands in N_, and what errors of ours are made with.

An f-string becomes a message with numbered places, so "Page {page}:" is "Page {0}:".
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("highlighter", "ingest")
MARKS = {"N_", "gettext"}


def sentences(file, keywords, comment_tags, options) -> Iterator[tuple[int, None, str, list]]:
    """As Babel wants it of a method of extraction: (line, function, message, comments)."""
    for line, message in said(ast.parse(file.read())):
        yield line, None, message, []


def said(tree: ast.AST) -> Iterator[tuple[int, str]]:
    errors = errors_of_ours()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name in errors:
            yield from (found for call in _made_with(node) for found in _messages(call.args))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS | errors:
            yield from _messages(node.args)


def _made_with(error: ast.ClassDef) -> Iterator[ast.Call]:
    """super().__init__(...) in a class of errors."""
    for node in ast.walk(error):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__":
            yield node


def _messages(arguments: Iterable[ast.expr]) -> Iterator[tuple[int, str]]:
    for argument in arguments:
        if isinstance(argument, ast.IfExp):
            yield from _messages((argument.body, argument.orelse))
        elif isinstance(argument, ast.BoolOp):
            yield from _messages(argument.values)
        elif (message := message_of(argument)) and any(letter.isalpha() for letter in message):
            yield argument.lineno, message


def message_of(node: ast.expr) -> str:
    """A string as a message; nothing where it is none, or none that is written out."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if not isinstance(node, ast.JoinedStr):
        return ""
    message, places = "", 0
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            message, places = f"{message}{{{places}}}", places + 1
        elif "{" in part.value or "}" in part.value:
            raise ValueError(f"A sentence for people holds a brace: {part.value!r}")
        else:
            message += part.value
    return message


@lru_cache
def errors_of_ours() -> frozenset[str]:
    """The names of HighlighterError and all that are made of it."""
    bases: dict[str, set[str]] = {}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.ClassDef):
                    bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    found, more = set(), {"HighlighterError"}
    while more:
        found |= more
        more = {name for name, its in bases.items() if its & found} - found
    return frozenset(found)
