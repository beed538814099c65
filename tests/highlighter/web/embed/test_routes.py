"""The viewer by signed links, over HTTP: what each link opens, and that it opens nothing else."""

from __future__ import annotations

import io
import json
import re
import time
from dataclasses import replace

import pytest
from pypdf import PdfReader

from highlighter.access import LOCAL_OPERATOR, get_current_principal
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.signed_links import CHUNK_SCOPE, COLLECTION_SCOPE, DOCUMENT_SCOPE, LINK_PERMISSIONS, Grant
from highlighter.web.page_cache import TOKEN_PLACEHOLDER
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.web.pages.test_document_routes import TICKET, marks, text

SAID = "Tickets cost four pounds and are sold on board."
CHAT = "https://chat.example"


@pytest.fixture(scope="module")
def services(tmp_path_factory, embedder):
    """One library for all of these tests: none of them changes it."""
    made = Services(Settings(data_dir=tmp_path_factory.mktemp("embed")), embedder)
    yield made
    made.close()


@pytest.fixture
def tome(services, process_pool, tmp_path):
    """Several parts, in a collection of their own beside another document."""
    for name, what in (("tome", "clause"), ("other", "secret")):
        lines = [
            f"{number}. The {what} number {number} says that {number * 7} tons are moved." for number in range(100)
        ]
        path = tmp_path / f"{name}.txt"
        path.write_text("\n\n".join(lines), encoding="utf-8")
        found = ingest_file(
            path, services, process_pool, collection="tenders" if name == "tome" else "secrets"
        ).document
        if name == "tome":
            kept = found
    return kept


@pytest.fixture
def link(services):
    """The address of a grant."""

    def made(document, scope=DOCUMENT_SCOPE, **what) -> str:
        chunk = services.catalog.chunk(document, what.pop("chunk", 0))
        usual = Grant(
            scope, document.collection, document.id, chunk.index, chunk.pipeline, chunk.start, permissions=LINK_PERMISSIONS,
            expires=int(time.time()) + 600,
        )  # fmt: skip
        return f"/embed/{services.link_keys.sign(replace(usual, **what))}"

    return made


def told(page: str) -> dict:
    """What the page's script is told."""
    return json.loads(re.search(r'id="embed">(.*?)</script>', page).group(1))


def addresses(page: str) -> list[str]:
    return [one.replace("&amp;", "&") for one in re.findall(r'(?:href|src|data-picture|data-words)="([^"]+)"', page)]


def test_a_link_opens_its_place_lit_without_the_site_around_it(client, link, note):
    page = text(client.get(link(note, question=TICKET)))
    assert marks(page) == [SAID]
    assert 'class="site"' not in page
    assert "note.txt" in page


def test_every_address_on_the_page_is_below_the_link_and_opens(client, link, tome):
    for scope in (CHUNK_SCOPE, DOCUMENT_SCOPE, COLLECTION_SCOPE):
        root = link(tome, scope, chunk=1, question="How many tons does clause 30 move?")
        for view in ("text", "page"):
            page = text(client.get(f"{root}?view={view}&theme=dark"))
            elsewhere = (
                "#",
                "/static/",
                "/embed/dark.css",
                "http://localhost/embed/oembed?url=http://localhost/embed/",
            )
            found = [one for one in addresses(page) if not one.startswith(elsewhere)]
            assert len(found) >= 4
            for address in found:
                assert address.startswith(root), address
                with client.get(address.partition("#")[0], follow_redirects=True) as answer:
                    assert answer.status_code == 200, address
                    assert answer.headers["Cache-Control"] == "no-store"


def test_a_page_of_one_part_leads_nowhere_else(client, link, tome):
    page = text(client.get(link(tome, CHUNK_SCOPE, chunk=1)))
    assert 'rel="next"' not in page
    assert "original" not in page
    assert 'rel="next"' in text(client.get(link(tome, DOCUMENT_SCOPE, chunk=1)))


