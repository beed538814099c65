"""Tests of addresses of documents."""

from __future__ import annotations

import pytest

from highlighter.native_citations.document_finder import normalise_address


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("https://www.a.example/x/#top", "http://a.example/x", True),
        ("https://a.example/#/doc/1", "https://a.example/#/doc/2", False),
        ("https://a.example/#!/doc/1", "https://a.example/", False),
        ("https://a.example/#/doc/1/", "http://www.a.example/#/doc/1", True),
    ],
)
def test_addresses_of_one_document_are_equal(first, second, is_same):
    assert (normalise_address(first) == normalise_address(second)) is is_same
