"""Tests of files in an S3-compatible storage that are ingested by their addresses."""

from __future__ import annotations

from dataclasses import replace

from highlighter.models import READY
from ingest.input_objects import find_inputs, open_storage
from ingest.pipeline import ingest_file


def test_objects_are_ingested_by_their_addresses(services, s3_server, process_pool):
    settings = replace(services.settings, **s3_server.settings())
    folder = f"{settings.files_url}/papers"
    storage = open_storage(folder, settings)
    for key in ("a.txt", "deep/b.txt", "picture.bin", ".hidden.txt"):
        storage.put_bytes(key, f"The file {key} speaks of tides.".encode())
    found = find_inputs([f"{folder}/"], True, settings)
    assert [str(one) for one in found.to_read] == [f"{folder}/a.txt", f"{folder}/deep/b.txt"]
    assert [str(one) for one in found.unsupported] == [f"{folder}/picture.bin"]
    assert [one.name for one in find_inputs([folder], False, settings).to_read] == ["a.txt"]
    assert [str(one) for one in find_inputs([f"{folder}/picture.bin"], False, settings).to_read] == [
        f"{folder}/picture.bin"
    ]
    assert find_inputs([f"{folder}/nothing/"], True, settings).missing == [f"{folder}/nothing/"]
    (first, _) = found.to_read
    with first.download() as path:
        outcome = ingest_file(path, services, process_pool, known_path=str(first))
    assert (outcome.document.state, outcome.document.name) == (READY, "a.txt")
    assert outcome.document.path.endswith("papers/a.txt")
    assert not path.exists()
