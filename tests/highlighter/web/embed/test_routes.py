"""Tests of the embedded viewer: what each signed link opens, and that it opens nothing else."""

from __future__ import annotations

import io
import json
import re
import shutil
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

SENTENCE = "Tickets cost four pounds and are sold on board."
HOST_ORIGIN = "https://chat.example"


@pytest.fixture(scope="module")
def services(tmp_path_factory, note_folder, embedder):
    """One library for all tests, none of which changes it."""
    folder = tmp_path_factory.mktemp("embed") / "data"
    shutil.copytree(note_folder, folder)
    services = Services(Settings(data_dir=folder), embedder)
    yield services
    services.close()


@pytest.fixture
def long_document(services, process_pool, tmp_path):
    """A document with several chunks, in its own collection, beside a document of another collection."""
    for name, subject in (("tome", "clause"), ("other", "secret")):
        lines = [
            f"{number}. The {subject} number {number} says that {number * 7} tons are moved." for number in range(100)
        ]
        path = tmp_path / f"{name}.txt"
        path.write_text("\n\n".join(lines), encoding="utf-8")
        document = ingest_file(
            path, services, process_pool, collection="tenders" if name == "tome" else "secrets"
        ).document
        if name == "tome":
            long_document = document
    return long_document


@pytest.fixture
def link(services):
    """Return a function that returns the URL of a signed link."""

    def make_link(document, scope=DOCUMENT_SCOPE, **fields) -> str:
        chunk = services.catalog.chunk(document, fields.pop("chunk", 0))
        grant = Grant(
            scope, document.collection, document.id, chunk.index, chunk.pipeline, chunk.start, permissions=LINK_PERMISSIONS,
            expires=int(time.time()) + 600,
        )  # fmt: skip
        return f"/embed/{services.link_keys.sign(replace(grant, **fields))}"

    return make_link


def read_script_data(page: str) -> dict:
    """Return the data of the page's script."""
    return json.loads(re.search(r'id="embed">(.*?)</script>', page).group(1))


def find_urls(page: str) -> list[str]:
    return [url.replace("&amp;", "&") for url in re.findall(r'(?:href|src|data-picture|data-words)="([^"]+)"', page)]


def test_link_opens_highlighted_chunk_without_site_navigation(client, link, note):
    page = text(client.get(link(note, question=TICKET)))
    assert marks(page) == [SENTENCE]
    assert 'class="site"' not in page
    assert "note.txt" in page


def test_every_url_on_page_is_below_link_and_opens(client, link, long_document):
    for scope in (CHUNK_SCOPE, DOCUMENT_SCOPE, COLLECTION_SCOPE):
        root = link(long_document, scope, chunk=1, question="How many tons does clause 30 move?")
        for view in ("text", "page"):
            page = text(client.get(f"{root}?view={view}&theme=dark"))
            other_prefixes = (
                "#",
                "/static/",
                "/embed/dark.css",
                "http://localhost/embed/oembed?url=http://localhost/embed/",
            )
            urls = [url for url in find_urls(page) if not url.startswith(other_prefixes)]
            assert len(urls) >= 4
            for url in urls:
                assert url.startswith(root), url
                with client.get(url.partition("#")[0], follow_redirects=True) as answer:
                    assert answer.status_code == 200, url
                    assert answer.headers["Cache-Control"] == "no-store"


def test_link_for_chunk_offers_no_neighbours(client, link, long_document):
    page = text(client.get(link(long_document, CHUNK_SCOPE, chunk=1)))
    assert 'rel="next"' not in page
    assert "original" not in page
    assert 'rel="next"' in text(client.get(link(long_document, DOCUMENT_SCOPE, chunk=1)))


