import zipfile

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import EMPTY, ENCRYPTED, UNSUPPORTED
from ingest.input_files import detect_kind


def file(tmp_path, content, name="file"):
    path = tmp_path / name
    path.write_bytes(content)
    return path


def archive(tmp_path, *names):
    path = tmp_path / "archive"
    with zipfile.ZipFile(path, "w") as made:
        for name in names:
            made.writestr(name, "x")
    return path


def test_a_name_can_lie(tmp_path):
    assert detect_kind(file(tmp_path, b"%PDF-1.7 ...", "letter.docx")) == "pdf"
    assert detect_kind(file(tmp_path, b"Dear Sir", "letter.pdf")) == "txt"


def test_a_pdf_header_may_stand_behind_leading_bytes(tmp_path):
    assert detect_kind(file(tmp_path, b"\r\n" * 100 + b"%PDF-1.4")) == "pdf"


def test_a_word_file_is_told_from_other_archives(tmp_path):
    assert detect_kind(archive(tmp_path, "[Content_Types].xml", "word/document.xml")) == "docx"
    with pytest.raises(UnreadableFile) as refused:
        detect_kind(archive(tmp_path, "[Content_Types].xml", "xl/workbook.xml"))
    assert refused.value.state == UNSUPPORTED


def test_an_empty_file_is_empty(tmp_path):
    with pytest.raises(UnreadableFile) as refused:
        detect_kind(file(tmp_path, b""))
    assert refused.value.state == EMPTY


def test_a_password_protected_office_file_is_encrypted(tmp_path):
    ole = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(UnreadableFile) as refused:
        detect_kind(file(tmp_path, ole))
    assert refused.value.state == ENCRYPTED
