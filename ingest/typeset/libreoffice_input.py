"""Write a copy of a Word file with only what is drawn: nothing that runs or is fetched, no tracked changes.

The copy shows what the reader takes as text: results of fields as they are, insertions included, deletions removed.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from lxml import etree

from ingest.readers.docx_package import DocxPackage, Relationship, is_switched_on, w

_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_DRAWING_TYPE = "application/vnd.openxmlformats-officedocument.drawingml"
_MAIN_TYPE = f"{_WORD_TYPE}.document.main+xml"
# All other relationships of a part (macros, embedded files, controls, fonts, templates, comments) are left out.
_DRAWN_TYPES = {
    name: f"{_WORD_TYPE}.{name}+xml" for name in "styles numbering settings footnotes endnotes header footer".split()
} | {
    "theme": "application/vnd.openxmlformats-officedocument.theme+xml",
    "chart": f"{_DRAWING_TYPE}.chart+xml",
    "diagramData": f"{_DRAWING_TYPE}.diagramData+xml",
    "diagramLayout": f"{_DRAWING_TYPE}.diagramLayout+xml",
    "diagramQuickStyle": f"{_DRAWING_TYPE}.diagramStyle+xml",
    "diagramColors": f"{_DRAWING_TYPE}.diagramColors+xml",
    "diagramDrawing": "application/vnd.ms-office.drawingml.diagramDrawing+xml",
}
_LINK_SCHEMES = ("http:", "https:", "mailto:")
# By first bytes, because a picture's name can lie and the converter goes by the bytes.
_PICTURE_TYPES = {
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"BM": "image/bmp",
    b"II*\0": "image/tiff",
    b"MM\0*": "image/tiff",
    b"\xd7\xcd\xc6\x9a": "image/x-wmf",
    b"\x01\0\x09\0": "image/x-wmf",
}
_EMF_MAGIC = (b" EMF", 40)  # and its offset

_DROPPED_TAGS = frozenset(
    w(name)
    for name in (
        "del moveFrom rPrChange pPrChange tblPrChange trPrChange tcPrChange sectPrChange tblGridChange numberingChange "
        "commentRangeStart commentRangeEnd commentReference altChunk subDoc control movie "
        "attachedTemplate mailMerge docVars trackRevisions documentProtection"
    ).split()
) | {"{urn:schemas-microsoft-com:office:office}OLEObject"}
_UNWRAPPED_TAGS = frozenset(w(name) for name in ("ins", "moveTo", "sdt", "sdtContent", "customXml", "smartTag"))
_PROPERTY_TAGS = frozenset(w(name) for name in ("sdtPr", "sdtEndPr", "customXmlPr", "smartTagPr"))
# Attributes by which a picture may refer to a file.
_REFERENCE_ATTRIBUTES = frozenset(
    (
        "src",
        "href",
        "{urn:schemas-microsoft-com:office:office}href",
        "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}link",
        "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}href",
    )
)
_COUNTED_FIELDS = frozenset(
    ("PAGE", "NUMPAGES", "SECTIONPAGES")
)  # fields of headers and footers that must be computed again

_CONTENT_TYPES_NAMESPACE = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONSHIPS_NAMESPACE = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE_NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def write_drawable_copy(path: Path, out: Path) -> None:
    """Write the copy."""
    with DocxPackage(path) as package, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        copy.writestr(
            "_rels/.rels",
            _format_relationships([Relationship("r1", f"{_OFFICE_NAMESPACE}/officeDocument", package.main, False)]),
        )
        types = {package.main: _MAIN_TYPE}
        waiting = [package.main]
        while waiting:
            name = waiting.pop()
            is_xml = types[name].endswith("xml")
            copy.writestr(name, _clean_part(package.part(name)) if is_xml else package.part_bytes(name))
            links = [link for link in package.relationships(name) if is_xml and _is_kept(package, link)]
            for link in links:
                if not link.is_external and link.target not in types:
                    types[link.target] = _get_content_type(package, link)
                    waiting.append(link.target)
            if links:
                folder, file = posixpath.split(name)
                copy.writestr(posixpath.join(folder, "_rels", f"{file}.rels"), _format_relationships(links))
        copy.writestr("[Content_Types].xml", _format_content_types(types))


def _is_kept(package: DocxPackage, link: Relationship) -> bool:
    """Return whether a relationship is kept: parts that are drawn, and addresses that a user may click."""
    if link.is_external:
        return link.kind == "hyperlink" and link.target.lower().startswith(_LINK_SCHEMES)
    return bool(_get_content_type(package, link))


def _get_content_type(package: DocxPackage, link: Relationship) -> str:
    """Return the content type of a part; "" when it is not drawn."""
    if not package.has_part(link.target):
        return ""
    if link.kind != "image":
        return _DRAWN_TYPES.get(link.kind, "")
    data = package.part_bytes(link.target)
    mark, offset = _EMF_MAGIC
    if data[offset : offset + len(mark)] == mark:
        return "image/x-emf"
    return next((kind for start, kind in _PICTURE_TYPES.items() if data.startswith(start)), "")


def _clean_part(root: etree._Element) -> bytes:
    for row in list(root.iter(w("tr"))):
        if is_switched_on(row.find(w("trPr")), "del") is not None:
            row.getparent().remove(row)
    _replace_fields(root, keep_counted=root.tag in (w("hdr"), w("ftr")))
    for element in list(root.iter(etree.Element)):
        if element.tag in _DROPPED_TAGS or element.tag in _PROPERTY_TAGS:
            element.getparent().remove(element)
        elif element.tag in _UNWRAPPED_TAGS and element.getparent() is not None:
            _unwrap(element)
        for attribute in _REFERENCE_ATTRIBUTES.intersection(element.keys()):
            del element.attrib[attribute]
    return _serialise(root)


def _replace_fields(root: etree._Element, *, keep_counted: bool) -> None:
    """Replace each field by its result, as the reader reads it; page numbers in headers and footers stay fields."""
    for simple in list(root.iter(w("fldSimple"))):
        if not (keep_counted and _is_counted_field(simple.get(w("instr"), ""))):
            _unwrap(simple)
    for steps in list(_iterate_fields(root)):
        instruction = "".join(step.text or "" for step in steps if step.tag == w("instrText"))
        if not (keep_counted and _is_counted_field(instruction)):
            for step in steps:
                step.getparent().remove(step)


def _iterate_fields(root: etree._Element) -> Iterator[list[etree._Element]]:
    """Yield the marks and instructions of each field, inner fields before outer ones."""
    open_fields: list[list[etree._Element]] = []
    for element in root.iter(w("fldChar"), w("instrText"), w("delInstrText")):
        kind = element.get(w("fldCharType"))
        if kind == "begin":
            open_fields.append([])
        if not open_fields:
            yield [element]
            continue
        open_fields[-1].append(element)
        if kind == "end":
            yield open_fields.pop()
    yield from open_fields


def _is_counted_field(instruction: str) -> bool:
    return instruction.strip().partition(" ")[0].upper() in _COUNTED_FIELDS


def _unwrap(element: etree._Element) -> None:
    parent = element.getparent()
    index = parent.index(element)
    parent[index : index + 1] = list(element)


def _serialise(root: etree._Element) -> bytes:
    data: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return data


def _format_relationships(links: Iterable[Relationship]) -> bytes:
    root = etree.Element(f"{{{_RELATIONSHIPS_NAMESPACE}}}Relationships", nsmap={None: _RELATIONSHIPS_NAMESPACE})
    for link in links:
        target = link.target if link.is_external else f"/{link.target}"
        element = etree.SubElement(
            root, f"{{{_RELATIONSHIPS_NAMESPACE}}}Relationship", Id=link.id, Type=link.type, Target=target
        )
        if link.is_external:
            element.set("TargetMode", "External")
    return _serialise(root)


def _format_content_types(types: dict[str, str]) -> bytes:
    root = etree.Element(f"{{{_CONTENT_TYPES_NAMESPACE}}}Types", nsmap={None: _CONTENT_TYPES_NAMESPACE})
    etree.SubElement(
        root,
        f"{{{_CONTENT_TYPES_NAMESPACE}}}Default",
        Extension="rels",
        ContentType="application/vnd.openxmlformats-package.relationships+xml",
    )
    for name, kind in types.items():
        etree.SubElement(root, f"{{{_CONTENT_TYPES_NAMESPACE}}}Override", PartName=f"/{name}", ContentType=kind)
    return _serialise(root)