def test_link_for_chunk_opens_nothing_else(client, services, link, long_document):
    root = link(long_document, CHUNK_SCOPE, chunk=1)
    granted, other = services.catalog.chunk(long_document, 1), services.catalog.chunk(long_document, 3)
    document_url = f"{root}/{long_document.id}"
    next_page = granted.last_page + 1
    for path in (
        f"{document_url}/0", f"{document_url}/3", f"{document_url}/1", f"{document_url}/1?start={other.start}&v={other.pipeline}",
        f"{document_url}/1?start={granted.start}&v=1", f"{document_url}/3.pdf?start={other.start}&v={other.pipeline}", f"{document_url}/pdf",
        f"{document_url}/original", f"{document_url}/pages/{next_page}.webp?v={long_document.pipeline}", f"{document_url}/pages/{next_page}.json?v={long_document.pipeline}",
        f"{document_url}/pages/{granted.first_page}.webp", f"{document_url}/pages/{granted.first_page}.webp?v=1",
        f"{document_url}/pages/{next_page + 1}", f"{root}?at={other.start}-{other.start + 9}",
    ):  # fmt: skip
        answer = client.get(path)
        assert answer.status_code == 403, path
        assert "Not covered by this link" in answer.get_data(as_text=True)
        assert "clause number" not in answer.get_data(as_text=True)
    assert client.get(f"{document_url}/pages/{granted.first_page}.json?v={granted.pipeline}").status_code == 200


def test_chunk_of_later_pipeline_is_not_the_granted_chunk(client, services, link, long_document):
    """The link is for chunk 1 of an earlier pipeline, which started elsewhere."""
    root = link(long_document, CHUNK_SCOPE, chunk=1, pipeline=long_document.pipeline - 1, chunk_start=0)
    current = services.catalog.chunk(long_document, 1)
    other = f"{root}/{long_document.id}/1?start={current.start}&v={current.pipeline}"
    for path, query in (
        (root, {"at": f"{current.start}-{current.start + 9}"}),
        (other, {}),
        ("/embed/oembed", {"url": f"http://localhost{other}"}),
        ("/embed/oembed", {"url": f"http://localhost{root}/{long_document.id}/1"}),
    ):
        answer = client.get(path, query_string=query or None)
        assert answer.status_code == 403, (path, query)
        assert "clause number" not in answer.get_data(as_text=True)


def test_other_document_is_refused_whether_it_exists_or_not(client, services, link, long_document, note):
    (secret,) = (document for document in services.catalog.documents() if document.collection == "secrets")
    root = link(long_document)
    for document in (secret.id, note.id, "0" * 32):
        pages = {client.get(f"{root}/{document}/{rest}").get_data(as_text=True) for rest in
                ("0", "0.pdf", "pdf", "original", "pages/1", "pages/1.webp", "pages/1.json")}  # fmt: skip
        assert len({re.sub(r"nonce-?[^ ]*", "", page).replace(document, "") for page in pages}) == 1
        assert "Not covered by this link" in pages.pop()
    within = link(long_document, COLLECTION_SCOPE)
    for document in (secret.id, "0" * 32):  # a document of another collection looks like an unknown one
        answer = client.get(f"{within}/{document}/0")
        assert (answer.status_code, f"Document {document} was not found" in answer.get_data(as_text=True)) == (
            404,
            True,
        )


def test_link_for_collection_lists_its_documents(client, services, link, long_document):
    grant = Grant(COLLECTION_SCOPE, "tenders", permissions=LINK_PERMISSIONS, expires=int(time.time()) + 60)
    page = text(client.get(f"/embed/{services.link_keys.sign(grant)}"))
    assert "tome.txt" in page
    assert "other.txt" not in page
    (url,) = [url for url in find_urls(page) if long_document.id in url]
    assert "clause number" in text(client.get(url))


@pytest.mark.parametrize(
    ("permissions", "labels", "views"),
    [(("view",), ["Text"], {"text"}), (("page",), ["Page"], {"page"}), (("view", "page"), ["Text", "Page"], {"text", "page"}),
     (("view", "download"), ["Text", "PDF"], {"text", "pdf"})],
)  # fmt: skip
def test_missing_permissions_are_neither_offered_nor_granted(client, link, note, permissions, labels, views):
    root = link(note, permissions=permissions)
    page = text(client.get(root))
    assert re.findall(r'data-view="\w+"[^>]*>(\w+)', page) == labels
    assert ('data-document-pages="' in page) == ("view" not in permissions)
    document_url, v = f"{root}/{note.id}", note.pipeline
    for view, path in (("page", f"{document_url}/pages/1.webp?v={v}"), ("page", f"{document_url}/pages/1.json?v={v}"),
                       ("pdf", f"{document_url}/pdf"), ("pdf", f"{document_url}/original"), ("pdf", f"{document_url}/0.pdf")):  # fmt: skip
        with client.get(path) as answer:
            assert answer.status_code == (200 if view in views else 403), path
    assert ('class="text"' in text(client.get(f"{root}?view=text"))) == ("text" in views)


