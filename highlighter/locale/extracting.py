"""What there is to translate: every message of templates, scripts and pages' Python, and the catalogues brought up to it."""

from __future__ import annotations

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from highlighter.locale import ENGLISH, LANGUAGES, path_of
from highlighter.locale.marked import ROOT, sentences

# What only programs and whoever runs the service are told, and no page shows: it is said in English alone.
ONLY_IN_ENGLISH = (
    "adapters/**.py", "api/**.py", "client/**.py", "commands/**.py", "__main__.py", "settings.py", "grounding/check.py",
    "grounding/strict.py", "generation/own.py", "generation/own_schema.py", "generation/prompting.py", "generation/providers.py",
    "embed/cards.py", "embed/making.py", "search/references.py", "store/keys.py",
)  # fmt: skip
WHERE = {
    "templates": [("**.html", "jinja2")],
    "static": [("**.js", "javascript")],
    "highlighter": [
        ("api/answer_routes.py", sentences),  # its answers are streamed to the ask page, too
        *((path, "ignore") for path in ONLY_IN_ENGLISH),
        ("**.py", sentences),
    ],
    "ingest": [("**.py", sentences)],
}
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None}


def messages() -> Catalog:
    """In the order of their files, so that a catalogue reads as the pages do."""
    found = Catalog(project="Highlighter", charset="utf-8", fuzzy=False)
    for folder, methods in WHERE.items():
        for path, _, message, _, _ in sorted(_of(folder, methods), key=lambda one: (one[0], one[1])):
            if message:
                found.add(message, locations=[(f"{folder}/{Path(path).as_posix()}", 0)])
    return found


def _of(folder: str, methods: list[tuple]):
    return extract_from_dir(ROOT / folder, methods, {"**": {"trimmed": "true"}}, KEYWORDS, ())


def update() -> dict[str, int]:
    """Adds what is new to each catalogue and drops what nobody says any more; how many are still to be translated."""
    missing = {}
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        path, template = path_of(language), messages()
        catalogue = read(language) if path.exists() else Catalog(locale=language.replace("-", "_"), fuzzy=False)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalogue, width=120, include_lineno=False, omit_header=True)
        missing[language] = len(untranslated(catalogue))
    return missing


def read(language: str) -> Catalog:
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language.replace("-", "_"))


def untranslated(catalogue: Catalog) -> list:
    return [
        one.id
        for one in catalogue
        if one.id and (one.fuzzy or not (all(one.string) if one.pluralizable else one.string))
    ]
