"""What Python says to people, for the catalogues: whatever stands in N_, and what errors of ours are made with.

An f-string becomes a message with numbered places, so "Page {page}:" is "Page {0}:".
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from highlighter.locale import ENGLISH, LANGUAGES, catalogue_path

PROJECT_FOLDER = Path(__file__).resolve().parents[2]
SOURCE_FOLDERS = ("highlighter", "ingest")
MARKING_FUNCTIONS = {"N_", "gettext"}


def extract_python_messages(file, keywords, comment_tags, options) -> Iterator[tuple[int, None, str, list]]:
    """As Babel wants it of a method of extraction: (line, function, message, comments)."""
    for line, message in find_messages(ast.parse(file.read())):
        yield line, None, message, []


def find_messages(tree: ast.AST) -> Iterator[tuple[int, str]]:
    errors = list_error_names()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name in errors:
            yield from (found for call in _find_init_calls(node) for found in _read_arguments(call.args))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in MARKING_FUNCTIONS | errors
        ):
            yield from _read_arguments(node.args)


def _find_init_calls(error: ast.ClassDef) -> Iterator[ast.Call]:
    """super().__init__(...) in a class of errors."""
    for node in ast.walk(error):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__":
            yield node


def _read_arguments(arguments: Iterable[ast.expr]) -> Iterator[tuple[int, str]]:
    for argument in arguments:
        if isinstance(argument, ast.IfExp):
            yield from _read_arguments((argument.body, argument.orelse))
        elif isinstance(argument, ast.BoolOp):
            yield from _read_arguments(argument.values)
        elif (message := read_message(argument)) and any(letter.isalpha() for letter in message):
            yield argument.lineno, message


def read_message(node: ast.expr) -> str:
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
def list_error_names() -> frozenset[str]:
    """The names of HighlighterError and all that are made of it."""
    bases: dict[str, set[str]] = {}
    for folder in SOURCE_FOLDERS:
        for path in (PROJECT_FOLDER / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.ClassDef):
                    bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    found, more = set(), {"HighlighterError"}
    while more:
        found |= more
        more = {name for name, its in bases.items() if its & found} - found
    return frozenset(found)


# What there is to translate: every message of templates, scripts and pages' Python, and the catalogues brought up to it.


# What only programs and whoever runs the service are told, and no page shows: it is said in English alone.
ENGLISH_ONLY_FILES = (
    "adapters/**.py", "web/api/**.py", "schemas/**.py", "serializers/**.py", "web/problems.py", "web/event_stream.py",
    "client/**.py", "cli/**.py", "__main__.py", "settings.py", "grounding/checker.py", "grounding/strict_mode.py",
    "answering/caller_sources.py", "answering/json_data.py", "answering/prompt_messages.py", "answering/llm/providers.py",
    "web/embed/oembed_routes.py", "web/signed_link_issuer.py", "search/reference_lookup.py", "store/keys.py",
)  # fmt: skip
EXTRACTION_METHODS = {
    "templates": [("**.html", "jinja2")],
    "static": [("**.js", "javascript")],
    "highlighter": [
        *((path, "ignore") for path in ENGLISH_ONLY_FILES),
        ("**.py", extract_python_messages),
    ],
    "ingest": [("**.py", extract_python_messages)],
}
GETTEXT_KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None}


def extract_messages() -> Catalog:
    """In the order of their files, so that a catalogue reads as the pages do."""
    found = Catalog(project="Highlighter", charset="utf-8", fuzzy=False)
    for folder, methods in EXTRACTION_METHODS.items():
        for path, _, message, _, _ in sorted(_extract_folder(folder, methods), key=lambda one: (one[0], one[1])):
            if message:
                found.add(message, locations=[(f"{folder}/{Path(path).as_posix()}", 0)])
    return found


def _extract_folder(folder: str, methods: list[tuple]):
    return extract_from_dir(PROJECT_FOLDER / folder, methods, {"**": {"trimmed": "true"}}, GETTEXT_KEYWORDS, ())


def update_catalogues() -> dict[str, int]:
    """Adds what is new to each catalogue and drops what nobody says any more; how many are still to be translated."""
    missing = {}
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        path, template = catalogue_path(language), extract_messages()
        catalogue = (
            read_catalogue_file(language) if path.exists() else Catalog(locale=language.replace("-", "_"), fuzzy=False)
        )
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalogue, width=120, include_lineno=False, omit_header=True)
        missing[language] = len(list_untranslated(catalogue))
    return missing


def read_catalogue_file(language: str) -> Catalog:
    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=language.replace("-", "_"))


def list_untranslated(catalogue: Catalog) -> list:
    return [
        one.id
        for one in catalogue
        if one.id and (one.fuzzy or not (all(one.string) if one.pluralizable else one.string))
    ]
