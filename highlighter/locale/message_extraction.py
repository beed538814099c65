"""Extract the messages of Python files for the catalogues: arguments of N_, and messages of the project's errors.

A message is a constant with named placeholders: N_("Page {page}:", page=3). An f-string would lose the id of its message.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from highlighter.locale import ENGLISH, LANGUAGES, catalogue_path

PROJECT_FOLDER = Path(__file__).resolve().parents[2]
SOURCE_FOLDERS = ("highlighter", "ingest")
MARKING_FUNCTIONS = {"N_", "gettext"}


def extract_python_messages(
    file: IO[bytes], keywords: object, comment_tags: object, options: object
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield (line, function, message, comments), the signature that Babel expects of an extraction method."""
    for line, message in find_messages(ast.parse(file.read())):
        yield line, None, message, []


def find_messages(tree: ast.AST) -> Iterator[tuple[int, str]]:
    errors = list_error_names()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name in errors:
            yield from (message for call in _find_init_calls(node) for message in _read_arguments(call.args))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in MARKING_FUNCTIONS | errors
        ):
            yield from _read_arguments(node.args)


def _find_init_calls(error_class: ast.ClassDef) -> Iterator[ast.Call]:
    """Yield the calls of super().__init__(...) in an error class."""
    for node in ast.walk(error_class):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__":
            yield node


def _read_arguments(arguments: Iterable[ast.expr]) -> Iterator[tuple[int, str]]:
    for argument in arguments:
        if isinstance(argument, ast.IfExp):
            yield from _read_arguments((argument.body, argument.orelse))
        elif isinstance(argument, ast.BoolOp):
            yield from _read_arguments(argument.values)
        elif isinstance(argument, ast.JoinedStr):
            raise ValueError(f"A message for users is an f-string: {ast.unparse(argument)}")
        elif isinstance(argument, ast.Constant) and isinstance(argument.value, str) and argument.value:
            yield argument.lineno, argument.value


@lru_cache
def list_error_names() -> frozenset[str]:
    """Return the names of HighlighterError and its subclasses."""
    bases: dict[str, set[str]] = {}
    for folder in SOURCE_FOLDERS:
        for path in (PROJECT_FOLDER / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.ClassDef):
                    bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    names, new_names = set(), {"HighlighterError"}
    while new_names:
        names |= new_names
        new_names = {name for name, base_names in bases.items() if base_names & names} - names
    return frozenset(names)


# Messages of all templates, scripts and Python files, and the update of the catalogues.


# Messages for programs and administrators, which no page shows, stay in English.
ENGLISH_ONLY_FILES = (
    "adapters/**.py", "web/api/**.py", "schemas/**.py", "serializers/**.py", "web/problems.py", "web/event_stream.py",
    "client/**.py", "cli/**.py", "__main__.py", "settings.py", "grounding/strict_mode.py",
    "answering/caller_sources.py", "answering/json_data.py", "answering/prompt_messages.py", "answering/llm/providers.py",
    "web/embed/oembed_routes.py", "web/signed_link_issuer.py", "search/reference_lookup.py", "store/keys.py",
    "web/model_api/**.py", "web/json_bodies.py", "native_formats/**.py", "native_citations/**.py", "webhooks/**.py",
    "outgoing_addresses.py", "sign_in/access_rules.py", "sign_in/configuration.py",
)  # fmt: skip
EXTRACTION_METHODS: dict[str, list[tuple[str, Any]]] = {
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
    """Return all messages in the order of their files, so that a catalogue follows the pages."""
    catalog = Catalog(project="Highlighter", charset="utf-8", fuzzy=False)
    for folder, methods in EXTRACTION_METHODS.items():
        for path, _, message, _, _ in sorted(_extract_folder(folder, methods), key=lambda item: (item[0], item[1])):
            if message:
                catalog.add(message, locations=[(f"{folder}/{Path(path).as_posix()}", 0)])
    return catalog


def _extract_folder(folder: str, methods: list[tuple[str, Any]]) -> Iterable[tuple[Any, ...]]:
    return extract_from_dir(PROJECT_FOLDER / folder, methods, {"**": {"trimmed": "true"}}, GETTEXT_KEYWORDS, ())


def update_catalogues() -> dict[str, int]:
    """Add new messages to each catalogue, drop unused ones, and return the number of untranslated messages by language."""
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


def list_untranslated(catalogue: Catalog) -> list[str | list[str] | tuple[str, ...]]:
    return [message.id for message in catalogue if message.id and (message.fuzzy or not _is_translated(message))]


def _is_translated(message: Message) -> bool:
    return bool(message.string) and all(message.string or ())
