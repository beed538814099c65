"""A message is its English text, and its id and values survive copies, processes and JSON."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from highlighter.errors import UnreadableFile
from highlighter.locale import N_, UserMessage, join_messages
from highlighter.locale.user_message import JoinedMessages, decode_message, encode_message

PLAIN = N_("The file is empty.")
FILLED = N_("The text has {count:,} sentences; the limit is {limit:,}.", count=1234, limit=1000)
NESTED = N_("{model}: {problem}", model="a", problem=FILLED)
OUTER = N_("{model}: {problem}", model="a", problem=PLAIN)
JOINED = join_messages([PLAIN, NESTED, "Words of a library."])
messages = pytest.mark.parametrize("message", [PLAIN, FILLED, NESTED, OUTER, JOINED])


def parts(message: str) -> object:
    """The message as plain values, so that equal texts are not equal messages."""
    if isinstance(message, JoinedMessages):
        return [parts(part) for part in message.parts]
    if not isinstance(message, UserMessage):
        return message
    values = {name: parts(value) if isinstance(value, str) else value for name, value in message.values.items()}
    return (message.id, values) if values else message.id


@messages
def test_copies_and_other_processes_get_the_whole_message(message):
    for other in (copy.deepcopy(message), pickle.loads(pickle.dumps(message))):
        assert (other, parts(other), type(other)) == (message, parts(message), type(message))
    error = pickle.loads(pickle.dumps(UnreadableFile("damaged", message)))
    assert parts(error.detail) == parts(message)


@messages
def test_json_holds_the_whole_message_and_its_english(message):
    encoded = json.loads(json.dumps(encode_message(message)))
    decoded = decode_message(encoded)
    assert decoded == message
    assert encoded == message or encoded["text"] == message
    assert parts(decoded) == parts(message)


def test_message_is_its_text_for_everyone_else():
    assert FILLED == "The text has 1,234 sentences; the limit is 1,000."
    assert json.dumps({"detail": FILLED}) == '{"detail": "The text has 1,234 sentences; the limit is 1,000."}'


def test_sentence_of_earlier_releases_stays_as_it_is():
    assert decode_message("Page 3 of a {b}.") == "Page 3 of a {b}."


def test_joining_leaves_out_what_is_empty():
    assert join_messages(["", FILLED]) is FILLED
    assert join_messages([]) == ""
    assert JOINED.parts == (PLAIN, NESTED, "Words of a library.")
    assert join_messages([JOINED, PLAIN]).parts == (*JOINED.parts, PLAIN)
