"""Find the parts that the main part of an office file lists: the sheets of a workbook, the slides of a presentation."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from ingest.readers.zip_package import ZipPackage

_RELATIONSHIP_ID = "/relationships}id"  # the end of its name; the namespace differs between editions of the standard


def list_sheets(package: ZipPackage) -> Iterator[tuple[str, bool, str]]:
    """Yield the name of each sheet of a workbook, whether it is shown, and the name of its part."""
    for sheet, part in _list_parts(package, "xl/workbook.xml", "sheet"):
        yield sheet.get("name", ""), sheet.get("state", "visible") == "visible", part


def list_shown_slides(path: Path, max_part_bytes: int) -> list[bool]:
    """Return for each slide of a presentation whether it is shown."""
    with ZipPackage(path, max_part_bytes) as package:
        slides = [package.parse_xml(part) for _, part in _list_parts(package, "ppt/presentation.xml", "sldId")]
    return [slide.get("show") not in ("0", "false") for slide in slides]


def _list_parts(package: ZipPackage, main: str, tag: str) -> Iterator[tuple[etree._Element, str]]:
    """Yield each element of the main part that refers to a part, and the name of that part."""
    folder, file = posixpath.split(main)
    relationships = posixpath.join(folder, "_rels", f"{file}.rels")
    if not package.names.issuperset((main, relationships)):
        return
    targets = {item.get("Id", ""): item.get("Target", "") for item in package.parse_xml(relationships)}
    for element in package.parse_xml(main).iter(f"{{*}}{tag}"):
        id = next((value for name, value in element.items() if str(name).endswith(_RELATIONSHIP_ID)), "")
        part = posixpath.normpath(posixpath.join("/", folder, targets.get(id, ""))).lstrip("/")
        if part in package.names:
            yield element, part
