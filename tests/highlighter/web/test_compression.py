"""The compression of scripts and styles."""

from __future__ import annotations

import gzip

import pytest

from tests.browser.serving import ROOT

ACCEPTS_GZIP = {"Accept-Encoding": "gzip, br"}


@pytest.mark.parametrize("url", ["/static/highlighter.css", "/static/viewer.js", "/static/embed.js", "/embed/dark.css"])
def test_compressed_asset_has_same_content_in_fewer_bytes(client, url):
    with client.get(url) as plain, client.get(url, headers=ACCEPTS_GZIP) as compressed:
        assert gzip.decompress(compressed.data) == plain.data
        assert len(compressed.data) < len(plain.data) / 2
        assert (compressed.headers["Content-Encoding"], plain.headers.get("Content-Encoding")) == ("gzip", None)
        assert "Accept-Encoding" in plain.headers["Vary"]
        assert "Accept-Encoding" in compressed.headers["Vary"]
        tag = compressed.headers["ETag"]
    with client.get(url, headers={**ACCEPTS_GZIP, "If-None-Match": tag}) as cached:
        assert cached.status_code == 304


def test_range_of_file_is_not_compressed(client):
    with client.get("/static/viewer.js", headers={**ACCEPTS_GZIP, "Range": "bytes=0-9"}) as part:
        assert part.data == (ROOT / "static" / "viewer.js").read_bytes()[:10]


def test_pages_are_not_compressed(client):
    assert "Content-Encoding" not in client.get("/documents", headers=ACCEPTS_GZIP).headers
