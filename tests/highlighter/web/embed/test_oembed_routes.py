"""What is shown of a link where it is pasted: Open Graph on its page, and oEmbed."""

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

SAID = "Tickets cost four pounds and are sold on board."


@pytest.fixture
def signed(client, note):
    def link(**what) -> str:
        return client.post("/api/v1/embed/links", json={"document_id": note.id, "question": TICKET, **what}).json["url"]

    return link


def tags(page: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', page)}


def test_a_link_shows_its_title_and_sentence_where_it_is_pasted(client, note):
    for what in ({"q": TICKET}, {"at": f"{NOTE.index(SAID)}-{NOTE.index(SAID) + len(SAID)}"}):
        page = text(client.get(f"/documents/{note.id}/chunks/0", query_string=what))
        told = tags(page)
        assert (told["title"], told["description"]) == ("note.txt, page 1", SAID)
        assert told["url"].startswith(f"http://localhost/documents/{note.id}/chunks/0?")
        (discovered,) = re.findall(r'json\+oembed" href="([^"]+)"', page)
        card = client.get(unescape(discovered)).json
        assert (card["type"], card["title"], card["description"]) == ("link", told["title"], SAID)


def test_a_signed_link_tells_what_it_grants_and_how_to_frame_it(client, signed):
    url = signed()
    page = text(client.get(url))
    assert tags(page)["description"] == SAID
    (discovered,) = re.findall(r'json\+oembed" href="([^"]+)"', page)
    assert discovered.startswith("http://localhost/embed/oembed?url=")
    card = client.get(f"{unescape(discovered)}&maxwidth=300").json
    assert (card["type"], card["description"], card["width"]) == ("rich", SAID, 300)
    assert f'src="{url}"' in card["html"]
    assert client.get("/oembed", query_string={"url": url}).json["title"] == "note.txt, page 1"


def test_what_whoever_asks_may_not_see_is_not_told(services, note, signed):
    site, link = f"http://localhost/documents/{note.id}/chunks/0", signed()
    app = create_app(services)
    client = app.test_client()
    app.before_request(lambda: set_current_principal(Principal("other", frozenset({"read"}), frozenset({"others"}))))
    app.teardown_request(lambda _: set_current_principal(LOCAL_OPERATOR))
    answer = client.get("/oembed", query_string={"url": site})
    assert answer.status_code == 404
    assert "note.txt" not in answer.get_data(as_text=True)
    assert client.get("/embed/oembed", query_string={"url": link}).json["description"] == SAID  # its bearer may


@pytest.mark.parametrize(
    "url",
    ["", "nothing", "https://evil.example/documents/x/chunks/0", "http://localhost/", "http://localhost/embed/dark.css",
     "http://localhost/api/v1/documents", "javascript:alert(1)", "http://localhost/documents/none/chunks/0",
     "http://[", "http://localhost]/", "http://a\u2100b/", "//localhost/", "http://x@localhost/", "http://localhost/\0"],
)  # fmt: skip
def test_what_is_no_highlight_has_no_card(client, url):
    assert client.get("/oembed", query_string={"url": url}).status_code == 404
    assert client.get("/embed/oembed", query_string={"url": url}).status_code == 404


def test_an_address_in_another_language_is_the_same_highlight_s(client, note, signed):
    link = signed()
    for url in (f"http://localhost/documents/{note.id}/chunks/0?q={TICKET}", link):
        chinese = url.replace("http://localhost/", "http://localhost/zh-Hant/")
        assert client.get("/oembed", query_string={"url": chinese}).json["description"] == SAID


def test_a_question_too_long_for_a_page_is_too_long_for_its_card(client, note):
    url = f"http://localhost/documents/{note.id}/chunks/0?q={'w' * 2001}"
    assert client.get("/oembed", query_string={"url": url}).status_code == 400


def test_signed_links_alone_are_told_of_without_a_key(client, note):
    url = f"http://localhost/documents/{note.id}/chunks/0"
    assert client.get("/embed/oembed", query_string={"url": url}).status_code == 404


def test_an_expired_or_altered_link_tells_nothing(client, services, note, signed):
    old = services.link_keys.sign(Grant(DOCUMENT_SCOPE, "default", note.id, expires=int(time.time()) - 1))
    for url, status in ((f"http://localhost/embed/{old}", 410), (signed()[:-2], 403)):
        answer = client.get("/embed/oembed", query_string={"url": url})
        assert (answer.status_code, "note.txt" in answer.get_data(as_text=True)) == (status, False)


def test_other_formats_and_sizes_are_refused(client, signed):
    assert client.get("/embed/oembed", query_string={"url": signed(), "format": "xml"}).status_code == 501
    assert client.get("/embed/oembed", query_string={"url": signed(), "maxwidth": "100"}).status_code == 400
