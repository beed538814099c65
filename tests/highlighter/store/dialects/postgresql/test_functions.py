"""Tests that the functions which queries use do the same in PostgreSQL as in SQLite."""

import itertools
import json
import sys

import pytest
from sqlalchemy import func, select, text

from highlighter.store.database import open_database


def test_case_of_every_letter_is_folded_as_by_python(engine):
    every = [chr(code) for code in range(1, sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    characters = [
        character for character in every if character.casefold() != character or character.upper() != character
    ]
    characters += every[::997]  # no letters, most of them
    query = text("SELECT character, casefolded(character) FROM unnest(CAST(:characters AS text[])) AS character")
    with engine.connect() as connection:
        folded = connection.execute(query, {"characters": characters}).all()
    assert len(folded) == len(characters)
    assert [row for row in folded if row[0].casefold() != row[1]] == []


@pytest.mark.parametrize("words", ["", "STRASSE ß ẞ", "ΟΔΥΣΣΕΥΣ ς", "İstanbul IĞDIR", "ﬁ ﬃ ŉ ΐ", "中文 Ａ", "%_\\'"])
def test_case_of_words_is_folded_as_by_python(engine, words):
    with engine.connect() as connection:
        assert connection.scalar(select(func.casefolded(words))) == words.casefold()


VALUES = [
    {"a": 1, "b": [2, "x", None, True, 2.5], "c": "text", "d": {"e": False}, "f": None, "question": "Who \"asks\"?\n"},
    ["a", ["b", 2, 3]], "text", 7, None, {}, [],
]  # fmt: skip


PATHS = ("$", "$.b", "$.question", '$.d."e"', "$.tags")


def test_json_is_read_as_by_sqlite(engine, tmp_path):
    sqlite = open_database(tmp_path / "catalog.sqlite")
    entries = text("SELECT key, CAST(value AS TEXT), type FROM json_each(CAST(:value AS TEXT), :path)")
    extracted = text("SELECT json_extract(CAST(:value AS TEXT), :path)")
    with engine.connect() as left, sqlite.connect() as right:
        for value, path in itertools.product(VALUES, PATHS):
            parameters = {"value": json.dumps(value), "path": path}
            rows = [_normalise_entries(connection.execute(entries, parameters)) for connection in (left, right)]
            assert rows[0] == rows[1], parameters
            if path == "$.question":
                assert left.scalar(extracted, parameters) == right.scalar(extracted, parameters)
    sqlite.dispose()


def _normalise_entries(rows):
    """Return the entries of an object as keys and values; numbers and booleans have other names in SQLite."""
    kinds = {"integer": "number", "real": "number"}
    entries = []
    for key, value, kind in rows:
        if kind in ("true", "false", "null"):  # SQLite has 1, 0 and NULL as values, which queries do not use
            value = None
        if kind in ("object", "array"):
            value = json.loads(value)
        entries.append((key if isinstance(key, str) else None, value, kinds.get(kind, kind)))
    return sorted(entries, key=str)


def test_value_with_escapes_that_postgresql_refuses_is_returned_as_a_whole(engine):
    for value in ('{"question": "nul \\u0000"}', '{"question": "half \\ud800"}'):
        with engine.connect() as connection:
            assert connection.scalar(select(func.json_extract(value, "$.question"))) == value
