"""The zip of a Word file: checked before anything is unpacked, then read part by part."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from highlighter.errors import Unreadable
from highlighter.locale import N_
from highlighter.models import DAMAGED, ENCRYPTED, TOO_LARGE, UNSUPPORTED

MAX_ENTRIES = 2_000
MAX_TOTAL = 200 << 20
MAX_PART = 100 << 20
MAX_XML = 60 << 20  # its tree takes some ten times the memory
MAX_RATIO = 100
SMALL_PART = 1 << 20  # a short part of repeated XML may well shrink a hundredfold

_OLE = b"\xd0\xcf\x11\xe0"
_ENCRYPTED_FLAG = 0x1
_RELATIONSHIPS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
# Strict files name the same things by other addresses: told apart nowhere after this table.
_STRICT = (
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
    """What hangs on a part: the name of another part, or an address outside the file."""

    id: str
    type: str
    target: str
    external: bool

    @property
    def kind(self) -> str:
        return self.type.rpartition("/")[2]


class Package:
    """Parts by name; `damaged` says what is wrong when the file is not a sound Word document."""

    def __init__(self, path: Path):
        with path.open("rb") as file:
            if file.read(4) == _OLE:
                raise Unreadable(
                    ENCRYPTED,
                    "The file is protected by a password, or of Word's old .doc kind. "
                    "Save it as .docx without a password.",
                )
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as err:
            raise damaged(N_("It is not a sound zip archive")) from err
        try:
            _check(self._zip.infolist())
            self._names = {name.lower(): name for name in self._zip.namelist()}
            self.main = self._main_part()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Package:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def part(self, name: str) -> etree._Element | None:
        """The root element of a part; None when the file has no such part."""
        stored = self._names.get(name.lower())
        return _parsed(self._bytes(stored)) if stored else None

    def related(self, kind: str) -> etree._Element | None:
        """The part that the main part names as its `kind`: "styles", "footnotes" ..."""
        name = self._first(self.main, kind)
        return self.part(name) if name else None

    def relationships(self, name: str) -> list[Relationship]:
        """What hangs on a part ("": on the file)."""
        folder, file = posixpath.split(name)
        root = self.part(posixpath.join(folder, "_rels", f"{file}.rels"))
        return [_relationship(one, folder) for one in root.iter(_RELATIONSHIPS)] if root is not None else []

    def has(self, name: str) -> bool:
        return name.lower() in self._names

    def bytes_of(self, name: str) -> bytes:
        """Of a part that the file has."""
        return self._bytes(self._names[name.lower()])

    def has_pictures(self) -> bool:
        return any("/media/" in name for name in self._names)

    def _main_part(self) -> str:
        name = self._first("", "officeDocument") or "word/document.xml"
        if name.lower() not in self._names:
            if any(part.startswith(("xl/", "ppt/")) for part in self._names):
                raise Unreadable(UNSUPPORTED, "It is a spreadsheet or a presentation, not a Word document.")
            raise damaged(N_("It has no document in it"))
        return name

    def _first(self, name: str, kind: str) -> str:
        return next((one.target for one in self.relationships(name) if one.kind == kind and not one.external), "")

    def _bytes(self, name: str) -> bytes:
        """Never more than the directory of the zip declared, for a zip can lie about that too."""
        try:
            with self._zip.open(name) as part:
                data = part.read(MAX_PART + 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            ValueError,
            NotImplementedError,
            RuntimeError,
        ) as err:
            raise damaged(N_("A part of it cannot be unpacked")) from err
        if len(data) > MAX_PART:
            raise too_large()
        return data


def _relationship(one: etree._Element, folder: str) -> Relationship:
    target, external = one.get("Target", ""), one.get("TargetMode") == "External"
    if not external:
        target = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
    return Relationship(one.get("Id", ""), one.get("Type", ""), target, external)


def damaged(what: str) -> Unreadable:
    return Unreadable(DAMAGED, N_("The Word file is damaged.") + f" {what}.")


def too_large() -> Unreadable:
    return Unreadable(TOO_LARGE, "The Word file unpacks to far more than a document holds.")


def _check(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_ENTRIES or sum(entry.file_size for entry in entries) > MAX_TOTAL:
        raise too_large()
    names = set()
    for entry in entries:
        if entry.flag_bits & _ENCRYPTED_FLAG:
            raise Unreadable(ENCRYPTED, "The Word file is protected by a password.")
        if entry.filename.lower() in names:
            raise damaged(N_("It holds two parts of the same name"))
        names.add(entry.filename.lower())
        inflated = entry.file_size > SMALL_PART and entry.file_size > MAX_RATIO * max(entry.compress_size, 1)
        if entry.file_size > MAX_PART or inflated:
            raise too_large()


def _parsed(data: bytes) -> etree._Element:
    if len(data) > MAX_XML:
        raise too_large()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # XML may be UTF-16; what follows looks at bytes
        data = data.decode("utf-16", "replace").encode()
        data = data[data.find(b"?>") + 2 :] if data.lstrip(b"\xef\xbb\xbf").startswith(b"<?xml") else data
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise damaged(N_("It declares entities, which no Word file needs"))
    if b"http://purl.oclc.org/ooxml/" in data:
        for strict, usual in _STRICT:
            data = data.replace(strict, usual)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as err:
        raise damaged(N_("A part of it is not well-formed")) from err