def test_nothing_outside_a_part_opens_by_its_link(client, services, link, tome):
    root = link(tome, CHUNK_SCOPE, chunk=1)
    own, other = services.catalog.chunk(tome, 1), services.catalog.chunk(tome, 3)
    below = f"{root}/{tome.id}"
    beyond = own.last_page + 1
    for path in (
        f"{below}/0", f"{below}/3", f"{below}/1", f"{below}/1?start={other.start}&v={other.pipeline}",
        f"{below}/1?start={own.start}&v=1", f"{below}/3.pdf?start={other.start}&v={other.pipeline}", f"{below}/pdf",
        f"{below}/original", f"{below}/pages/{beyond}.webp?v={tome.pipeline}", f"{below}/pages/{beyond}.json?v={tome.pipeline}",
        f"{below}/pages/{own.first_page}.webp", f"{below}/pages/{own.first_page}.webp?v=1",
        f"{below}/pages/{beyond + 1}", f"{root}?at={other.start}-{other.start + 9}",
    ):  # fmt: skip
        answer = client.get(path)
        assert answer.status_code == 403, path
        assert "Not covered by this link" in answer.get_data(as_text=True)
        assert "clause number" not in answer.get_data(as_text=True)
    assert client.get(f"{below}/pages/{own.first_page}.json?v={own.pipeline}").status_code == 200


def test_a_part_read_anew_is_not_the_one_that_had_its_number(client, services, link, tome):
    """A link for part 1 of an earlier reading, where that stood elsewhere."""
    root = link(tome, CHUNK_SCOPE, chunk=1, pipeline=tome.pipeline - 1, chunk_start=0)
    now = services.catalog.chunk(tome, 1)
    other = f"{root}/{tome.id}/1?start={now.start}&v={now.pipeline}"
    for path, asked in (
        (root, {"at": f"{now.start}-{now.start + 9}"}),
        (other, {}),
        ("/embed/oembed", {"url": f"http://localhost{other}"}),
        ("/embed/oembed", {"url": f"http://localhost{root}/{tome.id}/1"}),
    ):
        answer = client.get(path, query_string=asked or None)
        assert answer.status_code == 403, (path, asked)
        assert "clause number" not in answer.get_data(as_text=True)


def test_another_document_is_refused_whether_it_is_there_or_not(client, services, link, tome, note):
    (secret,) = (one for one in services.catalog.documents() if one.collection == "secrets")
    root = link(tome)
    for document in (secret.id, note.id, "0" * 32):
        said = {client.get(f"{root}/{document}/{rest}").get_data(as_text=True) for rest in
                ("0", "0.pdf", "pdf", "original", "pages/1", "pages/1.webp", "pages/1.json")}  # fmt: skip
        assert len({re.sub(r"nonce-?[^ ]*", "", one).replace(document, "") for one in said}) == 1
        assert "Not covered by this link" in said.pop()
    within = link(tome, COLLECTION_SCOPE)
    for document in (secret.id, "0" * 32):  # of another collection nothing is told, not even that it is there
        answer = client.get(f"{within}/{document}/0")
        assert (answer.status_code, f"Document {document} was not found" in answer.get_data(as_text=True)) == (
            404,
            True,
        )


def test_a_collection_s_link_opens_all_of_it_and_lists_it_when_it_names_no_place(client, services, link, tome):
    made = Grant(COLLECTION_SCOPE, "tenders", permissions=LINK_PERMISSIONS, expires=int(time.time()) + 60)
    page = text(client.get(f"/embed/{services.link_keys.sign(made)}"))
    assert "tome.txt" in page
    assert "other.txt" not in page
    (opens,) = [one for one in addresses(page) if tome.id in one]
    assert "clause number" in text(client.get(opens))


@pytest.mark.parametrize(
    ("may", "shown", "opened"),
    [(("view",), ["Text"], {"text"}), (("page",), ["Page"], {"page"}), (("view", "page"), ["Text", "Page"], {"text", "page"}),
     (("view", "download"), ["Text", "PDF"], {"text", "pdf"})],
)  # fmt: skip
def test_what_may_not_be_opened_is_neither_offered_nor_given(client, link, note, may, shown, opened):
    root = link(note, permissions=may)
    page = text(client.get(root))
    assert re.findall(r'data-view="\w+"[^>]*>(\w+)', page) == shown
    assert ('data-document-pages="' in page) == ("view" not in may)
    below, v = f"{root}/{note.id}", note.pipeline
    for what, path in (("page", f"{below}/pages/1.webp?v={v}"), ("page", f"{below}/pages/1.json?v={v}"),
                       ("pdf", f"{below}/pdf"), ("pdf", f"{below}/original"), ("pdf", f"{below}/0.pdf")):  # fmt: skip
        with client.get(path) as answer:
            assert answer.status_code == (200 if what in opened else 403), path
    assert ('class="text"' in text(client.get(f"{root}?view=text"))) == ("text" in opened)


