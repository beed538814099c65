"""Read HTML pages into the canonical form. Nothing in them is run or fetched; the pages are typeset later."""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from pathlib import Path

from lxml import etree

from highlighter.errors import UnreadableFile
from highlighter.models import TOO_LARGE
from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.html_blocks import read_blocks
from ingest.readers.text_blocks import ExtractedBlock, build_document, read_limited_bytes
from ingest.readers.txt_encoding import decode_text

_DECLARED_ENCODING = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
_DECLARATION_BYTES = 4096  # of the beginning, where a page declares its encoding
# Browsers read these as the larger encodings that programs mean by them.
_LARGER_ENCODINGS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
_FORBIDDEN_ENCODINGS = ("utf", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "charmap")
_CP1252_CONTROLS = re.compile("&#(?:1[2-5]\\d|x[89][\\da-f]);", re.IGNORECASE)


def read(path: Path) -> ExtractedDocument:
    """Read an HTML file into its canonical text."""
    text, warnings = decode_html(read_limited_bytes(path))
    root = parse_html(text)
    has_pictures = root is not None and next(root.iter("img", "svg", "picture"), None) is not None
    blocks = read_blocks(root) if root is not None else []
    return replace(build_document(blocks, has_pictures=has_pictures), warnings=warnings, meta={"encoding": "html"})


def read_html_blocks(text: str) -> list[ExtractedBlock]:
    """Return the blocks of text of an HTML page or fragment."""
    root = parse_html(text)
    return read_blocks(root) if root is not None else []


def parse_html(text: str) -> etree._Element | None:
    """Return the root of a page; None when the page has no element and no text."""
    # Character references 128 to 159 mean those of Windows, as in browsers.
    text = _CP1252_CONTROLS.sub(_decode_windows_reference, text)
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True, recover=True
    )
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError:  # nothing but white space, comments or a doctype
        root = None
    # The parser drops what is nested too deeply; half a text must not look like the whole.
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise UnreadableFile(TOO_LARGE, "The elements of the page are nested too deeply.")
    return root


def decode_html(data: bytes, encoding: str = "") -> tuple[str, tuple[str, ...]]:
    """Return the text of a page and warnings about lost characters; `encoding` is what a message's header declares."""
    encoding = encoding or _find_declared_encoding(data)
    if not data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = _encode_as_utf8(data, encoding)
    text, _, warnings = decode_text(data)
    return text, warnings


def _find_declared_encoding(data: bytes) -> str:
    declared = _DECLARED_ENCODING.search(data[:_DECLARATION_BYTES])
    return declared[1].decode("ascii", "replace") if declared else ""


def _encode_as_utf8(data: bytes, encoding: str) -> bytes:
    """Return the bytes as UTF-8 if they are in the declared encoding, or else as they are."""
    try:
        name = codecs.lookup(encoding).name
        name = _LARGER_ENCODINGS.get(name, name)
        if name.startswith(_FORBIDDEN_ENCODINGS):
            return data
        return data.decode(name).encode()
    except (LookupError, ValueError, AssertionError):
        return data


def _decode_windows_reference(reference: re.Match[str]) -> str:
    number = reference[0][2:-1].lower()
    code = int(number[1:], 16) if number.startswith("x") else int(number)
    return bytes((code,)).decode("cp1252", "ignore")
