"""Any file ends in a state that says what the file is, in time, without affecting the next file."""

from __future__ import annotations

import pytest

from highlighter.models import (  # fmt: skip
    DAMAGED,
    EMPTY,
    ENCRYPTED,
    NO_TEXT,
    PARTIAL,
    READABLE,
    READY,
    TIMED_OUT,
    TOO_LARGE,
    UNSUPPORTED_KIND,
)
from ingest.pipeline import ingest_file
from tests.ingest import bad_files

MAX_SECONDS = 60
HARMLESS_TEXT = "The ferry leaves at seven."

UNREADABLE_FILES = {
    "empty.pdf": ({EMPTY}, lambda folder: b""),
    "blank.txt": ({EMPTY}, lambda folder: b" \n\t\n "),
    "torn.pdf": ({DAMAGED}, lambda folder: bad_files.CONTRACT.read_bytes()[:3000]),
    "torn.docx": ({DAMAGED}, lambda folder: bad_files.POLICY.read_bytes()[:3000]),
    "locked.pdf": ({ENCRYPTED}, bad_files.password_pdf),
    "song.txt": ({UNSUPPORTED_KIND}, lambda folder: b"ID3" + bytes(99)),
    "torn.gif": ({DAMAGED}, lambda folder: b"GIF89a" + bytes(99)),
    "torn.png": ({DAMAGED}, lambda folder: b"\x89PNG\r\n\x1a\n" + bytes(99)),
    "zeros.txt": ({UNSUPPORTED_KIND}, lambda folder: bytes(5000)),
    "zip bomb.docx": ({TOO_LARGE}, bad_files.zip_bomb),
    "entities.docx": ({DAMAGED}, bad_files.billion_laughs),
    "flate bomb.pdf": ({DAMAGED, TOO_LARGE, NO_TEXT, TIMED_OUT}, lambda folder: bad_files.flate_bomb()),
    "page tree cycle.pdf": ({DAMAGED, TOO_LARGE}, lambda folder: bad_files.page_tree_cycle()),
    "endless nesting.pdf": ({DAMAGED}, lambda folder: bad_files.endless_nesting()),
    "fifty megabytes in a line.txt": ({TOO_LARGE}, lambda folder: b"word " * (10 << 20)),
}


def ingest_bytes(name, content, folder, services, process_pool):
    path = folder / name
    path.write_bytes(content)
    outcome = ingest_file(path, services, process_pool)
    assert outcome.seconds < MAX_SECONDS
    assert services.files.original_path(outcome.document.sha256).read_bytes() == content
    assert list(services.files.scratch.iterdir()) == []
    return outcome.document


@pytest.mark.parametrize("name", UNREADABLE_FILES)
def test_unreadable_file_has_a_typed_state_and_the_next_file_is_read(name, services, process_pool, tmp_path):
    states, make = UNREADABLE_FILES[name]
    document = ingest_bytes(name, make(tmp_path), tmp_path, services, process_pool)
    assert document.state in states
    assert document.reason.endswith(".")
    assert services.catalog.chunks(document) == []
    assert not services.files.generated_folder(document.id, document.pipeline).exists()
    next_document = ingest_bytes("ferry.txt", HARMLESS_TEXT.encode(), tmp_path, services, process_pool)
    assert services.catalog.text(next_document) == HARMLESS_TEXT


ODD_FILES = {
    "a word file.pdf": lambda: bad_files.POLICY.read_bytes(),
    "a pdf.docx": lambda: bad_files.CONTRACT.read_bytes(),
    "with a zero.txt": lambda: b"Some text\0with a zero byte. Another sentence.",
    "with lone surrogates.txt": lambda: "A lone \ud800 stands here. So be it.".encode("utf-8", "surrogatepass"),
    "sixteen bits.txt": lambda: b"\xff\xfe" + "A lone \udfff again.\n".encode("utf-16-le", "surrogatepass"),
}


@pytest.mark.parametrize("name", ODD_FILES)
def test_odd_file_is_read(name, services, process_pool, tmp_path):
    document = ingest_bytes(name, ODD_FILES[name](), tmp_path, services, process_pool)
    assert document.state in READABLE
    text = services.catalog.text(document)
    text.encode()  # no lone surrogate is left
    assert "\0" not in text
    for chunk in services.catalog.chunks(document):
        sentences, vectors = services.catalog.sentences(chunk, services.embedder.name)
        assert [text[s.start : s.end] for s in sentences] == [s.text for s in sentences]
        assert vectors is not None


def test_kind_of_a_mislabelled_file_is_detected_by_its_bytes(services, process_pool, tmp_path):
    document = ingest_bytes("really a word file.pdf", bad_files.POLICY.read_bytes(), tmp_path, services, process_pool)
    assert (document.kind, document.state) == ("docx", READY)


def test_lost_characters_are_reported(services, process_pool, tmp_path):
    text = "Naïve café. ".encode() * 20 + b"Two \xff broken \xff ones."
    document = ingest_bytes("lost.txt", text, tmp_path, services, process_pool)
    assert document.state == PARTIAL
    assert "question marks" in document.reason