def test_span_is_highlighted_unless_it_contradicts_quote(client, link, note):
    start = NOTE.index(SENTENCE)
    assert marks(text(client.get(link(note, span=(start, start + len(SENTENCE)))))) == [SENTENCE]
    with_question = text(
        client.get(link(note, span=(start, start + len(SENTENCE)), question="When does the ferry leave?"))
    )
    assert SENTENCE in marks(with_question)
    other = text(
        client.get(link(note, span=(start, start + len(SENTENCE)), quote="Tickets cost nine pounds on Sundays."))
    )
    assert marks(other) == []
    assert "nothing is highlighted" in other


def test_host_can_change_question_and_span_within_scope(client, link, note):
    root = link(note, question="When does the ferry leave?")
    assert marks(text(client.get(root, query_string={"q": TICKET}))) == [SENTENCE]
    start = NOTE.index(SENTENCE)
    page = text(client.get(root, query_string={"at": f"{start}-{start + 7}"}))
    assert marks(page) == ["Tickets"]
    (to_page,) = [url for url in find_urls(page) if "view=page" in url]
    assert f"at={start}-{start + 7}" in to_page


def test_host_can_change_span_from_any_chunk(client, services, link, long_document):
    """The frame requests this URL after `goto`, in a document other than the one that the link opens at."""
    root = link(long_document, COLLECTION_SCOPE)
    chunk = services.catalog.chunk(long_document, 1)
    place = read_script_data(text(client.get(f"{root}/{long_document.id}/1")))["place"]
    assert place.startswith(f"/{long_document.id}/1?start={chunk.start}&")
    other = services.catalog.chunk(long_document, 3)
    words = other.text[:30].split("\n")[0]
    page = text(client.get(f"{root}{place}&at={other.start}-{other.start + len(words)}"))
    assert (read_script_data(page)["chunk_index"], marks(page)) == (3, [words])
    assert marks(text(client.get(f"{root}{place}&at={chunk.start}-{chunk.start + 10}"))) == [chunk.text[:10]]
    assert read_script_data(text(client.get(root)))["place"] == "?"


@pytest.mark.parametrize("permissions", [LINK_PERMISSIONS, ("view", "page")])
@pytest.mark.parametrize("scope", [CHUNK_SCOPE, DOCUMENT_SCOPE])
def test_script_gets_highlighted_words_and_their_page(client, services, link, long_document, scope, permissions):
    index = next(chunk.index for chunk in services.catalog.chunks(long_document) if chunk.first_page > 1)
    chunk = services.catalog.chunk(long_document, index)
    words = chunk.text.split("\n")[0]
    root = link(
        long_document, scope, chunk=index, permissions=permissions, span=(chunk.start, chunk.start + len(words))
    )
    for view in ("text", "page"):
        assert read_script_data(text(client.get(f"{root}?view={view}")))["selected"] == [
            {"page": chunk.first_page, "text": words}
        ]


