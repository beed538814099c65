"""Books are read chapter by chapter, in the order of reading."""

from __future__ import annotations

from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, ENCRYPTED, NO_TEXT, TOO_LARGE
from ingest.readers import epub
from tests.ingest.readers.any_input import read_or_none
from tests.ingest.readers.files.make_files import BOOK, CONTAINER, make_book
from tests.properties import given, st

BOOK_FILE = Path(__file__).parent / "files" / "harbour.epub"
ENCRYPTION = (
    "<encryption><EncryptedData><CipherData><CipherReference URI='{}'/></CipherData></EncryptedData></encryption>"
)
LAUGHS = '<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'


def read(folder: Path, content: bytes):
    path = folder / "book.epub"
    path.write_bytes(content)
    return epub.read(path)


def test_book_is_read_in_the_order_of_its_chapters():
    book = epub.read(BOOK_FILE)
    assert book.text == (
        "The tide\n\nThe tide rises twice a day.\n\nThe pilot\n\nNo ship over 40 m sails without a pilot."
    )
    assert [book.text[h.start : h.end] for h in book.headings] == ["The tide", "The pilot"]


@pytest.mark.parametrize(
    ("make_content", "state"),
    [
        (lambda: b"PK\x03\x04 torn", DAMAGED),
        (lambda: make_book(container="<container/>"), DAMAGED),
        (lambda: make_book(container="no XML"), DAMAGED),
        (lambda: make_book(book=BOOK.replace("itemref", "other")), DAMAGED),
        (lambda: make_book(book=BOOK.replace("text/", "../../../../etc/")), DAMAGED),
        (lambda: make_book(**{"META-INF__encryption.xml": ENCRYPTION.format("book/text/one.xhtml")}), ENCRYPTED),
        (lambda: make_book(**{"book__text__one.xhtml": "<p/>", "book__text__chapter 2.xhtml": "<p/>"}), NO_TEXT),
        (lambda: make_book(**{"book__text__one.xhtml": " " * (40 << 20)}), TOO_LARGE),
        (lambda: make_book(**{"book__text__one.xhtml": "<div>" * 5000 + "x"}), TOO_LARGE),
        (lambda: make_book(**{f"part{n}": "" for n in range(20_001)}), TOO_LARGE),
    ],
    ids=range(10),
)
def test_unreadable_book_has_a_typed_state(tmp_path, make_content, state):
    with pytest.raises(UnreadableFile) as caught:
        read(tmp_path, make_content())
    assert caught.value.state == state
    assert caught.value.detail.endswith(".")


def test_protected_fonts_and_entities_do_not_stop_reading(tmp_path):
    chapter = f"{LAUGHS}<p>The tide &b; &c; rises.</p>"
    parts = {"META-INF__encryption.xml": ENCRYPTION.format("book/font.otf"), "book__text__one.xhtml": chapter}
    text = read(tmp_path, make_book(**parts)).text
    assert "rises." in text
    assert "haha" not in text
    assert "root:" not in text


def test_link_to_a_note_is_its_mark(tmp_path):
    chapter = (
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><p>The tide rises.'
        '<sup><a href="#f1">1</a></sup> The tide falls.<a epub:type="noteref" href="#f2">2</a> It ends.</p></body></html>'
    )
    text = read(tmp_path, make_book(**{"book__text__one.xhtml": chapter})).text
    assert text.startswith("The tide rises.[1] The tide falls.[2] It ends.")


@given(st.data())
def test_any_damage_to_a_book_has_a_typed_state(tmp_path_factory, data):
    content = bytearray(make_book())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "any.epub"
    path.write_bytes(content)
    read_or_none(epub, path)


MARKUP = st.text(alphabet="<>/&;\"'= abhp#!-", max_size=40)


@given(MARKUP, MARKUP)
def test_any_markup_in_a_book_is_read_or_has_a_typed_state(tmp_path_factory, chapter, manifest):
    parts = {"book__text__one.xhtml": chapter}
    path = tmp_path_factory.getbasetemp() / "any.epub"
    path.write_bytes(make_book(CONTAINER, BOOK.replace("<spine>", manifest + "<spine>"), **parts))
    read_or_none(epub, path)
