"""Write copies of office files without what could be fetched or run: links to other files, macros, scripts."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from lxml import etree

from highlighter.errors import UnreadableFile
from highlighter.models import ENCRYPTED
from ingest.readers.text_blocks import read_limited_bytes
from ingest.readers.zip_package import ZipPackage

MAX_PART_BYTES = 100 << 20
_HYPERLINK = "/hyperlink"  # the end of its relationship's type; it is only followed when a user clicks it
_LEFT_OUT_NAMES = re.compile(
    r"vbaProject|connections\.xml|(?:^|/)(?:externalLinks|queryTables|activeX|embeddings|customXml|Basic|Scripts|Dialogs)/|"
    r"\.(?:mp4|m4v|mov|avi|wmv|mp3|m4a|wav|wma|mpe?g)$",
    re.IGNORECASE,
)
_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_ODF = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_CLICKED_TAGS = frozenset((_ODF % "text" + "a", _ODF % "drawing" + "a"))
_REMOVED_TAGS = tuple(
    _ODF % namespace + name
    for namespace, name in (
        ("office", "scripts"), ("office", "event-listeners"), ("office", "dde-source"), ("text", "section-source"),
        ("text", "dde-connection-decl"), ("meta", "auto-reload"), ("drawing", "plugin"), ("drawing", "applet"), ("drawing", "floating-frame"),
    )
)  # fmt: skip
_MANIFEST = "META-INF/manifest.xml"
# Fields and objects of RTF that refer to other files. A field with an unknown name shows its saved result.
_RTF_REFERENCES = re.compile(
    rb"(?<=[\s{\\*])(?:INCLUDEPICTURE|INCLUDETEXT|IMPORT|LINK|DDEAUTO|DDE|RD|template|objautlink|objlink|filetbl)(?=[\s\\{}\"])",
    re.IGNORECASE,
)


def copy_ooxml(
    path: Path, out: Path, preparations: Mapping[str, Callable[[etree._Element], None]] = MappingProxyType({})
) -> None:
    """Copy a file of Microsoft Office without relationships that lead out of it; some parts are prepared, by their names."""
    with ZipPackage(path, MAX_PART_BYTES) as package, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in package.list_files():
            if _LEFT_OUT_NAMES.search(name):
                continue
            if name in preparations:
                root = package.parse_xml(name)
                preparations[name](root)
                copy.writestr(name, _serialise(root))
            else:
                copy.writestr(name, _remove_links(package, name) if name.endswith(".rels") else package.read(name))


def _remove_links(package: ZipPackage, name: str) -> bytes:
    root = package.parse_xml(name)
    for relationship in list(root):
        is_external = relationship.get("TargetMode") == "External"
        is_left_out = _LEFT_OUT_NAMES.search(relationship.get("Target", ""))
        if is_left_out or (is_external and not relationship.get("Type", "").endswith(_HYPERLINK)):
            root.remove(relationship)
    return _serialise(root)


def copy_opendocument(path: Path, out: Path) -> None:
    """Copy a text of OpenDocument without links to anything outside it. Raises `UnreadableFile` for one with a password."""
    with ZipPackage(path, MAX_PART_BYTES) as package, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        if _MANIFEST in package.names and b"encryption-data" in package.read(_MANIFEST):
            raise UnreadableFile(ENCRYPTED, "The file is password-protected.")
        for name in package.list_files():
            if not _LEFT_OUT_NAMES.search(name):
                has_references = name.endswith(".xml") and name != _MANIFEST
                copy.writestr(name, _remove_references(package, name) if has_references else package.read(name))


def _remove_references(package: ZipPackage, name: str) -> bytes:
    root = package.parse_xml(name)
    for element in list(root.iter(*_REMOVED_TAGS)):
        element.getparent().remove(element)
    for element in root.iter(etree.Element):
        target = element.get(_XLINK_HREF)
        is_outside = target is not None and (":" in target or target.startswith(("/", "..")))
        if is_outside and element.tag not in _CLICKED_TAGS:
            del element.attrib[_XLINK_HREF]
    return _serialise(root)


def copy_rtf(path: Path, out: Path) -> None:
    """Copy an RTF text, with fields that refer to other files under names that no program knows."""
    out.write_bytes(_RTF_REFERENCES.sub(lambda reference: b"X" * len(reference[0]), read_limited_bytes(path)))


def _serialise(root: etree._Element) -> bytes:
    data: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return data
