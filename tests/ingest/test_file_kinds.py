import struct
import zipfile
from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import EMPTY, ENCRYPTED, TOO_LARGE, UNSUPPORTED_KIND
from ingest.file_kinds import detect_kind
from ingest.readers.docx_package import DocxPackage
from ingest.readers.zip_package import ZipPackage
from ingest.zip_directory import MAX_DIRECTORY_BYTES


def write_file(tmp_path, content, name="file"):
    path = tmp_path / name
    path.write_bytes(content)
    return path


def write_archive(tmp_path, *names):
    path = tmp_path / "archive"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return path


def test_kind_is_detected_by_content_whatever_the_name(tmp_path):
    assert detect_kind(write_file(tmp_path, b"%PDF-1.7 ...", "letter.docx")) == "pdf"
    assert detect_kind(write_file(tmp_path, b"Dear Sir", "letter.pdf")) == "txt"


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (b"<!DOCTYPE html><p>x", "page.txt", "html"),
        (b"\xef\xbb\xbf\n <HTML lang=en>", "", "html"),
        ("<html>".encode("utf-16"), "", "html"),
        (b"<?xml version='1.0'?><!-- saved --><!-- twice --><html>", "page.xml", "html"),
        (b"<p>A part of a page", "part.htm", "html"),
        (b"<p align=center>A logo</p>\n# Title", "README.md", "md"),
        (b"A list of tags: <p>, <br>", "tags.txt", "txt"),
        (b"No tags at all", "page.html", "txt"),
        (b"# Title", "notes.MD", "md"),
        (b"a,b", "fees.CSV", "csv"),
        (b"a\tb", "fees.tsv", "csv"),
        (b"a,b", "fees.txt", "txt"),
        (b"# Title", "notes.txt", "txt"),
        (b"<!---->" * 2000, "comments.txt", "txt"),
        (b"<!--" * 2000, "comments.html", "txt"),
        (b"%PDF-1.7", "page.html", "pdf"),
        (b"\x89PNG\r\n\x1a\n%PDF-1.7", "page.html", "png"),
        (b"\xff\xd8\xff\xe0", "photo.png", "jpg"),
        (b"II*\0", "scan.pdf", "tiff"),
        (b"MM\0*", "", "tiff"),
        (b"GIF87a", "table.png", "gif"),
        (b"GIF89a", "", "gif"),
        (b"RIFF\n\0\0\0WEBPVP8 ", "page.jpg", "webp"),
        (b"RIFF are the first letters", "note.txt", "txt"),
        (b"Received: from a\n\tby b\nFrom: a\n\nText", "letter.txt", "eml"),
        (b"From a@b Thu\nFrom: a\nMIME-Version: 1.0\n\n<html>", "", "eml"),
        (b"From: a\nSubject: b\n\nText", "letter.eml", "eml"),
        (b"From: the office\nSubject: a memo\n\nText", "memo.txt", "txt"),
        (b"Content-Type: text\nServer: x\n\nText", "headers.txt", "txt"),
        (b"No headers", "letter.eml", "txt"),
    ],
)
def test_names_decide_only_between_kinds_of_text(tmp_path, content, name, kind):
    assert detect_kind(write_file(tmp_path, content), name) == kind


def test_book_is_distinguished_from_other_archives(tmp_path):
    assert detect_kind(write_archive(tmp_path, "META-INF/container.xml", "book.opf")) == "epub"
    assert detect_kind(write_file(tmp_path, b"PK torn"), "book.epub") == "epub"
    with pytest.raises(UnreadableFile):
        detect_kind(write_archive(tmp_path, "META-INF/container.xml", "classes.jar"))


def test_a_pdf_header_may_come_after_leading_bytes(tmp_path):
    assert detect_kind(write_file(tmp_path, b"\r\n" * 100 + b"%PDF-1.4")) == "pdf"


def test_a_word_file_is_distinguished_from_other_archives(tmp_path):
    assert detect_kind(write_archive(tmp_path, "[Content_Types].xml", "word/document.xml")) == "docx"
    with pytest.raises(UnreadableFile) as raised:
        detect_kind(write_archive(tmp_path, "[Content_Types].xml", "visio/document.xml"), "plan.docx")
    assert raised.value.state == UNSUPPORTED_KIND


@pytest.mark.parametrize(
    "name", ["pilotage.odt", "pilotage.rtf", "berths.xlsx", "briefing.pptx", "harbour.epub", "fees.eml", "pilot.msg"]
)
def test_kind_of_a_real_file_is_detected_without_its_name(name):
    path = Path(__file__).parent / "readers" / "files" / name
    assert detect_kind(path) == detect_kind(path, "letter.pdf") == path.suffix[1:]


def test_an_empty_file_is_empty(tmp_path):
    with pytest.raises(UnreadableFile) as raised:
        detect_kind(write_file(tmp_path, b""))
    assert raised.value.state == EMPTY


def test_a_password_protected_office_file_is_encrypted(tmp_path):
    ole = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(UnreadableFile) as raised:
        detect_kind(write_file(tmp_path, ole))
    assert raised.value.state == ENCRYPTED


@pytest.mark.parametrize("brand", [b"heic", b"mif1", b"avif"])
def test_picture_of_a_phone_that_is_not_read_says_what_to_do(tmp_path, brand):
    with pytest.raises(UnreadableFile, match="Save the picture as JPEG or PNG") as caught:
        detect_kind(write_file(tmp_path, b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0"), "IMG_0001.HEIC")
    assert caught.value.state == UNSUPPORTED_KIND


def write_archive_with_directory(path, entries, comment=b""):
    """Write an archive whose directory has many entries without names, and whose end states another number of them."""
    directory = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, *(0,) * 14) * entries
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 1, 1, len(directory), 4, len(comment))
    path.write_bytes(b"PK\3\4" + directory + end + comment)
    return path


@pytest.mark.parametrize("open_file", [detect_kind, ZipPackage, DocxPackage])
@pytest.mark.parametrize("comment", [b"", b"x" * 60_000])
def test_archive_with_huge_directory_is_refused_unparsed(open_file, comment, tmp_path, monkeypatch):
    path = write_archive_with_directory(tmp_path / "book.epub", MAX_DIRECTORY_BYTES // 40, comment)
    monkeypatch.setattr(zipfile.ZipInfo, "__init__", lambda *_: pytest.fail("an entry was parsed"))
    with pytest.raises(UnreadableFile) as refused:
        open_file(path)
    assert refused.value.state == TOO_LARGE


def test_archive_with_many_files_and_comment_is_opened(tmp_path):
    path = tmp_path / "book.epub"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(5_000):
            archive.writestr(f"OEBPS/{'part' * 20}/{number}.xhtml", "x")
        archive.comment = b"c" * 60_000
    with ZipPackage(path) as package:
        assert package.read(package.list_files()[-1]) == b"x"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_media_type_is_not_unpacked_by_methods_without_bounds(method, tmp_path):
    path = tmp_path / "book.epub"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("mimetype", "application/epub+zip")
    assert_refused(path)
    path.write_bytes(path.read_bytes().replace(path.read_bytes()[38:48], b"\xff" * 10, 1))
    assert_refused(path)


def assert_refused(path):
    with pytest.raises(UnreadableFile) as refused:
        detect_kind(path)
    assert refused.value.state == UNSUPPORTED_KIND
