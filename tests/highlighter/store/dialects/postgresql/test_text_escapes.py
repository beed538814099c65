"""Tests that any text and any JSON value is restored from the form in which PostgreSQL can store it."""

import json
import re

import pytest
from hypothesis import strategies

from highlighter.store.dialects.postgresql.text_escapes import (
    ESCAPE,
    dump_json,
    escape_text,
    load_json,
    unescape_text,
)
from tests.properties import given

ANY_TEXT = strategies.text(strategies.sampled_from(f"a0\\1{ESCAPE}\0\ud800\udfff\ue000\ue7ffu"))


@given(ANY_TEXT)
def test_any_text_is_restored(text):
    escaped = escape_text(text)
    assert "\0" not in escaped
    assert isinstance(escaped.encode(), bytes)
    assert unescape_text(escaped) == text


@given(ANY_TEXT, ANY_TEXT)
def test_any_json_is_restored(key, text):
    value = {key: [text, 1, None, {text: key}]}
    dumped = dump_json(value)
    assert dumped.encode()
    assert not re.search(r"(?<!\\)(?:\\\\)*\\u0000", dumped)  # an escape, and not the text of one
    assert load_json(dumped) == load_json(dumped.encode()) == value


@pytest.mark.parametrize("text", ["plain", '中文 \n\t"\\u0000"', ""])
def test_text_without_such_characters_is_stored_as_it_is(text):
    assert escape_text(text) == text
    assert json.loads(dump_json([text])) == [text]
