"""The attachments of an e-mail are documents of their own: named after it, and deleted with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from highlighter.access import VisibleCollections
from highlighter.models import READY
from highlighter.store.attachments import find_emails, list_attachments
from highlighter.store.deletion import list_pending_deletions
from ingest.pipeline import ingest_file

FILES = Path(__file__).parent / "readers" / "files"

NAMES = {
    "fees.eml",
    "fees.eml – diving rules.md",
    "fees.eml – Fees for berths.eml",
    "fees.eml – Fees for berths.eml – fees 2026.txt",
}


@pytest.fixture
def email(services, process_pool):
    return ingest_file(FILES / "fees.eml", services, process_pool, meta={"project": "A12"}).document


def get_documents(services):
    return {document.name: document for document in services.catalog.documents()}


def test_attachments_are_documents_named_after_their_email(services, email):
    documents = get_documents(services)
    assert documents.keys() == NAMES
    assert {document.state for document in documents.values()} == {READY}
    assert {document.meta["project"] for document in documents.values()} == {"A12"}
    rules = documents["fees.eml – diving rules.md"]
    assert (rules.kind, rules.meta["attached_to"]) == ("md", email.id)
    assert rules.path == f"{email.path}/diving rules.md"
    assert not (services.files.generated_folder(email.id, email.pipeline) / "attachments").exists()


def test_email_that_is_ingested_again_changes_nothing(services, process_pool, email):
    before = services.catalog.documents()
    outcome = ingest_file(FILES / "fees.eml", services, process_pool, meta={"project": "A12"})
    assert outcome.was_known
    assert services.catalog.documents() == before


def test_deletion_page_counts_the_attachments(client, email):
    page = client.get(f"/documents/{email.id}/delete").get_data(as_text=True)
    assert "its 3 attachments, documents of their own" in page


def test_page_of_an_email_leads_to_its_attachments_and_back(services, client, email):
    documents = get_documents(services)
    page = client.get(f"/documents/{email.id}").text
    (attachments,) = re.findall(r'<nav class="attachments".*?</nav>', page, re.DOTALL)
    assert re.findall(r">([^<>]+)</a>", attachments) == ["diving rules.md", "Fees for berths.eml"]
    for name in ("fees.eml – diving rules.md", "fees.eml – Fees for berths.eml"):
        assert f'href="/documents/{documents[name].id}"' in attachments
        assert f'Attached to <a href="/documents/{email.id}"' in client.get(f"/documents/{documents[name].id}").text
    assert "Attached to" not in page
    library = client.get("/documents").text
    assert library.count(f'Attached to <a href="/documents/{email.id}"') == 2


def test_email_over_http_lists_its_attachments(services, client, email):
    documents = get_documents(services)
    listed = client.get(f"/api/v1/documents/{email.id}").json["attachments"]
    rules = documents["fees.eml – diving rules.md"]
    assert {"document_id": rules.id, "name": rules.name, "kind": "md", "state": READY} in listed
    assert [entry["name"] for entry in listed] == ["fees.eml – diving rules.md", "fees.eml – Fees for berths.eml"]
    assert client.get(f"/api/v1/documents/{rules.id}").json["attachments"] == []


def test_deleted_attachment_is_not_listed(services, client, email):
    rules = get_documents(services)["fees.eml – diving rules.md"]
    services.soft_delete(rules.id)
    assert "diving rules.md</a>" not in client.get(f"/documents/{email.id}").text


def test_attachment_that_is_elsewhere_too_is_listed(services, process_pool, client, email):
    ingest_file(FILES / "diving.md", services, process_pool)
    assert "diving rules.md</a>" in client.get(f"/documents/{email.id}").text


def test_email_that_a_reader_may_not_see_is_not_named(services, client, email):
    rules = get_documents(services)["fees.eml – diving rules.md"]
    assert find_emails(services.catalog, [rules], VisibleCollections(frozenset({"other"}))) == {}


def test_deleted_email_takes_its_attachments_with_it(services, email):
    services.delete_document(email.id)
    assert get_documents(services) == {}


def test_deletion_that_can_be_undone_names_each_document(services, email):
    services.soft_delete(email.id)
    assert {document.name for document in list_pending_deletions(services.catalog.engine)} == NAMES


@pytest.mark.parametrize("way", ["undo", "upload"])
def test_email_that_comes_back_brings_its_attachments(services, process_pool, client, email, way):
    services.soft_delete(email.id)
    if way == "undo":
        client.post(f"/documents/{email.id}/restore")
    else:
        ingest_file(FILES / "fees.eml", services, process_pool)
    assert list_pending_deletions(services.catalog.engine) == []


def test_attachment_that_was_uploaded_by_itself_too_outlives_its_email(services, process_pool, email):
    ingest_file(FILES / "diving.md", services, process_pool)
    assert "fees.eml – diving rules.md" not in {d.name for d in list_attachments(services.catalog.engine, email)}
    services.delete_document(email.id)
    assert get_documents(services).keys() == {"fees.eml – diving rules.md"}


def test_email_in_a_chain_of_emails_is_read_to_a_limit(services, process_pool, tmp_path):
    content = b"From: a\nMessage-ID: 0\nSubject: 0\n\nThe innermost text."
    for number in range(1, 9):
        head = b"From: a\nMessage-ID: %d\nSubject: %d\nContent-Type: multipart/mixed; boundary=b%d\n\n" % (
            (number,) * 3
        )
        part = b"--b%d\nContent-Type: message/rfc822\n\n" % number
        content = head + part + content + b"\n--b%d--\n" % number
    (tmp_path / "chain.eml").write_bytes(content)
    ingest_file(tmp_path / "chain.eml", services, process_pool)
    assert len(get_documents(services)) == 6
