"""What a browser has once it need not ask for again, until it changes."""

from __future__ import annotations

import os
import re
import shutil

from tests.highlighter.web.pages.test_document_routes import text

SCRIPT = re.compile(r'src="([^"]+/static/[^"]+|/static/[^"]+)"')


def test_every_script_and_style_is_kept_for_good_by_its_address(client):
    for language in ("", "/zh-Hant"):
        page = text(client.get(f"{language}/documents"))
        for address in {*SCRIPT.findall(page), *re.findall(r'rel="stylesheet" href="([^"]+)"', page)}:
            assert address.startswith("/static/~")  # the same in every language
            with client.get(address) as file:
                assert file.status_code == 200
                assert "immutable" in file.headers["Cache-Control"]


def test_embedded_styles_are_kept_too(client, note):
    link = client.post("/api/v1/embed/links", json={"document_id": note.id}).json["path"]
    (style,) = re.findall(r'rel="stylesheet" href="([^"]+)"', text(client.get(f"{link}?theme=dark")))
    assert "immutable" in client.get(style).headers["Cache-Control"]
    assert client.get(style.partition("?")[0]).headers["Cache-Control"] == "no-cache"


def test_an_address_of_another_version_leads_to_the_file_and_is_asked_again(client):
    for address in ("/static/~0/viewer.js", "/static/viewer.js"):
        with client.get(address) as file:
            assert file.status_code == 200
            assert file.headers["Cache-Control"] == "no-cache"
    assert client.get("/static/~0/../app.py").status_code == 404


def test_a_file_that_changes_changes_every_address(app, tmp_path):
    app.static_folder = shutil.copytree(app.static_folder, tmp_path / "static")
    client = app.test_client()
    before = set(SCRIPT.findall(text(client.get("/documents"))))
    words = tmp_path / "static" / "words.js"
    words.write_text(words.read_text() + "\n// more\n")
    os.utime(words, ns=(0, 1))
    after = set(SCRIPT.findall(text(client.get("/documents"))))
    assert before
    assert not before & after
