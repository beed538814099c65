"""Reads Word files into the canonical form. What they look like in Word is not kept; our own pages are typeset later.

As from a PDF, the text is what stands on the paper between head and foot: running heads and feet, comments, and the
descriptions of pictures for those who cannot see them are no part of it.

Word's XML is read directly: python-docx knows neither notes, text boxes, deleted runs nor strict files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from lxml import etree

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import EMPTY, NO_TEXT
from highlighter.store.source_map import SourceMap
from ingest.readers.docx_body import DELETED, HEADING, HIDDEN, LIST_ITEM, BodyReader, DocxBlock
from ingest.readers.docx_numbering import Numbering
from ingest.readers.docx_package import DocxPackage, damaged_error, too_large_error, w
from ingest.readers.docx_styles import DocxStyles
from ingest.readers.extracted_document import ExtractedDocument, Heading, HiddenSpan

MAX_CHARACTERS = 10_000_000
_NOTE_KIND = "note"


def read(path: Path, max_characters: int = MAX_CHARACTERS) -> ExtractedDocument:
    with DocxPackage(path) as package:
        document = package.part(package.main)
        content = document.find(w("body")) if document is not None else None
        if content is None:
            raise damaged_error(N_("The Word file contains no document"))
        body = BodyReader(DocxStyles(package.related_part("styles")), Numbering(package.related_part("numbering")))
        found = list(body.read_blocks(content))
        found += _read_notes(body, body.notes.footnotes, package.related_part("footnotes"), w("footnote"))
        found += _read_notes(body, body.notes.endnotes, package.related_part("endnotes"), w("endnote"))
        comments = _describe_comments(package.related_part("comments"))
        pictures = package.has_pictures()
    if not found:
        raise (
            UnreadableFile(NO_TEXT, "The document contains images but no text.")
            if pictures
            else UnreadableFile(EMPTY, "The document is empty.")
        )
    if sum(len(block.text) for block in found) > max_characters:
        raise too_large_error()
    warnings = (N_("The document refers to other files, which were not read."),) if body.has_included_files else ()
    return replace(_build_document(found), warnings=warnings, notes=comments)


def _describe_comments(root: etree._Element | None) -> tuple[str, ...]:
    """What somebody wrote beside the text is not what the text says; that there is such a thing is worth knowing."""
    count = sum(1 for one in root.iter(w("comment")) if any(one.itertext())) if root is not None else 0
    if not count:
        return ()
    return (N_("1 margin comment was left out.") if count == 1 else N_(f"{count} margin comments were left out."),)


def _read_notes(body: BodyReader, marks: dict[str, str], root: etree._Element | None, tag: str) -> list[DocxBlock]:
    """Each note that the text refers to, behind its mark."""
    if root is None or not marks:
        return []
    by_id = {note.get(w("id"), ""): note for note in root.iter(tag)}
    notes = []
    for key, mark in list(marks.items()):
        inside = list(body.read_blocks(by_id[key])) if key in by_id else []
        words = " ".join(block.text for block in inside if block.kind not in (DELETED, HIDDEN))
        if words:
            notes.append(DocxBlock(_NOTE_KIND, f"{mark} {' '.join(words.split())}"))
        notes += [block for block in inside if block.kind in (DELETED, HIDDEN)]
    return notes


def _build_document(found: list[DocxBlock]) -> ExtractedDocument:
    """What nobody sees comes last, where it parts no visible sentence."""
    parts: list[str] = []
    headings, hidden, heads, at = [], [], [], 0
    for block in _group_blocks(found):
        end = at + len(block.text)
        if block.kind == HEADING:
            headings.append(Heading(at, end, block.level))
        elif block.kind in (DELETED, HIDDEN):
            hidden.append(HiddenSpan(at, end, block.kind))
        elif block.header_characters:
            heads.append((at, at + block.header_characters))
        parts.append(block.text)
        at = end + 2
    return ExtractedDocument(
        "\n\n".join(parts), SourceMap(), (), tuple(headings), tuple(hidden), table_headers=tuple(heads)
    )


def _group_blocks(found: Iterable[DocxBlock]) -> Iterator[DocxBlock]:
    """Items that follow each other are one list, notes one block; hidden blocks are put off to the end."""
    late: list[DocxBlock] = []
    together: list[DocxBlock] = []
    for block in found:
        if block.kind in (DELETED, HIDDEN):
            late.append(block)
            continue
        if together and block.kind != together[0].kind:
            yield _join_blocks(together)
            together = []
        if block.kind in (LIST_ITEM, _NOTE_KIND):
            together.append(block)
        else:
            yield block
    if together:
        yield _join_blocks(together)
    yield from late


def _join_blocks(blocks: list[DocxBlock]) -> DocxBlock:
    return DocxBlock(blocks[0].kind, "\n".join(block.text for block in blocks))
