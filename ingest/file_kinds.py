"""Detect the kind of a file by its bytes, because a name can lie; the name decides only between kinds of plain text."""

from __future__ import annotations

import codecs
import io
import re
import zipfile
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from highlighter.errors import UnreadableFile
from highlighter.models import EMPTY, ENCRYPTED, UNSUPPORTED_KIND
from ingest.zip_directory import DAMAGE_ERRORS, open_archive

OFFICE_KINDS = frozenset(("odt", "rtf", "xlsx", "pptx"))  # which LibreOffice converts to kinds that have a reader

_PDF_HEADER_BYTES = 1024  # the header may come after some leading bytes
_HEAD_BYTES = 16 << 10
_OLE_BLOCK_BYTES, _NAME_BYTES = 1 << 20, 64
_OUTLOOK_NAME = "__properties_version1.0".encode("utf-16-le")
_ENCRYPTED_NAME = "Encrypt".encode("utf-16-le")
_OLE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
_PICTURE_MAGIC = {
    b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpg", b"II*\0": "tiff", b"MM\0*": "tiff", b"GIF87a": "gif", b"GIF89a": "gif",
}  # fmt: skip
_WEBP_HEADER = re.compile(rb"RIFF....WEBP", re.DOTALL)
_HEIF_HEADER = re.compile(rb"....ftyp(?:hei[cxms]|hev[cxms]|mif[12]|msf1|avi[fs])", re.DOTALL)  # of cameras: HEIC, AVIF

_MEDIA_TYPE_BYTES = 200
_KINDS_BY_MEDIA_TYPE = {"application/epub+zip": "epub", "application/vnd.oasis.opendocument.text": "odt"}
_KINDS_BY_FOLDER = {"word/": "docx", "ppt/": "pptx", "xl/": "xlsx"}  # of Office files
_ZIP_SUFFIXES = {".epub": "epub", ".odt": "odt", ".pptx": "pptx", ".xlsx": "xlsx"}  # of archives that cannot be opened

_HTML_START = re.compile(r"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_HTML_TAG = re.compile(
    r"<(?:head|body|title|meta|link|style|script|p|div|span|table|h[1-6]|ul|ol|a|b|i|br|hr|font|center|section|article"
    r"|main|header|nav|footer|blockquote|pre)\b[^<>]*>",
    re.IGNORECASE,
)
_HEADER = re.compile(r"([!-9;-~]{1,70}):[ \t]?")
_SHOWN_HEADERS = frozenset(("from", "to", "subject", "date"))
_TRANSPORT_HEADERS = frozenset(
    "message-id mime-version received return-path delivered-to content-type x-mailer x-received dkim-signature".split()
)
_EMAIL_SUFFIXES = (".eml", ".mhtml", ".mht")
_MAX_COMMENTS = 9  # before the first element
_HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdown")
_CSV_SUFFIXES = (".csv", ".tsv")


def detect_kind(path: Path, name: str = "") -> str:
    """Return the kind of a file: a key of `READERS`, an office kind, or that of a picture. `name` is what its user calls it.

    Raises `UnreadableFile` for a file of another kind.
    """
    with path.open("rb") as file:
        return _detect_kind(file, name)


def detect_kind_of_bytes(content: bytes, name: str) -> str:
    """Return the kind of a file that is in memory; the same as `detect_kind`."""
    return _detect_kind(io.BytesIO(content), name)


def _detect_kind(file: BinaryIO, name: str) -> str:
    suffix = PurePosixPath(name).suffix.lower()
    head = file.read(_HEAD_BYTES)
    if not head:
        raise UnreadableFile(EMPTY, "The file is empty.")
    if kind := _detect_picture_kind(head):
        return kind
    if b"%PDF-" in head[:_PDF_HEADER_BYTES]:
        return "pdf"
    if head.startswith(_OLE_MAGIC):
        return _detect_ole_kind(head, file)
    if head.startswith(b"PK"):
        return _detect_zip_kind(file, suffix)
    if head.startswith(b"{\\rtf"):
        return "rtf"
    return _detect_text_kind(_decode_head(head), suffix)


