"""Open the zip archive of a Word file: check its entries before anything is unpacked, then read part by part."""

from __future__ import annotations

import posixpath
import zipfile
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from highlighter.errors import UnreadableFile
from highlighter.locale import N_, end_sentence, join_messages
from highlighter.models import DAMAGED, ENCRYPTED, TOO_LARGE, UNSUPPORTED_KIND
from ingest.zip_directory import DAMAGE_ERRORS, open_archive

MAX_ENTRIES = 2_000
MAX_TOTAL_BYTES = 200 << 20
MAX_PART_BYTES = 100 << 20
MAX_XML_BYTES = 60 << 20  # the parsed tree takes about ten times the memory
MAX_COMPRESSION_RATIO = 100
MIN_CHECKED_PART_BYTES = 1 << 20  # a short part of repeated XML may well shrink a hundredfold

_OLE_MAGIC = b"\xd0\xcf\x11\xe0"
_ENCRYPTED_FLAG = 0x1
_RELATIONSHIP_TAG = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
# Strict files use other namespaces for the same elements; they are replaced on reading.
_STRICT_NAMESPACES = (
    (
        b"http://purl.oclc.org/ooxml/officeDocument/relationships",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    ),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", b"http://schemas.openxmlformats.org/officeDocument/2006/math"),
    (
        b"http://purl.oclc.org/ooxml/wordprocessingml/main",
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    ),
    (b"http://purl.oclc.org/ooxml/drawingml/", b"http://schemas.openxmlformats.org/drawingml/2006/"),
)


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship of a part: to another part of the package, or to an address outside it."""

    id: str
    type: str
    target: str
    is_external: bool

    @property
    def kind(self) -> str:
        return self.type.rpartition("/")[2]


class DocxPackage:
    """The package of a Word file, with its parts by name.

    Raises `UnreadableFile` when the file is not a valid Word document.
    """

    def __init__(self, path: Path):
        with path.open("rb") as file:
            if file.read(4) == _OLE_MAGIC:
                raise UnreadableFile(
                    ENCRYPTED,
                    "The file is password-protected or in Word's old .doc format. Save it as .docx without a password.",
                )
        try:
            self._zip = open_archive(path.open("rb"))
        except DAMAGE_ERRORS as err:
            raise damaged_error(N_("The Word file is not a valid zip archive")) from err
        try:
            _check_entries(self._zip.infolist())
            self._names = {name.lower(): name for name in self._zip.namelist()}
            self.main = self._find_main_part()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> DocxPackage:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def part(self, name: str) -> etree._Element | None:
        """Return the root element of a part; None when the file has no such part."""
        stored = self._names.get(name.lower())
        return _parse_xml(self._read_bytes(stored)) if stored else None

    def related_part(self, kind: str) -> etree._Element | None:
        """Return the part that the main part relates to as `kind`: "styles", "footnotes" ..."""
        name = self._first_target(self.main, kind)
        return self.part(name) if name else None

    def relationships(self, name: str) -> list[Relationship]:
        """Return the relationships of a part ("": of the package)."""
        folder, file = posixpath.split(name)
        root = self.part(posixpath.join(folder, "_rels", f"{file}.rels"))
        return (
            [_parse_relationship(element, folder) for element in root.iter(_RELATIONSHIP_TAG)]
            if root is not None
            else []
        )

    def has_part(self, name: str) -> bool:
        return name.lower() in self._names

    def part_bytes(self, name: str) -> bytes:
        """Return the bytes of a part that the file has."""
        return self._read_bytes(self._names[name.lower()])

    def has_pictures(self) -> bool:
        return any("/media/" in name for name in self._names)

    def _find_main_part(self) -> str:
        name = self._first_target("", "officeDocument") or "word/document.xml"
        if name.lower() not in self._names:
            if any(part.startswith(("xl/", "ppt/")) for part in self._names):
                raise UnreadableFile(UNSUPPORTED_KIND, "It is a spreadsheet or a presentation, not a Word document.")
            raise damaged_error(N_("The Word file contains no document"))
        return name

    def _first_target(self, name: str, kind: str) -> str:
        return next(
            (
                relationship.target
                for relationship in self.relationships(name)
                if relationship.kind == kind and not relationship.is_external
            ),
            "",
        )

    def _read_bytes(self, name: str) -> bytes:
        """Return the bytes of an entry, up to a limit: a zip archive can lie about its sizes."""
        try:
            with self._zip.open(name) as part:
                data = part.read(MAX_PART_BYTES + 1)
        except DAMAGE_ERRORS as err:
            raise damaged_error(N_("A part of the Word file cannot be unpacked")) from err
        if len(data) > MAX_PART_BYTES:
            raise too_large_error()
        return data


def _parse_relationship(element: etree._Element, folder: str) -> Relationship:
    target, is_external = element.get("Target", ""), element.get("TargetMode") == "External"
    if not is_external:
        target = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
    return Relationship(element.get("Id", ""), element.get("Type", ""), target, is_external)


def damaged_error(reason: str) -> UnreadableFile:
    """Return the error for a damaged Word file."""
    return UnreadableFile(DAMAGED, join_messages([N_("The Word file is damaged."), end_sentence(reason)]))


def too_large_error() -> UnreadableFile:
    """Return the error for a Word file that unpacks to too much."""
    return UnreadableFile(TOO_LARGE, "The Word file is too large when unpacked.")


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_ENTRIES or sum(entry.file_size for entry in entries) > MAX_TOTAL_BYTES:
        raise too_large_error()
    names = set()
    for entry in entries:
        if entry.flag_bits & _ENCRYPTED_FLAG:
            raise UnreadableFile(ENCRYPTED, "The Word file is password-protected.")
        if entry.filename.lower() in names:
            raise damaged_error(N_("The Word file contains two parts of the same name"))
        names.add(entry.filename.lower())
        is_inflated = entry.file_size > MIN_CHECKED_PART_BYTES and entry.file_size > MAX_COMPRESSION_RATIO * max(
            entry.compress_size, 1
        )
        if entry.file_size > MAX_PART_BYTES or is_inflated:
            raise too_large_error()


def _parse_xml(data: bytes) -> etree._Element:
    if len(data) > MAX_XML_BYTES:
        raise too_large_error()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # XML may be UTF-16, but the checks below look for ASCII bytes
        data = data.decode("utf-16", "replace").encode()
        data = data[data.find(b"?>") + 2 :] if data.lstrip(b"\xef\xbb\xbf").startswith(b"<?xml") else data
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise damaged_error(N_("The Word file declares XML entities, which is not allowed"))
    if b"http://purl.oclc.org/ooxml/" in data:
        for strict, transitional in _STRICT_NAMESPACES:
            data = data.replace(strict, transitional)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as err:
        raise damaged_error(N_("A part of the Word file is not well-formed XML")) from err


# XML names of Word files.

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


def w(name: str) -> str:
    """Return a name in the WordprocessingML namespace."""
    return _W + name


def m(name: str) -> str:
    """Return a name in the Office Math namespace."""
    return _M + name


def child_value(element: etree._Element | None, name: str, default: str = "") -> str:
    """Return the `w:val` of a child, or the default when there is no such child."""
    child = element.find(w(name)) if element is not None else None
    return child.get(w("val"), default) if child is not None else default


def is_switched_on(element: etree._Element | None, name: str) -> bool | None:
    """Return whether a property is on: present and not set to off; None when it is absent."""
    child = element.find(w(name)) if element is not None else None
    if child is None:
        return None
    return child.get(w("val"), "true") not in ("0", "false", "off")


def parse_number(text: str, default: int = 0) -> int:
    """Return an attribute as a number, or the default: any software may have written it."""
    try:
        return int(text)
    except ValueError:
        return default
