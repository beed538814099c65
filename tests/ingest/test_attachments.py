"""The attachments of an e-mail are documents of their own: named after it, and deleted with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from highlighter.models import READY
from highlighter.store.attachments import list_attachments
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