def _detect_picture_kind(head: bytes) -> str:
    """Return the kind of a picture; "" for other files."""
    if _HEIF_HEADER.match(head):
        raise UnreadableFile(
            UNSUPPORTED_KIND, "Pictures in HEIC or AVIF are not read. Save the picture as JPEG or PNG."
        )
    if _WEBP_HEADER.match(head):
        return "webp"
    return next((kind for magic, kind in _PICTURE_MAGIC.items() if head.startswith(magic)), "")


def _detect_ole_kind(head: bytes, file: BinaryIO) -> str:
    """Return "msg" for an e-mail of Outlook, judged by the names of what the file contains, wherever its directory is."""
    while block := file.read(_OLE_BLOCK_BYTES):
        if _OUTLOOK_NAME in head:
            return "msg"
        if _ENCRYPTED_NAME in head:
            break
        head = head[-_NAME_BYTES:] + block
    if _OUTLOOK_NAME in head:
        return "msg"
    raise UnreadableFile(
        ENCRYPTED if _ENCRYPTED_NAME in head else UNSUPPORTED_KIND,
        "This is an old or password-protected Office file. Save it as .docx without a password.",
    )


def _detect_zip_kind(file: BinaryIO, suffix: str) -> str:
    try:
        with open_archive(file) as archive:
            names = archive.namelist()
            media_type = _read_media_type(archive)
    except DAMAGE_ERRORS:
        return _ZIP_SUFFIXES.get(suffix, "docx")  # the reader reports what is wrong with the file
    if media_type in _KINDS_BY_MEDIA_TYPE:
        return _KINDS_BY_MEDIA_TYPE[media_type]
    if "[Content_Types].xml" in names:
        for folder, kind in _KINDS_BY_FOLDER.items():
            if any(name.startswith(folder) for name in names):
                return kind
    if "META-INF/container.xml" in names and any(name.endswith(".opf") for name in names):
        return "epub"
    raise UnreadableFile(
        UNSUPPORTED_KIND,
        "Archives and files of this kind are not read. Upload a PDF, Office or text file, or a scan as PNG, JPEG, TIFF, GIF or WebP.",
    )


def _read_media_type(archive: zipfile.ZipFile) -> str:
    """Return the media type that an EPUB or OpenDocument file says it has; "" for other archives."""
    entry = archive.NameToInfo.get("mimetype")
    # Other methods unpack a block of a bomb at once, however little of it is read.
    if entry is None or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return ""
    with archive.open(entry) as part:
        return part.read(_MEDIA_TYPE_BYTES).decode("ascii", "replace").strip()


def _decode_head(head: bytes) -> str:
    """Return the first characters of a text, enough to find marks of ASCII characters in them."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head.decode("utf-16", "replace")
    return head.removeprefix(codecs.BOM_UTF8).decode("latin-1")


def _detect_text_kind(head: str, suffix: str) -> str:
    head = _skip_declarations(head)
    if _HTML_START.match(head):
        return "html"
    if _is_email(head, is_named=suffix in _EMAIL_SUFFIXES):
        return "eml"
    if suffix in _MARKDOWN_SUFFIXES:
        return "md"
    if suffix in _HTML_SUFFIXES and _HTML_TAG.search(head):
        return "html"
    return "csv" if suffix in _CSV_SUFFIXES else "txt"


def _is_email(head: str, *, is_named: bool) -> bool:
    """Return whether a text begins with the headers of an e-mail; a memo has "From:" and "Subject:", too."""
    names = set()
    for line in head.split("\n"):
        header = _HEADER.match(line)
        if header:
            names.add(header[1].lower())
        elif not (names and line[:1] in (" ", "\t")) and not line.startswith("From "):
            break
    return bool(names & _SHOWN_HEADERS) and (is_named or bool(names & _TRANSPORT_HEADERS))


def _skip_declarations(head: str) -> str:
    """Return the text after an XML declaration and comments, as they come before the first element of many pages."""
    head = head.lstrip()
    for start, end in (("<?xml", "?>"), *(("<!--", "-->"),) * _MAX_COMMENTS):
        if head.startswith(start) and end in head:
            head = head[head.index(end) + len(end) :].lstrip()
    return head
