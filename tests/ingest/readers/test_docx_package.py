"""A zip is not believed: what it holds is checked before it is unpacked."""

from __future__ import annotations

import struct
import warnings
import zipfile

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, ENCRYPTED, TOO_LARGE, UNSUPPORTED
from ingest.readers import docx, docx_package
from tests.ingest.readers.test_docx import paragraph, word_file


def state_of(path) -> str:
    with pytest.raises(UnreadableFile) as caught:
        docx.read(path)
    assert caught.value.detail.endswith(".")
    return caught.value.state


def with_part(path, name: str, content: bytes, **options):
    with warnings.catch_warnings(), zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # zipfile warns of the second part of a name, which is the point here
        archive.writestr(name, content, **options)
    return path


@pytest.fixture
def sound(tmp_path):
    return word_file(tmp_path, paragraph("Sound."))


def test_a_sound_file_passes(sound):
    assert docx.read(sound).text == "Sound."


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and then nothing", b"plain words"])
def test_what_is_no_zip_is_damaged(tmp_path, content):
    path = tmp_path / "x.docx"
    path.write_bytes(content)
    assert state_of(path) == DAMAGED


def test_half_a_file_is_damaged(sound):
    sound.write_bytes(sound.read_bytes()[:-200])
    assert state_of(sound) == DAMAGED


def test_a_part_whose_bytes_do_not_match_their_sum_is_damaged(sound):
    data = bytearray(sound.read_bytes())
    at = data.find(b"word/document.xml") + len("word/document.xml")
    data[at : at + 20] = b"\xff" * 20
    sound.write_bytes(bytes(data))
    assert state_of(sound) == DAMAGED


def test_a_file_locked_by_office_is_encrypted(tmp_path):
    path = tmp_path / "x.docx"
    path.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600)
    assert state_of(path) == ENCRYPTED


def test_a_file_locked_by_zip_is_encrypted(sound):
    data = bytearray(sound.read_bytes())
    at = data.find(b"PK\x01\x02")
    flags = struct.unpack_from("<H", data, at + 8)[0]
    struct.pack_into("<H", data, at + 8, flags | 1)
    sound.write_bytes(bytes(data))
    assert state_of(sound) == ENCRYPTED


def test_a_part_that_unpacks_a_thousandfold_is_too_large(sound):
    assert state_of(with_part(sound, "word/media/bomb", b"\0" * (20 << 20))) == TOO_LARGE


def test_a_short_part_may_shrink_well(sound):
    assert docx.read(with_part(sound, "word/media/dull", b"\0" * 500_000)).text == "Sound."


def test_more_parts_than_a_document_has_are_too_large(sound, monkeypatch):
    monkeypatch.setattr(docx_package, "MAX_ENTRIES", 3)
    assert state_of(with_part(sound, "one/more", b"")) == TOO_LARGE


def test_more_bytes_in_all_than_a_document_has_are_too_large(sound, monkeypatch):
    monkeypatch.setattr(docx_package, "MAX_TOTAL_BYTES", 500)
    assert state_of(sound) == TOO_LARGE


def test_a_part_longer_than_the_zip_says_is_not_read_to_its_end(sound, monkeypatch):
    monkeypatch.setattr(docx_package, "MAX_PART_BYTES", 100)
    assert state_of(sound) == TOO_LARGE


def test_more_xml_than_a_tree_can_be_made_of_is_too_large(sound, monkeypatch):
    monkeypatch.setattr(docx_package, "MAX_XML_BYTES", 100)
    assert state_of(sound) == TOO_LARGE


def test_two_parts_of_one_name_are_damaged(sound):
    assert state_of(with_part(sound, "word/Document.xml", b"<other/>")) == DAMAGED


@pytest.mark.parametrize(
    "content", ['<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>', "<w:document", '<x xmlns="y">' * 400, "<a/>"]
)
def test_xml_that_no_word_processor_writes_is_damaged(tmp_path, content):
    path = tmp_path / "x.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", content)
    assert state_of(path) == DAMAGED


def test_a_doctype_is_seen_in_utf_16_too(tmp_path):
    path = tmp_path / "x.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "word/document.xml", '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x><x/>'.encode("utf-16")
        )
    assert state_of(path) == DAMAGED


def test_a_zip_without_a_document_is_damaged_and_a_spreadsheet_unsupported(tmp_path):
    for name, state in (("readme.txt", DAMAGED), ("xl/workbook.xml", UNSUPPORTED)):
        path = tmp_path / "x.docx"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, "<x/>")
        assert state_of(path) == state
