"""A zip archive is not trusted: its entries are checked before anything is unpacked."""

from __future__ import annotations

import struct
import warnings
import zipfile

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, ENCRYPTED, TOO_LARGE, UNSUPPORTED_KIND
from ingest.readers import docx, docx_package
from tests.ingest.readers.test_docx import paragraph, word_file


def state_of(path) -> str:
    with pytest.raises(UnreadableFile) as caught:
        docx.read(path)
    assert caught.value.detail.endswith(".")
    return caught.value.state


def with_part(path, name: str, content: bytes, **options):
    with warnings.catch_warnings(), zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # zipfile warns about the second part of one name
        archive.writestr(name, content, **options)
    return path


@pytest.fixture
def valid_file(tmp_path):
    return word_file(tmp_path, paragraph("Sound."))


def test_valid_file_passes(valid_file):
    assert docx.read(valid_file).text == "Sound."


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and then nothing", b"plain words"])
def test_file_that_is_no_zip_is_damaged(tmp_path, content):
    path = tmp_path / "x.docx"
    path.write_bytes(content)
    assert state_of(path) == DAMAGED


def test_half_a_file_is_damaged(valid_file):
    valid_file.write_bytes(valid_file.read_bytes()[:-200])
    assert state_of(valid_file) == DAMAGED


def test_part_with_a_wrong_checksum_is_damaged(valid_file):
    data = bytearray(valid_file.read_bytes())
    at = data.find(b"word/document.xml") + len("word/document.xml")
    data[at : at + 20] = b"\xff" * 20
    valid_file.write_bytes(bytes(data))
    assert state_of(valid_file) == DAMAGED


def test_a_file_locked_by_office_is_encrypted(tmp_path):
    path = tmp_path / "x.docx"
    path.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600)
    assert state_of(path) == ENCRYPTED


def test_a_file_locked_by_zip_is_encrypted(valid_file):
    data = bytearray(valid_file.read_bytes())
    at = data.find(b"PK\x01\x02")
    flags = struct.unpack_from("<H", data, at + 8)[0]
    struct.pack_into("<H", data, at + 8, flags | 1)
    valid_file.write_bytes(bytes(data))
    assert state_of(valid_file) == ENCRYPTED


def test_a_part_that_unpacks_a_thousandfold_is_too_large(valid_file):
    assert state_of(with_part(valid_file, "word/media/bomb", b"\0" * (20 << 20))) == TOO_LARGE


def test_a_short_part_may_shrink_well(valid_file):
    assert docx.read(with_part(valid_file, "word/media/dull", b"\0" * 500_000)).text == "Sound."


def test_more_parts_than_a_document_has_are_too_large(valid_file, monkeypatch):
    monkeypatch.setattr(docx_package, "MAX_ENTRIES", 3)
    assert state_of(with_part(valid_file, "one/more", b"")) == TOO_LARGE


def test_more_bytes_in_all_than_a_document_has_are_too_large(valid_file, monkeypatch):
    monkeypatch.setattr(docx_package, "MAX_TOTAL_BYTES", 500)
    assert state_of(valid_file) == TOO_LARGE


def test_a_part_longer_than_the_zip_says_is_not_read_to_its_end(valid_file, monkeypatch):
    monkeypatch.setattr(docx_package, "MAX_PART_BYTES", 100)
    assert state_of(valid_file) == TOO_LARGE


def test_more_xml_than_a_tree_can_be_made_of_is_too_large(valid_file, monkeypatch):
    monkeypatch.setattr(docx_package, "MAX_XML_BYTES", 100)
    assert state_of(valid_file) == TOO_LARGE


def test_two_parts_of_one_name_are_damaged(valid_file):
    assert state_of(with_part(valid_file, "word/Document.xml", b"<other/>")) == DAMAGED


@pytest.mark.parametrize(
    "content", ['<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>', "<w:document", '<x xmlns="y">' * 400, "<a/>"]
)
def test_xml_that_no_word_processor_writes_is_damaged(tmp_path, content):
    path = tmp_path / "x.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", content)
    assert state_of(path) == DAMAGED


def test_doctype_is_found_in_utf_16(tmp_path):
    path = tmp_path / "x.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "word/document.xml", '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x><x/>'.encode("utf-16")
        )
    assert state_of(path) == DAMAGED


def test_a_zip_without_a_document_is_damaged_and_a_spreadsheet_unsupported(tmp_path):
    for name, state in (("readme.txt", DAMAGED), ("xl/workbook.xml", UNSUPPORTED_KIND)):
        path = tmp_path / "x.docx"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, "<x/>")
        assert state_of(path) == state