def test_a_span_is_lit_and_one_that_says_something_else_is_not(client, link, note):
    start = NOTE.index(SAID)
    assert marks(text(client.get(link(note, span=(start, start + len(SAID)))))) == [SAID]
    both = text(client.get(link(note, span=(start, start + len(SAID)), question="When does the ferry leave?")))
    assert SAID in marks(both)
    other = text(client.get(link(note, span=(start, start + len(SAID)), quote="Tickets cost nine pounds on Sundays.")))
    assert marks(other) == []
    assert "nothing is highlighted" in other


def test_a_host_may_ask_another_question_and_go_to_another_span_within_reach(client, link, note):
    root = link(note, question="When does the ferry leave?")
    assert marks(text(client.get(root, query_string={"q": TICKET}))) == [SAID]
    start = NOTE.index(SAID)
    page = text(client.get(root, query_string={"at": f"{start}-{start + 7}"}))
    assert marks(page) == ["Tickets"]
    (to_page,) = [one for one in addresses(page) if "view=page" in one]
    assert f"at={start}-{start + 7}" in to_page


def test_a_host_may_go_to_another_span_from_wherever_its_reader_is(client, services, link, tome):
    """What a frame asks for when it is told `goto` within a document that the link did not open at."""
    root = link(tome, COLLECTION_SCOPE)
    shown = services.catalog.chunk(tome, 1)
    place = told(text(client.get(f"{root}/{tome.id}/1")))["place"]
    assert place.startswith(f"/{tome.id}/1?start={shown.start}&")
    other = services.catalog.chunk(tome, 3)
    said = other.text[:30].split("\n")[0]
    page = text(client.get(f"{root}{place}&at={other.start}-{other.start + len(said)}"))
    assert (told(page)["chunk_index"], marks(page)) == (3, [said])
    assert marks(text(client.get(f"{root}{place}&at={shown.start}-{shown.start + 10}"))) == [shown.text[:10]]
    assert told(text(client.get(root)))["place"] == "?"


@pytest.mark.parametrize("may", [LINK_PERMISSIONS, ("view", "page")])
@pytest.mark.parametrize("scope", [CHUNK_SCOPE, DOCUMENT_SCOPE])
def test_what_is_lit_is_told_with_its_words_and_its_page_in_the_document(client, services, link, tome, scope, may):
    index = next(one.index for one in services.catalog.chunks(tome) if one.first_page > 1)
    chunk = services.catalog.chunk(tome, index)
    said = chunk.text.split("\n")[0]
    root = link(tome, scope, chunk=index, permissions=may, span=(chunk.start, chunk.start + len(said)))
    for view in ("text", "page"):
        assert told(text(client.get(f"{root}?view={view}")))["selected"] == [{"page": chunk.first_page, "text": said}]


def test_the_pdf_of_a_link_for_one_part_is_lit_where_its_view_is_and_opens_there(client, services, link, tome):
    index = next(one.index for one in services.catalog.chunks(tome) if one.first_page > 1)
    chunk = services.catalog.chunk(tome, index)
    said = chunk.text.split("\n")[0]
    for asked in ({}, {"question": "Who discovered penicillin?"}):
        root = link(tome, CHUNK_SCOPE, chunk=index, span=(chunk.start, chunk.start + len(said)), **asked)
        (pdf, *_) = [one for one in addresses(text(client.get(root))) if ".pdf?" in one]
        assert pdf.endswith("#page=1")
        with client.get(pdf.partition("#")[0]) as answer:
            pages = PdfReader(io.BytesIO(answer.data)).pages
            assert [bool(page.get("/Annots")) for page in pages] == [True] + [False] * (len(pages) - 1)
    (plain, *_) = [one for one in addresses(text(client.get(link(tome, CHUNK_SCOPE, chunk=index)))) if ".pdf?" in one]
    assert plain.endswith("#page=1")  # it has no page of its chunk's number


