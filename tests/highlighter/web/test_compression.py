"""Scripts and styles are sent in fewer bytes, and are the same."""

from __future__ import annotations

import gzip

import pytest

from tests.browser.serving import ROOT

ZIPPED = {"Accept-Encoding": "gzip, br"}


@pytest.mark.parametrize(
    "address", ["/static/highlighter.css", "/static/viewer.js", "/static/embed.js", "/embed/dark.css"]
)
def test_they_are_the_same_in_fewer_bytes(client, address):
    with client.get(address) as plain, client.get(address, headers=ZIPPED) as squeezed:
        assert gzip.decompress(squeezed.data) == plain.data
        assert len(squeezed.data) < len(plain.data) / 2
        assert (squeezed.headers["Content-Encoding"], plain.headers.get("Content-Encoding")) == ("gzip", None)
        assert "Accept-Encoding" in plain.headers["Vary"]
        assert "Accept-Encoding" in squeezed.headers["Vary"]
        tag = squeezed.headers["ETag"]
    with client.get(address, headers={**ZIPPED, "If-None-Match": tag}) as again:
        assert again.status_code == 304


def test_a_part_of_a_file_is_that_part(client):
    with client.get("/static/viewer.js", headers={**ZIPPED, "Range": "bytes=0-9"}) as part:
        assert part.data == (ROOT / "static" / "viewer.js").read_bytes()[:10]


def test_pages_are_sent_as_they_are(client):
    assert "Content-Encoding" not in client.get("/documents", headers=ZIPPED).headers
