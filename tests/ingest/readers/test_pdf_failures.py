"""An unreadable file ends in a typed state with a reason; a partly readable one says what is missing."""

from __future__ import annotations

import time
from pathlib import Path

import brotli
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, EMPTY, ENCRYPTED, NO_TEXT, TOO_LARGE, UNSUPPORTED_KIND
from ingest.readers.extracted_document import ExtractedDocument, PageInfo
from ingest.readers.pdf import read
from ingest.readers.pdf.completeness import collect_warnings
from ingest.readers.pdf.pages import PageContent
from ingest.readers.pdf.second_reader import ReaderTimeout, limit_time, read_with_second_reader
from ingest.readers.pdf.shown_codes import (
    bound_codes_by_fonts,
    bound_shown_codes,
    count_shown_codes,
    read_content_streams,
)
from tests.conftest import SAMPLES
from tests.ingest import bad_files
from tests.ingest.readers.pdf_drawing import draw, lines, picture, prose, relettered, wrapped
from tests.properties import given, settings, st


def _text(canvas):
    lines(canvas, 60, 760, wrapped(prose(1), 70))


def _image(canvas):
    canvas.drawImage(picture(), 60, 100, 400, 600)


def _state(path: Path, **options) -> tuple[str, str]:
    with pytest.raises(UnreadableFile) as raised:
        read(path, **options)
    assert raised.value.detail.endswith(".")
    return raised.value.state, raised.value.detail


def test_a_file_of_no_bytes_is_empty(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"")
    assert _state(tmp_path / "a.pdf")[0] == EMPTY


@pytest.mark.parametrize("content", [b"\x00" * 999, b"PK\x03\x04" + b"a" * 300, b"%PDF-1.7\n%%EOF", b"<html></html>"])
def test_file_that_is_no_pdf_is_damaged(tmp_path, content):
    (tmp_path / "a.pdf").write_bytes(content)
    assert _state(tmp_path / "a.pdf")[0] == DAMAGED


def test_a_pdf_without_pages_is_damaged(tmp_path):
    PdfWriter().write(tmp_path / "a.pdf")
    assert _state(tmp_path / "a.pdf")[0] == DAMAGED


def test_needed_password_is_reported(tmp_path):
    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", _text))
    writer.encrypt(user_password="secret", algorithm="RC4-128")
    writer.write(tmp_path / "b.pdf")
    state, sentence = _state(tmp_path / "b.pdf")
    assert state == ENCRYPTED
    assert "password" in sentence


def _with_brotli(path: Path, index: int) -> Path:
    """Compress the content of one page with Brotli."""
    writer = PdfWriter(clone_from=path)
    content = StreamObject()
    content._parse_data = brotli.compress(writer.pages[index].get_contents().get_data())
    content[NameObject("/Filter")] = ArrayObject([NameObject("/BrotliDecode")])
    writer.pages[index][NameObject("/Contents")] = writer._add_object(content)
    writer.write(path)
    return path


def test_brotli_compression_is_unsupported(tmp_path):
    (tmp_path / "whole.pdf").write_bytes(bad_files.brotli_pdf())
    refusal = (
        UNSUPPORTED_KIND,
        "This PDF is compressed with Brotli, which is not supported yet. Save it again as PDF 1.7.",
    )
    assert _state(tmp_path / "whole.pdf") == refusal
    assert _state(_with_brotli(draw(tmp_path / "content.pdf", _text), 0)) == refusal


def test_brotli_compression_of_some_pages_is_a_warning(tmp_path):
    reading = read(_with_brotli(draw(tmp_path / "a.pdf", _text, _text), 1))
    assert prose(1) in reading.text
    assert any("Parts of the file are compressed with Brotli" in warning for warning in reading.warnings)


def test_pictures_alone_have_no_text_and_their_number_is_reported(tmp_path):
    state, sentence = _state(draw(tmp_path / "a.pdf", _image, _image, _image))
    assert state == NO_TEXT
    assert sentence == "All 3 pages are scans without selectable text."


def test_blank_pages_have_no_text(tmp_path):
    assert _state(draw(tmp_path / "a.pdf", lambda canvas: None))[0] == NO_TEXT


def test_too_many_pages_are_too_large_and_the_limit_can_be_set(tmp_path):
    path = draw(tmp_path / "a.pdf", _text, _text, _text)
    assert _state(path, max_pages=2)[0] == TOO_LARGE
    assert len(read(path, max_pages=3).pages) == 3


