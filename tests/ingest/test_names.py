"""A file name is data: stored and shown, and never a path on the server's disk."""

from __future__ import annotations

import os

import pytest

from ingest.input_files import normalise_name, normalise_path
from ingest.pipeline import ingest_file
from ingest.registration import register_file
from tests.properties import given, settings, st


@pytest.mark.parametrize(
    ("named", "path"),
    [
        ("a.pdf", "a.pdf"),
        ("./papers//a.pdf", "papers/a.pdf"),
        ("papers/old/../a.pdf", "papers/a.pdf"),
        ("/srv/papers/a.pdf", "srv/papers/a.pdf"),
        ("../../etc/passwd", "etc/passwd"),
        ("..", "unnamed"),
        ("a\nb.pdf", "a\\nb.pdf"),
        ("a\udcffb.pdf", "a\\udcffb.pdf"),
        ("\u202efdp.exe", "\\u202efdp.exe"),
        ("年報　2024.pdf", "年報　2024.pdf"),
        ("می\u200cخواهم.txt", "می\u200cخواهم.txt"),
    ],
)
def test_a_path_is_relative_and_the_same_however_it_is_spelled(named, path):
    assert normalise_path(named) == path


def test_long_names_are_cut_and_stay_distinct():
    first, second = "a" * 4096 + "1.pdf", "a" * 4096 + "2.pdf"
    assert normalise_path(first) != normalise_path(second)
    assert len(normalise_path(first)) < 1100
    assert len(normalise_name(first)) == 200
    assert normalise_name(first).endswith("….pdf")


@given(st.text(st.characters(), max_size=300))
def test_any_name_can_be_stored_and_shown(named):
    for normalised in (normalise_path(named), normalise_name(named)):
        normalised.encode()
        assert not set(normalised) & set("\r\n\0")
    assert not normalise_path(named).startswith("/")
    assert ".." not in normalise_path(named).split("/")
    assert normalise_path(normalise_path(named)) == normalise_path(named) or "…" in normalise_path(named)


HOSTILE_NAMES = [
    "../../../../tmp/out.txt",
    "/etc/cron.d/x.txt",
    "a'b\"c;--.txt",
    "line\nbreak\r\nX-Header: 1.txt",
    "nul\0.txt",
    "lone\ud800.txt",
    "CON",
    "%2e%2e%2f.txt",
    "<script>alert(1)</script>.txt",
    "名" * 1365 + ".txt",  # 4,099 bytes
    "",
]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_name_is_shown_and_its_file_served(name, services, client, tmp_path):
    before = set(tmp_path.iterdir())
    path = tmp_path / "uploaded"
    path.write_bytes(b"The tide turns at noon.")
    document = services.ingest_queue.enqueue_file(path, name)
    services.ingest_queue._executor.shutdown(wait=True)
    assert services.catalog.document(document.id).state == "ready"
    for address in ("/documents", f"/documents/{document.id}", f"/documents/{document.id}/chunks/0"):
        page = client.get(address)
        assert page.status_code == 200
        assert "<script>alert" not in page.get_data(as_text=True)
    for address in ("original", "pdf", "chunks/0.pdf"):
        with client.get(f"/documents/{document.id}/{address}") as file:
            assert file.status_code == 200
            assert "X-Header" not in file.headers
    assert set(tmp_path.iterdir()) - before <= {path, services.settings.data_dir}


def test_file_whose_name_is_not_unicode_is_ingested(services, process_pool, tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9 \n'\".txt")
    path.write_bytes(b"The tide turns at noon.")
    document = ingest_file(path, services, process_pool).document
    assert document.name == "caf\\udce9 \\n'\".txt"


@settings(max_examples=30)
@given(name=st.text(st.characters(), max_size=60))
def test_no_name_leads_out_of_the_store(name, services, tmp_path):
    store = services.files.root
    path = tmp_path / "uploaded"
    path.write_bytes(name.encode("utf-8", "surrogatepass") + b".")
    sha256 = register_file(path, name, services, known_path=name).document.sha256
    assert services.files.original_path(sha256).resolve().is_relative_to(store)
    assert {entry.name for entry in tmp_path.iterdir()} == {"uploaded", "data"}
