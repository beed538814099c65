"""Users are told which words of a document are left out, and why."""

from __future__ import annotations

import pytest

from ingest.readers.extracted_document import HiddenText
from ingest.readers.left_out_notes import describe_hidden_texts


@pytest.mark.parametrize(
    ("texts", "notes"),
    [
        ({}, []),
        (
            {"The Buyer may not set off any sum.": "deleted"},
            ["Left out (deleted): “The Buyer may not set off any sum.”"],
        ),
        ({"a": "hidden", "b": "deleted", "c": "hidden"}, ["Left out (hidden): “a” “c”", "Left out (deleted): “b”"]),
        (dict.fromkeys("abcde", "deleted"), ["Left out (deleted): “a” “b” “c” and 2 more"]),
        ({"\u200bone\u200d\n two": "covered", "one two": "covered"}, ["Left out (covered): “one two”"]),
        ({"word " * 20: "invisible"}, ["Left out (invisible): “" + "word " * 12 + "…”"]),
    ],
)
def test_first_texts_of_each_reason_are_quoted_and_the_others_counted(texts, notes):
    assert describe_hidden_texts([HiddenText(text, reason) for text, reason in texts.items()]) == notes
