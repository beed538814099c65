"""Tests of the cards of links: Open Graph on the page, and oEmbed."""

from __future__ import annotations

import re
import time
from html import unescape

import pytest

from highlighter.access import LOCAL_OPERATOR, Principal, set_current_principal
from highlighter.app import create_app
from highlighter.signed_links import DOCUMENT_SCOPE, Grant
from tests.conftest import NOTE
from tests.highlighter.web.pages.test_document_routes import TICKET, text

SENTENCE = "Tickets cost four pounds and are sold on board."


@pytest.fixture
def signed_link(client, note):
    def request_link(**fields) -> str:
        return client.post("/api/v1/embed/links", json={"document_id": note.id, "question": TICKET, **fields}).json[
            "url"
        ]

    return request_link


def read_og_tags(page: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', page)}


def test_card_of_chunk_has_title_and_sentence(client, note):
    for query in ({"q": TICKET}, {"at": f"{NOTE.index(SENTENCE)}-{NOTE.index(SENTENCE) + len(SENTENCE)}"}):
        page = text(client.get(f"/documents/{note.id}/chunks/0", query_string=query))
        og_tags = read_og_tags(page)
        assert (og_tags["title"], og_tags["description"]) == ("note.txt, page 1", SENTENCE)
        assert og_tags["url"].startswith(f"http://localhost/documents/{note.id}/chunks/0?")
        (oembed_url,) = re.findall(r'json\+oembed" href="([^"]+)"', page)
        card = client.get(unescape(oembed_url)).json
        assert (card["type"], card["title"], card["description"]) == ("link", og_tags["title"], SENTENCE)


def test_card_of_signed_link_has_sentence_and_frame(client, signed_link):
    url = signed_link()
    page = text(client.get(url))
    assert read_og_tags(page)["description"] == SENTENCE
    (oembed_url,) = re.findall(r'json\+oembed" href="([^"]+)"', page)
    assert oembed_url.startswith("http://localhost/embed/oembed?url=")
    card = client.get(f"{unescape(oembed_url)}&maxwidth=300").json
    assert (card["type"], card["description"], card["width"]) == ("rich", SENTENCE, 300)
    assert f'src="{url}"' in card["html"]
    assert client.get("/oembed", query_string={"url": url}).json["title"] == "note.txt, page 1"


def test_card_needs_visible_document_or_signed_link(services, note, signed_link):
    site, link = f"http://localhost/documents/{note.id}/chunks/0", signed_link()
    app = create_app(services)
    client = app.test_client()
    app.before_request(lambda: set_current_principal(Principal("other", frozenset({"read"}), frozenset({"others"}))))
    app.teardown_request(lambda _: set_current_principal(LOCAL_OPERATOR))
    answer = client.get("/oembed", query_string={"url": site})
    assert answer.status_code == 404
    assert "note.txt" not in answer.get_data(as_text=True)
    assert (
        client.get("/embed/oembed", query_string={"url": link}).json["description"] == SENTENCE
    )  # the bearer of the link may see the document


@pytest.mark.parametrize(
    "url",
    ["", "nothing", "https://evil.example/documents/x/chunks/0", "http://localhost/", "http://localhost/embed/dark.css",
     "http://localhost/api/v1/documents", "javascript:alert(1)", "http://localhost/documents/none/chunks/0",
     "http://[", "http://localhost]/", "http://a\u2100b/", "//localhost/", "http://x@localhost/", "http://localhost/\0"],
)  # fmt: skip
def test_other_urls_have_no_card(client, url):
    assert client.get("/oembed", query_string={"url": url}).status_code == 404
    assert client.get("/embed/oembed", query_string={"url": url}).status_code == 404


def test_url_with_language_prefix_has_the_same_card(client, note, signed_link):
    link = signed_link()
    for url in (f"http://localhost/documents/{note.id}/chunks/0?q={TICKET}", link):
        chinese = url.replace("http://localhost/", "http://localhost/zh-Hant/")
        assert client.get("/oembed", query_string={"url": chinese}).json["description"] == SENTENCE


def test_card_refuses_question_that_is_too_long(client, note):
    url = f"http://localhost/documents/{note.id}/chunks/0?q={'w' * 2001}"
    assert client.get("/oembed", query_string={"url": url}).status_code == 400


def test_embed_oembed_describes_only_signed_links(client, note):
    url = f"http://localhost/documents/{note.id}/chunks/0"
    assert client.get("/embed/oembed", query_string={"url": url}).status_code == 404


def test_expired_or_altered_link_has_no_card(client, services, note, signed_link):
    expired_token = services.link_keys.sign(Grant(DOCUMENT_SCOPE, "default", note.id, expires=int(time.time()) - 1))
    for url, status in ((f"http://localhost/embed/{expired_token}", 410), (signed_link()[:-2], 403)):
        answer = client.get("/embed/oembed", query_string={"url": url})
        assert (answer.status_code, "note.txt" in answer.get_data(as_text=True)) == (status, False)


def test_other_formats_and_small_sizes_are_refused(client, signed_link):
    assert client.get("/embed/oembed", query_string={"url": signed_link(), "format": "xml"}).status_code == 501
    assert client.get("/embed/oembed", query_string={"url": signed_link(), "maxwidth": "100"}).status_code == 400