def test_a_page_that_cannot_be_opened_is_named(tmp_path):
    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", _text, _text))
    tree = writer._root_object["/Pages"].get_object()
    tree[NameObject("/Kids")] = ArrayObject([tree["/Kids"][0], writer._add_object(NumberObject(7))])
    writer.write(tmp_path / "b.pdf")
    reading = read(tmp_path / "b.pdf")
    assert prose(1) in reading.text
    assert reading.warnings == ("Page 2 could not be opened; its text is missing.",)


def test_unmapped_letters_give_a_warning(tmp_path):
    private = {c: chr(0xE000 + ord(c)) for c in "abcdefghijklmnopqrstuvwxyz"}
    reading = read(relettered(draw(tmp_path / "a.pdf", _text), private))
    assert any(warning.startswith("Page 1: the fonts do not identify") for warning in reading.warnings)


def test_pictures_are_a_warning_when_most_pages_are_pictures(tmp_path):
    assert read(draw(tmp_path / "a.pdf", _text, _text, _image)).warnings == ()
    (warning,) = read(draw(tmp_path / "b.pdf", _text, _image, _image)).warnings
    assert warning.startswith("Pages 2-3 of 3")


def test_far_fewer_characters_than_a_second_reader_finds_is_a_warning(tmp_path):
    path = draw(tmp_path / "a.pdf", _text, _text)
    whole = PageContent(PageInfo(1, "", 595, 842, 10_000))
    poor = PageContent(PageInfo(2, "", 595, 842, 12))
    assert collect_warnings(path, [whole, poor], []) == (
        "Page 2: a second reader finds much more text, so text is probably missing.",
    )


def test_failing_second_reader_gives_no_warning(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4 nothing")
    assert collect_warnings(tmp_path / "a.pdf", [PageContent(PageInfo(1, "", 595, 842, 12))], []) == ()


def test_a_page_without_text_on_which_the_second_reader_breaks_down_is_a_warning(tmp_path):
    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", _text, _text))
    bomb = StreamObject()
    bomb.set_data(b"(unclosed " * 30)
    bomb[NameObject("/Filter")] = NameObject("/NoSuchFilter")
    writer.pages[1][NameObject("/Contents")] = writer._add_object(bomb)
    writer.write(tmp_path / "b.pdf")
    (warning,) = read(tmp_path / "b.pdf").warnings
    assert warning.startswith("Page 2: no text was found, and a second reader failed")


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.pdf")), ids=lambda path: path.stem)
def test_a_page_shows_no_more_characters_than_it_has_codes(path):
    """The second reader reads only pages whose codes leave room for much more than was read."""
    for page in PdfReader(path).pages:
        shown = sum(not character.isspace() for character in page.extract_text())
        streams = read_content_streams(page)
        assert shown <= count_shown_codes(streams) <= 3 * shown + 100
        assert count_shown_codes(streams) <= bound_codes_by_fonts(streams) <= bound_shown_codes(streams)


def test_codes_in_forms_and_in_every_notation_are_counted():
    writer = PdfWriter()
    page = writer.add_blank_page(200, 200)
    form, contents = StreamObject(), StreamObject()
    form.update({NameObject("/Subtype"): NameObject("/Form")})
    form.set_data(b"BT (in the form) Tj ET")
    contents.set_data(rb"BT [(a\)b) -20 (c(d)\053)] TJ <41 42 4> Tj /X Do ET")
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/XObject"): DictionaryObject({NameObject("/X"): form})}
    )
    page[NameObject("/Contents")] = writer._add_object(contents)
    assert count_shown_codes(read_content_streams(page)) == len("a)bc(d)+ABintheform")


def test_codes_have_the_length_that_their_font_gives_them_and_those_of_marks_do_not_count():
    writer = PdfWriter()
    page, contents = writer.add_blank_page(200, 200), StreamObject()
    fonts = {"/S": ("/TrueType", "/WinAnsiEncoding"), "/D": ("/Type0", "/Identity-H"), "/M": ("/Type0", "/GBK-EUC-H")}
    contents.set_data(
        b"/Span <</Lang (en-GB) /ActualText <FEFF0041>>> BDC BT /S 9 Tf (ab) Tj EMC"
        b" /D 9 Tf <00410042 0020> Tj /M 9 Tf (c) Tj <b5e5> Tj /S 9.5 Tf [(d) <65>] TJ ET"
    )
    page[NameObject("/Contents")] = writer._add_object(contents)
    kinds = {
        NameObject(name): DictionaryObject(
            {NameObject("/Subtype"): NameObject(kind), NameObject("/Encoding"): NameObject(encoding)}
        )
        for name, (kind, encoding) in fonts.items()
    }
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): DictionaryObject(kinds)})
    assert count_shown_codes(read_content_streams(page)) == len("ab") + 3 + 2 + len("de")


