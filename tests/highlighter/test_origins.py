"""Parsing of origins."""

from __future__ import annotations

import pytest

from highlighter.origins import parse_origin


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("https://chat.example", "https://chat.example"),
        ("HTTPS://Chat.Example/", "https://chat.example"),
        ("https://chat.example:443", "https://chat.example"),
        ("http://chat.example:443", "http://chat.example:443"),
        ("http://[::1]:80/", "http://[::1]"),
        ("http://localhost:5500", "http://localhost:5500"),
    ],
)
def test_origin_is_normalised_as_browsers_write_it(written, origin):
    assert parse_origin(written) == origin


@pytest.mark.parametrize(
    "written",
    ["*", "null", "chat.example", "https://chat.example/path", "https://chat.example//", "https://me@chat.example", "ftp://x",
     "https://*.example", "https://a.example https://b.example", "https://a.example; script-src *", "https://a.example\n", ""],
)  # fmt: skip
def test_error_for_an_invalid_origin_shows_the_format(written):
    with pytest.raises(ValueError, match="scheme://host:port"):
        parse_origin(written)
