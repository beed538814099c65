"""The library over HTTP: its filter and its pages, and the deletion of a document with its undo."""

from __future__ import annotations

import io
import re

import pytest

from highlighter.store.deletion import remove_overdue_documents
from ingest.pipeline import ingest_file
from tests.highlighter.web.pages.test_document_routes import TICKET, text


@pytest.fixture
def full_library(services):
    """Return a catalog with more than a page of queued documents."""
    return services.catalog


def register_120_documents(services):
    for number in range(120):
        collection = "left" if number % 2 else "right"
        services.catalog.register(collection, f"{number:064}", f"Paper {number:03}.pdf", "pdf", 1)


FILLED_LIBRARIES = {"full_library": register_120_documents}


def list_row_ids(page):
    return re.findall(r'<tr data-live="(\w+)"', page)


def test_every_document_is_on_one_page_of_the_list(client, full_library):
    pages = [text(client.get(f"/documents?page={number}")) for number in (1, 2, 3)]
    assert [len(list_row_ids(page)) for page in pages] == [50, 50, 20]
    assert len({id for page in pages for id in list_row_ids(page)}) == 120
    assert "Documents 51–100 of 120" in pages[1]
    assert 'rel="prev" href="?page=1"' in pages[1]
    assert 'rel="next" href="?page=3"' in pages[1]
    assert 'rel="next"' not in pages[2]


def test_missing_page_of_list_is_nearest_page(client, full_library):
    rows = {
        page: len(list_row_ids(text(client.get(f"/documents?page={page}"))))
        for page in ("0", "-3", "99", "x", "9" * 40)
    }
    assert rows == {"0": 50, "-3": 50, "99": 20, "x": 50, "9" * 40: 20}


def test_filter_stays_from_page_to_page(client, full_library):
    page = text(client.get("/documents?collection=left&state=unfinished&name=paper"))
    assert len(list_row_ids(page)) == 50
    (following,) = re.findall(r'rel="next" href="([^"]+)"', page)
    rest = text(client.get("/documents" + following.replace("&amp;", "&")))
    assert len(list_row_ids(rest)) == 10
    assert "120 documents" in rest  # the total of the library is unchanged


@pytest.mark.parametrize(
    ("state", "label", "rows"),
    [("unfinished", "Processing", 50), ("queued", "Queued", 50), ("reading", "Processing", 0), ("damaged", "Damaged", 0),
     ("too_large", "Too large", 0), ("", None, 50), ("purple", None, 50)],
)  # fmt: skip
def test_library_is_filtered_by_each_state_and_the_form_shows_it(client, full_library, state, label, rows):
    page = text(client.get(f"/documents?state={state}"))
    assert len(list_row_ids(page)) == rows
    assert re.findall(r'<option value="(\w*)" selected>([^<]*)<', page) == ([(state, label)] if label else [])


def test_pages_count_unfinished_documents(client, full_library):
    assert "· 120 processing" in text(client.get("/documents"))
    assert "120 documents are being processed." in text(client.get("/"))
    page = text(client.get("/search", query_string={"q": "quantum chromodynamics"}))
    assert "120 documents are still being processed and cannot be searched yet." in page


def test_filter_without_matches_says_so(client, full_library):
    page = text(client.get("/documents?name=xyz"))
    assert list_row_ids(page) == []
    assert "No matching documents" in page
    assert "No documents yet" not in page


def test_hostile_filter_is_escaped(client, full_library):
    page = text(client.get("/documents", query_string={"name": '"><script>alert(1)</script>', "collection": "' OR 1"}))
    assert "<script>alert" not in page
    assert list_row_ids(page) == []


def test_confirmation_lists_what_is_deleted_and_changes_nothing(client, services, note):
    page = text(client.get(f"/documents/{note.id}/delete"))
    assert "Delete “note.txt”?" in page
    for loss in (
        "original file",
        f"{note.sentences} sentences",
        "citations of it",
        "text of every answer",
        "undo this in the library for 20 seconds",
    ):
        assert loss in page
    assert services.catalog.documents() == [note]


def test_confirmation_names_versions_that_stay(client, services, process_pool, tmp_path):
    path = tmp_path / "fares.txt"
    for words in ("The fare is four pounds.", "The fare is five pounds."):
        path.write_text(words, encoding="utf-8")
        document = ingest_file(path, services, process_pool).document
    assert "Not deleted, the other version: 1." in text(client.get(f"/documents/{document.id}/delete"))


def test_deleted_document_is_found_only_in_undo_bar(client, services, note):
    url = f"/documents/{note.id}/chunks/0?q={TICKET}"
    assert client.get(url).status_code == 200  # and cached
    response = client.post(f"/documents/{note.id}/delete")
    assert (response.status_code, response.location) == (303, "/documents")
    page = text(client.get("/documents"))
    assert list_row_ids(page) == []
    assert re.search(rf'action="/documents/{note.id}/restore" data-restore data-left="(1\d|20)"', page)
    for path in ("", "/chunks/0", "/original", "/pdf", "/delete"):
        assert client.get(f"/documents/{note.id}{path}").status_code == 404
    assert client.get(url).status_code == 404
    assert "You can undo this" in client.get(f"/documents/{note.id}").get_data(as_text=True)
    assert client.get(f"/api/v1/documents/{note.id}").status_code == 404
    assert client.get("/api/v1/documents").json["total"] == 0
    assert client.post("/api/v1/search", json={"question": TICKET}).json["hits"] == []


def test_restored_document_is_as_before(client, services, note):
    client.post(f"/documents/{note.id}/delete")
    response = client.post(f"/documents/{note.id}/restore")
    assert (response.status_code, response.location) == (303, "/documents")
    assert list_row_ids(text(client.get("/documents"))) == [note.id]
    assert services.catalog.documents() == [note]
    assert client.post(f"/documents/{note.id}/restore").status_code == 303  # a second click is harmless


