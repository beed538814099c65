"""Read EPUB books: their chapters in the order of reading. Pictures and styles are not opened; nothing is fetched."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, ENCRYPTED
from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.html import decode_html, read_html_blocks
from ingest.readers.html_blocks import read_blocks
from ingest.readers.text_blocks import ExtractedBlock, build_document
from ingest.readers.zip_package import ZipPackage, make_xml_parser

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_CHAPTER_TYPES = frozenset(("application/xhtml+xml", "text/html", "text/x-oeb1-document"))


def read(path: Path) -> ExtractedDocument:
    """Read a book into its canonical text."""
    with ZipPackage(path) as package:
        chapters = _list_chapters(package)
        if not chapters:
            raise UnreadableFile(DAMAGED, "The EPUB file is damaged: it lists no chapters.")
        if _list_encrypted_parts(package).intersection(chapters):
            raise UnreadableFile(ENCRYPTED, "The book is protected (DRM), so its text cannot be read.")
        blocks = [block for name in chapters for block in _read_chapter(package.read(name))]
    return build_document(blocks, has_pictures=True)


def _list_chapters(package: ZipPackage) -> list[str]:
    """Return the names of the chapters in the order of reading."""
    if _CONTAINER not in package.names:
        raise UnreadableFile(DAMAGED, "The EPUB file is damaged: it has no table of its parts.")
    root_file = next(_iterate(package.parse_xml(_CONTAINER), "rootfile"), None)
    book_name = _resolve("", root_file.get("full-path", "")) if root_file is not None else ""
    if book_name not in package.names:
        raise UnreadableFile(DAMAGED, "The EPUB file is damaged: it has no table of its parts.")
    book = package.parse_xml(book_name)
    names = {
        item.get("id", ""): _resolve(book_name, item.get("href", ""))
        for item in _iterate(book, "item")
        if item.get("media-type", "").lower() in _CHAPTER_TYPES
    }
    spine = [names.get(reference.get("idref", ""), "") for reference in _iterate(book, "itemref")]
    return [name for name in dict.fromkeys(spine) if name in package.names]


def _list_encrypted_parts(package: ZipPackage) -> set[str]:
    """Return the names of encrypted parts; in books without protection, fonts at most."""
    if _ENCRYPTION not in package.names:
        return set()
    references = _iterate(package.parse_xml(_ENCRYPTION), "CipherReference")
    return {_resolve("", reference.get("URI", "")) for reference in references}


def _read_chapter(data: bytes) -> list[ExtractedBlock]:
    root = _parse_xhtml(data)
    if root is not None:
        return read_blocks(root)
    text, _ = decode_html(data)
    return read_html_blocks(text)


def _parse_xhtml(data: bytes) -> etree._Element | None:
    """Return the root of a chapter without namespaces; None for one that only the more tolerant HTML parser reads."""
    try:
        root = etree.fromstring(data, make_xml_parser())
    except (etree.XMLSyntaxError, ValueError):
        return None
    if root is None or next(root.iter(etree.Entity), None) is not None:
        return None
    for element in root.iter(etree.Element):
        element.tag = etree.QName(element).localname
    return root


def _iterate(root: etree._Element, name: str) -> Iterator[etree._Element]:
    """Yield the elements of a name in any namespace."""
    yield from root.iter(f"{{*}}{name}")


def _resolve(base: str, reference: str) -> str:
    """Return the name of the part that a reference in another part means; it never leads out of the archive."""
    path = unquote(reference.partition("#")[0])
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(base), path)).lstrip("/")