def test_pdf_of_chunk_link_opens_at_its_highlight(client, services, link, long_document):
    index = next(chunk.index for chunk in services.catalog.chunks(long_document) if chunk.first_page > 1)
    chunk = services.catalog.chunk(long_document, index)
    words = chunk.text.split("\n")[0]
    for fields in ({}, {"question": "Who discovered penicillin?"}):
        root = link(long_document, CHUNK_SCOPE, chunk=index, span=(chunk.start, chunk.start + len(words)), **fields)
        (pdf, *_) = [url for url in find_urls(text(client.get(root))) if ".pdf?" in url]
        assert pdf.endswith("#page=1")
        with client.get(pdf.partition("#")[0]) as answer:
            pages = PdfReader(io.BytesIO(answer.data)).pages
            assert [bool(page.get("/Annots")) for page in pages] == [True] + [False] * (len(pages) - 1)
    (plain, *_) = [
        url for url in find_urls(text(client.get(link(long_document, CHUNK_SCOPE, chunk=index)))) if ".pdf?" in url
    ]
    assert plain.endswith("#page=1")  # pages of a chunk's PDF are numbered from 1


def test_headers_name_frame_ancestors_and_forbid_caches_and_referrers(client, link, note):
    answer = client.get(link(note, origins=(HOST_ORIGIN, "http://localhost:9")))
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


def test_expired_link_tells_the_framing_page(client, link, note):
    answer = client.get(link(note, origins=(HOST_ORIGIN,), expires=int(time.time()) - 1))
    assert answer.status_code == 410
    assert "This link has expired" in answer.get_data(as_text=True)
    assert '"status": 410' in answer.get_data(as_text=True)
    assert answer.headers["Content-Security-Policy"].endswith(f"frame-ancestors 'self' {HOST_ORIGIN}")


def test_altered_link_opens_nothing(client, link, note):
    root = link(note)
    for altered in (root[:-1], root[:-1] + ("A" if root[-1] != "A" else "B"), root.replace(".", "..", 1), root + "="):
        for path in (altered, f"{altered}/{note.id}/0", f"{altered}/{note.id}/pages/1.webp"):
            answer = client.get(path)
            assert answer.status_code == 403, path
            assert "Invalid link" in answer.get_data(as_text=True)
            assert NOTE[:20] not in answer.get_data(as_text=True)


def test_cached_page_contains_token_of_each_link(client, link, note):
    first, second = link(note, question=TICKET), link(note, question=TICKET, expires=int(time.time()) + 999)
    assert first != second
    pages = [text(client.get(root)) for root in (first, second, first)]
    assert [page.count(root) > 3 for page, root in zip(pages, (first, second, first), strict=True)] == [True] * 3
    assert first not in pages[1]
    text_only = text(client.get(link(note, question=TICKET, permissions=("view",))))
    assert "view=page" not in text_only
    assert "original" not in text_only


def test_words_like_cache_placeholders_stay_words(client, link, note):
    """Otherwise a question or a document could make the page reveal a reader's token and nonce."""
    words = "nonce-to-be-put-here token-to-be-put-here"
    root = link(note, question=words)
    for _ in ("rendered", "cached"):
        assert f"<b>{words}</b>" in text(client.get(root))
    cached_pages = "".join(page for _, page in client.application.page_cache._pages.values())
    assert TOKEN_PLACEHOLDER in cached_pages
    assert TOKEN_PLACEHOLDER not in text(client.get(root))


def test_next_request_does_not_act_for_bearer_of_link(client, link, long_document, note):
    client.get(link(long_document))
    assert get_current_principal() == LOCAL_OPERATOR
    assert client.get(f"/documents/{note.id}").status_code == 200


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_themed_stylesheet_has_no_media_query(client, link, note, theme):
    page = text(client.get(f"{link(note)}?theme={theme}"))
    assert f'href="/embed/{theme}.css?v=' in page
    assert f"theme={theme}" in next(url for url in find_urls(page) if "view=page" in url)
    style = client.get(f"/embed/{theme}.css")
    assert style.mimetype == "text/css"
    assert "prefers-color-scheme" not in style.get_data(as_text=True)
    assert f"color-scheme: {theme};" in style.get_data(as_text=True)
    assert 'data-theme="auto"' in text(client.get(f"{link(note)}?theme=<x>"))


def test_log_of_error_does_not_contain_token(client, link, note, monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("within")

    monkeypatch.setattr("highlighter.web.chunk_page.make_preview_text", fail)
    root = link(note)
    assert client.get(f"{root}?view=text&again").status_code == 500
    assert "/embed/..." in caplog.text
    assert root not in caplog.text
