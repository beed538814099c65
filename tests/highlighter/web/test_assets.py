"""The caching of scripts and styles by browsers."""

from __future__ import annotations

import os
import re
import shutil

from tests.browser.serving import ROOT
from tests.highlighter.web.pages.test_document_routes import text
from tests.waiting import wait_until

SCRIPT = re.compile(r'src="([^"]+/static/[^"]+|/static/[^"]+)"')


def test_versioned_scripts_and_styles_are_immutable(client):
    for language in ("", "/zh-Hant"):
        page = text(client.get(f"{language}/documents"))
        for url in {*SCRIPT.findall(page), *re.findall(r'rel="stylesheet" href="([^"]+)"', page)}:
            assert url.startswith("/static/~")  # the same in every language
            with client.get(url) as response:
                assert response.status_code == 200
                assert "immutable" in response.headers["Cache-Control"]


def test_versioned_embed_styles_are_immutable(client, note):
    link = client.post("/api/v1/embed/links", json={"document_id": note.id}).json["path"]
    (style,) = re.findall(r'rel="stylesheet" href="([^"]+)"', text(client.get(f"{link}?theme=dark")))
    assert "immutable" in client.get(style).headers["Cache-Control"]
    assert client.get(style.partition("?")[0]).headers["Cache-Control"] == "no-cache"


def test_other_version_serves_file_without_caching(client):
    for url in ("/static/~0/viewer.js", "/static/viewer.js"):
        with client.get(url) as response:
            assert response.status_code == 200
            assert response.headers["Cache-Control"] == "no-cache"
    assert client.get("/static/~0/../app.py").status_code == 404


def test_changed_file_changes_every_asset_url(app, tmp_path):
    app.static_folder = shutil.copytree(app.static_folder, tmp_path / "static")
    client = app.test_client()
    before = set(SCRIPT.findall(text(client.get("/documents"))))
    script = tmp_path / "static" / "translations.js"
    script.write_text(script.read_text() + "\n// more\n")
    os.utime(script, ns=(0, 1))
    assert before
    wait_until(lambda: not before & set(SCRIPT.findall(text(client.get("/documents")))))


def test_signs_are_drawn_and_never_emoji():
    """A machine without an emoji font shows boxes in their place."""
    for folder in ("static", "templates"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in (".js", ".css", ".html"):
                assert not re.search("[\U0001f300-\U0001faff]", path.read_text(encoding="utf-8")), path.name