@pytest.mark.parametrize(
    "content",
    [
        b"BT (a(b)c) Tj (d\\)e\\\\) Tj <41 4> Tj ET",
        b"/P <</MCID 0>> BDC (a < b) Tj <4142> Tj EMC",
        b"BI ID )))<<<( EI (a) Tj <41> Tj",
        b"BI ID ((((>>> EI (a\\051) Tj <41> Tj",
    ],
)
@pytest.mark.parametrize("encoding", ["/WinAnsiEncoding", "/Identity-H"])
def test_bounds_of_codes_are_never_below_their_number(content, encoding):
    writer = PdfWriter()
    page, stream = writer.add_blank_page(200, 200), StreamObject()
    stream.set_data(b"/F 9 Tf " + content)
    page[NameObject("/Contents")] = writer._add_object(stream)
    kind = "/Type0" if encoding == "/Identity-H" else "/TrueType"
    font = DictionaryObject({NameObject("/Subtype"): NameObject(kind), NameObject("/Encoding"): NameObject(encoding)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): DictionaryObject({NameObject("/F"): font})})
    streams = read_content_streams(page)
    assert 0 < count_shown_codes(streams) <= bound_codes_by_fonts(streams) <= bound_shown_codes(streams)


def test_second_reader_leaves_files_with_many_objects_in_one_stream(tmp_path):
    path = draw(tmp_path / "a.pdf", _text)
    assert read_with_second_reader(path, [0], 1, lambda *_: True)[0]
    path.write_bytes(path.read_bytes() + b"\n% <</Type /ObjStm /N 65543 /First 9>>")
    assert read_with_second_reader(path, [0], 1, lambda *_: True) == []


@pytest.mark.parametrize("counts", [(2, 3), (1, 2), (1, 3), (5, 6)])
def test_second_reader_finds_pages_in_nested_trees_with_right_and_wrong_counts(tmp_path, counts):
    words = ["first", "second", "third"]
    pages = [lambda canvas, word=word: lines(canvas, 60, 760, [f"This is the {word} page."]) for word in words]
    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", *pages))
    tree = writer.root_object["/Pages"]
    kids = tree["/Kids"]
    node = DictionaryObject({NameObject("/Type"): NameObject("/Pages"), NameObject("/Kids"): ArrayObject(kids[:2])})
    node[NameObject("/Resources")] = writer.pages[0]["/Resources"]
    for page in writer.pages[:2]:
        del page["/Resources"]
    tree[NameObject("/Kids")] = ArrayObject([writer._add_object(node), kids[2]])
    node[NameObject("/Count")], tree[NameObject("/Count")] = map(NumberObject, counts)
    writer.write(tmp_path / "b.pdf")
    texts = read_with_second_reader(tmp_path / "b.pdf", [0, 1, 2, 3], 3, lambda *_: True)
    assert [text and text.split()[3] for text in texts] == words


def test_a_second_reader_that_hangs_is_stopped():
    started = time.monotonic()
    with pytest.raises(ReaderTimeout), limit_time(0.1):
        time.sleep(5)
    assert time.monotonic() - started < 2


@pytest.fixture(scope="module")
def whole_file(tmp_path_factory) -> bytes:
    return draw(tmp_path_factory.mktemp("pdf") / "a.pdf", _text, _image, _text).read_bytes()


@settings(max_examples=60)
@given(st.data())
def test_a_file_with_changed_bytes_is_read_or_raised(whole_file, tmp_path, data):
    content = bytearray(whole_file)
    for _ in range(data.draw(st.integers(1, 30))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(1, len(content)) | st.just(len(content)))
    (tmp_path / "a.pdf").write_bytes(content[:cut])
    assert _outcome(tmp_path / "a.pdf").endswith((".", "read"))


def _outcome(path: Path) -> str:
    try:
        return "read" if isinstance(read(path), ExtractedDocument) else "not a PDF"
    except UnreadableFile as raised:
        return raised.detail
