"""The tags and limits of metadata, and filters as users write them."""

from __future__ import annotations

import pytest

from highlighter.errors import BadRequest
from highlighter.metadata import (
    MAX_METADATA_KEYS,
    MAX_TAGS,
    check_metadata,
    check_metadata_values,
    parse_details,
    parse_filters,
    parse_tags,
    read_tags,
)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("signed", ["signed"]),
        (" signed ,  by  us,, signed", ["signed", "by us"]),
        ("合同，已签", ["合同", "已签"]),
        (" , ", []),
    ],
)
def test_tags_are_separated_by_commas(text, tags):
    assert parse_tags(text) == tags


@pytest.mark.parametrize(
    ("stored", "tags"), [({}, ()), ({"tags": ["a", 1]}, ("a", "1")), ({"tags": "a"}, ("a",)), ({"tags": None}, ())]
)
def test_tags_are_read_however_they_are_stored(stored, tags):
    assert read_tags(stored) == tags


@pytest.mark.parametrize(
    "refuse",
    [
        lambda: parse_tags("x" * 61),
        lambda: parse_details("Year 2024"),
        lambda: parse_details("Year:"),
        lambda: parse_filters(["year"]),
        lambda: parse_filters(["=2024"]),
        lambda: check_metadata({"tags": [str(number) for number in range(MAX_TAGS + 1)]}),
        lambda: check_metadata({str(number): 1 for number in range(MAX_METADATA_KEYS + 1)}),
        lambda: check_metadata({"note": "x" * 20_000}),
        lambda: check_metadata_values({"tags": "signed"}),
        lambda: check_metadata_values({"tags": ["x" * 61]}),
        lambda: check_metadata_values({"doc_url": "javascript:alert(1)"}),
        lambda: check_metadata_values({"doc_url": "dms.example/77"}),
        lambda: check_metadata_values({"year": float("nan")}),
        lambda: check_metadata_values({"years": [2024, {"last": float("-inf")}]}),
    ],
)
def test_too_much_or_malformed_metadata_is_refused(refuse):
    with pytest.raises(BadRequest):
        refuse()


def test_usual_metadata_is_accepted():
    check_metadata_values({"tags": ["signed", 2024], "doc_url": "HTTPS://dms.example/77", "year": 2024.5})
    check_metadata_values({"tags": None, "doc_url": ""})  # a change that removes them


def test_details_are_one_a_line():
    assert parse_details("Year: 2024\r\n\n Time：12:30 ") == {"Year": "2024", "Time": "12:30"}


def test_filter_with_repeated_key_finds_either_value():
    assert parse_filters(["year=2023", "by=a=b", "year=2024"]) == {"year": ["2023", "2024"], "by": ["a=b"]}
