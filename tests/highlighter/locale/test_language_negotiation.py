"""The language comes from the URL, else from the browser, else it is English; and the choice is kept."""

from __future__ import annotations

import re

import pytest

from highlighter.locale.language_negotiation import negotiate_language


@pytest.mark.parametrize(
    ("requested", "accepted", "language"),
    [
        ("", (), "en"),
        ("", ("de", "fr-CH", "*"), "en"),
        ("", ("de", "zh-TW"), "zh-Hant"),
        ("", ("zh-HK", "en"), "zh-Hant"),
        ("", ("zh-Hant-MO",), "zh-Hant"),
        ("", ("zh",), "zh-Hans"),
        ("", ("zh-CN", "zh-TW"), "zh-Hans"),
        ("", ("zh-Hans-HK",), "zh-Hans"),
        ("", ("en-GB", "zh-TW"), "en"),
        ("zh-Hant", ("zh-CN",), "zh-Hant"),
        ("en", ("zh-CN",), "en"),
        ("tlh", ("zh-CN",), "zh-Hans"),
        ("zh_TW", (), "zh-Hant"),
    ],
)
def test_negotiation_returns_nearest_supported_language(requested, accepted, language):
    assert negotiate_language(requested, accepted) == language


def html(client, address: str, accepted: str = "") -> str:
    answer = client.get(address, headers={"Accept-Language": accepted} if accepted else {})
    page = answer.get_data(as_text=True)
    assert answer.headers["Content-Language"] == re.search(r'<html lang="([\w-]+)"', page)[1]
    assert "Accept-Language" in answer.headers["Vary"]
    return page


def test_browser_preference_sets_language_but_not_urls(client):
    page = html(client, "/documents", "zh-TW,zh;q=0.9,en;q=0.8")
    assert "<h1>文件庫</h1>" in page
    assert 'href="/search"' in page


def test_requested_language_wins_and_is_kept_in_links(client):
    page = html(client, "/documents?lang=zh-Hans", "zh-TW")
    assert "<h1>文档库</h1>" in page
    leading = set(re.findall(r'(?:href|action|src)="(/[^"]*)"', page))
    elsewhere = {address for address in leading if not address.startswith(("/zh-Hans/", "/static/"))}
    assert elsewhere == {
        "/en/documents",
        "/zh-Hant/documents",
    }
    assert "<h1>搜索</h1>" in html(client, "/zh-Hans/search", "en")


def test_page_cache_separates_languages(client, note):
    address = f"/documents/{note.id}/chunks/0"
    assert "Skip to content" in html(client, address)
    assert "跳到主要內容" in html(client, address, "zh-TW")
    assert "跳到主要内容" in html(client, address, "zh-CN")
    assert "Skip to content" in html(client, address)


def test_language_follows_proxy_prefix(app):
    page = app.test_client().get("/zh-Hant/documents", environ_overrides={"SCRIPT_NAME": "/docs"})
    words = page.get_data(as_text=True)
    assert 'href="/docs/zh-Hant/search"' in words
    assert 'href="/docs/en/documents"' in words


def test_text_in_other_language_has_lang_attribute(client, note):
    page = html(client, f"/zh-Hant/documents/{note.id}")
    assert f'<h1 lang="en">{note.name}</h1>' in page
    assert '<h1 lang="en">' not in html(client, f"/documents/{note.id}")