def test_who_may_frame_it_is_said_and_nothing_is_kept_or_told(client, link, note):
    answer = client.get(link(note, origins=(CHAT, "http://localhost:9")))
    policy = answer.headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors 'self' https://chat.example http://localhost:9")
    assert "script-src 'nonce-" in policy
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Set-Cookie" not in answer.headers
    assert client.get(link(note)).headers["Content-Security-Policy"].endswith("frame-ancestors 'self'")
    assert client.get("/").headers["Content-Security-Policy"].endswith("frame-ancestors 'self'")
    assert "Access-Control-Allow-Origin" not in client.get("/documents").headers
    with client.get("/static/embed.js") as script:
        assert script.headers["Access-Control-Allow-Origin"] == "*"


def test_a_link_that_expired_says_so_to_those_who_framed_it(client, link, note):
    answer = client.get(link(note, origins=(CHAT,), expires=int(time.time()) - 1))
    assert answer.status_code == 410
    assert "This link has expired" in answer.get_data(as_text=True)
    assert '"status": 410' in answer.get_data(as_text=True)
    assert answer.headers["Content-Security-Policy"].endswith(f"frame-ancestors 'self' {CHAT}")


def test_a_link_that_was_altered_opens_nothing(client, link, note):
    root = link(note)
    for altered in (root[:-1], root[:-1] + ("A" if root[-1] != "A" else "B"), root.replace(".", "..", 1), root + "="):
        for path in (altered, f"{altered}/{note.id}/0", f"{altered}/{note.id}/pages/1.webp"):
            answer = client.get(path)
            assert answer.status_code == 403, path
            assert "Invalid link" in answer.get_data(as_text=True)
            assert NOTE[:20] not in answer.get_data(as_text=True)


def test_a_page_that_is_remembered_is_given_out_with_each_one_s_own_link(client, link, note):
    first, second = link(note, question=TICKET), link(note, question=TICKET, expires=int(time.time()) + 999)
    assert first != second
    pages = [text(client.get(root)) for root in (first, second, first)]
    assert [page.count(root) > 3 for page, root in zip(pages, (first, second, first), strict=True)] == [True] * 3
    assert first not in pages[1]
    narrower = text(client.get(link(note, question=TICKET, permissions=("view",))))
    assert "view=page" not in narrower
    assert "original" not in narrower


def test_words_that_only_look_like_what_a_remembered_page_leaves_open_stay_words(client, link, note):
    """Were they exchanged, a question or a document could have a reader's link and nonce put where they are copied."""
    words = "nonce-to-be-put-here token-to-be-put-here"
    root = link(note, question=words)
    for _ in ("made", "remembered"):
        assert f"<b>{words}</b>" in text(client.get(root))
    kept = "".join(page for _, page in client.application.page_cache._pages.values())
    assert TOKEN_PLACEHOLDER in kept
    assert TOKEN_PLACEHOLDER not in text(client.get(root))


def test_whoever_comes_next_is_no_longer_the_bearer_of_a_link(client, link, tome, note):
    client.get(link(tome))
    assert get_current_principal() == LOCAL_OPERATOR
    assert client.get(f"/documents/{note.id}").status_code == 200


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_is_the_site_s_stylesheet_that_does_not_ask(client, link, note, theme):
    page = text(client.get(f"{link(note)}?theme={theme}"))
    assert f'href="/embed/{theme}.css?v=' in page
    assert f"theme={theme}" in next(one for one in addresses(page) if "view=page" in one)
    style = client.get(f"/embed/{theme}.css")
    assert style.mimetype == "text/css"
    assert "prefers-color-scheme" not in style.get_data(as_text=True)
    assert f"color-scheme: {theme};" in style.get_data(as_text=True)
    assert 'data-theme="auto"' in text(client.get(f"{link(note)}?theme=<x>"))


def test_a_fault_of_ours_leaves_no_link_in_the_log(client, link, note, monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("within")

    monkeypatch.setattr("highlighter.web.chunk_page.make_preview_text", fail)
    root = link(note)
    assert client.get(f"{root}?view=text&again").status_code == 500
    assert "/embed/..." in caplog.text
    assert root not in caplog.text
