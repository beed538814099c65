"""Read the sheets of a workbook from the page that LibreOffice makes of it: each a heading and a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lxml import etree

from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.html import decode_html, parse_html
from ingest.readers.html_blocks import read_blocks
from ingest.readers.left_out_notes import describe_cell_comments
from ingest.readers.text_blocks import build_document, read_limited_bytes


def read(path: Path) -> ExtractedDocument:
    """Read the sheets into a canonical text."""
    text, _ = decode_html(read_limited_bytes(path))
    root = parse_html(text)
    if root is None:
        return build_document([])
    _remove_overview(root)
    _shorten_headings(root)
    comment_count = _remove_comments(root)
    return replace(build_document(read_blocks(root)), notes=describe_cell_comments(comment_count))


def _remove_overview(root: etree._Element) -> None:
    """Remove the list of sheets, which stands before the first sheet of several."""
    first_sheet = next((anchor for anchor in root.iter("a") if anchor.get("name") == "table0"), None)
    if first_sheet is not None:
        parent = first_sheet.getparent()
        for element in list(parent)[: parent.index(first_sheet)]:
            parent.remove(element)


def _remove_comments(root: etree._Element) -> int:
    """Remove the comments of cells, which stand before their text, and return how many there are."""
    comments = list(root.iter("comment"))
    for comment in comments:
        tail = comment.tail
        comment.clear()
        comment.tail = tail
    return len(comments)


def _shorten_headings(root: etree._Element) -> None:
    """Leave the name of the sheet in its heading, without a number in the language of the program."""
    for heading in list(root.iter("h1")):
        name = heading.find("em")
        if name is not None:
            heading.text = None
            name.tail = None
