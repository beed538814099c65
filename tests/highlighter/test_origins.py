"""What names an origin, and what does not."""

from __future__ import annotations

import pytest

from highlighter.origins import parse_origin


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://chat.example", "https://chat.example"),
        ("HTTPS://Chat.Example/", "https://chat.example"),
        ("https://chat.example:443", "https://chat.example"),
        ("http://chat.example:443", "http://chat.example:443"),
        ("http://[::1]:80/", "http://[::1]"),
        ("http://localhost:5500", "http://localhost:5500"),
    ],
)
def test_an_origin_is_as_a_browser_writes_it(written, meant):
    assert parse_origin(written) == meant


@pytest.mark.parametrize(
    "written",
    ["*", "null", "chat.example", "https://chat.example/path", "https://chat.example//", "https://me@chat.example", "ftp://x",
     "https://*.example", "https://a.example https://b.example", "https://a.example; script-src *", "https://a.example\n", ""],
)  # fmt: skip
def test_what_is_none_is_refused_with_what_one_looks_like(written):
    with pytest.raises(ValueError, match="scheme://host:port"):
        parse_origin(written)