def test_restore_after_purge_is_refused(client, services, note):
    client.post(f"/documents/{note.id}/delete")
    services.catalog._update_document(note.id, deletion_time="2020-01-01T00:00:00+00:00")
    remove_overdue_documents(services.catalog, services.files)
    late = client.post(f"/documents/{note.id}/restore")
    assert late.status_code == 404
    assert "permanently deleted" in late.get_data(as_text=True)
    assert "data-restore" not in text(client.get("/documents"))


def test_tags_of_ticked_documents_are_shown_and_filter(client, services, full_library):
    first, second, *_ = (document.id for document in full_library.documents())
    answer = client.post("/documents/tags?page=2&name=paper&x=1", data={"doc": [first, second], "tags": "signed, <b>"})
    assert (answer.status_code, answer.location) == (303, "/documents?name=paper&page=2")
    page = text(client.get("/documents?tag=signed"))
    assert set(list_row_ids(page)) == {first, second}
    assert '<option value="signed" selected>signed (2)</option>' in page
    assert ">&lt;b&gt;</a>" in page
    client.post("/documents/tags", data={"doc": second, "tags": "signed", "action": "remove"})
    renamed = client.post("/documents/tags/rename", data={"tag": "signed", "name": "closed", "action": "rename"})
    assert renamed.location == "/documents?tag=closed"
    assert list_row_ids(text(client.get(renamed.location))) == [first]
    client.post("/documents/tags/rename", data={"tag": "closed", "action": "remove"})
    assert list_row_ids(text(client.get("/documents?tag=closed"))) == []


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("tags", {"tags": "signed"}),
        ("tags", {"doc": "{note}", "tags": " ,"}),
        ("tags/rename", {"tag": "a", "name": ""}),
    ],
)
def test_incomplete_tag_form_is_refused_with_sentence(client, note, path, data):
    answer = client.post(f"/documents/{path}", data={name: value.format(note=note.id) for name, value in data.items()})
    assert answer.status_code == 400
    assert re.search("Select a document first|Enter a tag first", answer.get_data(as_text=True))


def test_uploaded_files_have_tags_and_details_of_form(client, services):
    details = {"tags": "signed, late", "details": "Year: 2024"}
    client.post("/documents", data={"file": (io.BytesIO(b"The gate shuts at nine."), "gate.txt"), **details})
    (document,) = services.catalog.documents()
    assert document.meta == {"Year": "2024", "tags": ["signed", "late"]}
    refused = client.post("/documents", data={"file": (io.BytesIO(b"x"), "x.txt"), "details": "Year"})
    assert (refused.status_code, len(services.catalog.documents())) == (400, 1)


def test_states_name_position_in_queue_and_offer_retry(client, services, note):
    register, set_state = services.catalog.register, services.catalog.set_state
    first, failed, scan, last = (register("default", f"{n:064}", f"{n}.pdf", "pdf", 1).id for n in range(4))
    set_state(failed, "timed_out", "It took too long.")
    services.catalog.await_recognition(scan, "It is a scan.")
    page = text(client.get("/documents/states", query_string={"doc": [note.id, first, failed, scan, last, "0" * 32]}))
    outcomes = re.findall(r'data-document="(\w+)" data-outcome="(\w+)"', page)
    assert outcomes == [
        (note.id, "ready"),
        (first, "reading"),
        (failed, "failed"),
        (scan, "reading"),
        (last, "reading"),
    ]
    assert re.findall(r"queued, number (\d)", page) == ["1", "2"]
    assert re.findall(r'action="([^"]+)" data-retry', page) == [f"/documents/{failed}/retry"]
    assert sorted(re.findall(r"queued, number (\d)", text(client.get("/documents")))) == ["1", "2"]
    retried = client.post(f"/documents/{failed}/retry?tag=x", data={"from": "library"})
    assert retried.location == "/documents?tag=x"


def test_metadata_is_shown_and_filters(client, services, note):
    services.catalog._update_document(note.id, meta={"year": 2024, "attached_to": "x", "list": [1]})
    page = text(client.get("/documents"))
    assert '<a class="detail" href="?where=year%3D2024">year: 2024</a>' in page
    assert "attached_to" not in page
    assert list_row_ids(text(client.get("/documents?where=year%3D2024"))) == [note.id]
    assert list_row_ids(text(client.get("/documents?where=year%3D2023"))) == []


@pytest.mark.parametrize("act", ["delete", "restore"])
@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_cross_site_delete_and_restore_are_refused(client, services, note, act, headers):
    assert client.post(f"/documents/{note.id}/{act}", headers=headers).status_code == 403
    assert services.catalog.documents() == [note]


def test_get_request_deletes_and_restores_nothing(client, services, note):
    client.get(f"/documents/{note.id}/delete", headers={"Sec-Fetch-Site": "cross-site"})
    assert client.get(f"/documents/{note.id}/restore").status_code == 405
    assert services.catalog.documents() == [note]


@pytest.mark.parametrize("act", ["delete", "restore"])
def test_unknown_document_cannot_be_deleted_or_restored(client, act):
    assert client.post(f"/documents/nobody/{act}").status_code == 404


def test_name_without_spaces_breaks_after_underscores(client, services, process_pool, tmp_path):
    path = tmp_path / "Harbour_<b>_report.txt"
    path.write_text("The ferry leaves at seven.", encoding="utf-8")
    ingest_file(path, services, process_pool)
    assert ">Harbour_<wbr>&lt;b&gt;_<wbr>report.txt</a>" in client.get("/documents").get_data(as_text=True)
