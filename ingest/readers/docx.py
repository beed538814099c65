"""Read Word files into the canonical form. Their layout is not kept; the pages are typeset later.

As in a PDF, the text is the body of the pages: headers and footers, comments, and descriptions of pictures for people
who cannot see them are not part of it.

Word's XML is read directly: python-docx supports neither notes, text boxes, deleted runs nor strict files.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from lxml import etree

from highlighter.locale import N_
from ingest.readers.docx_body import BodyReader
from ingest.readers.docx_numbering import Numbering
from ingest.readers.docx_package import DocxPackage, damaged_error, w
from ingest.readers.docx_styles import DocxStyles
from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.left_out_notes import describe_comments, describe_headers_footers
from ingest.readers.text_blocks import HIDDEN_KINDS, MAX_CHARACTERS, NOTE, ExtractedBlock, build_document

_HEADER_FOOTER_KINDS = ("header", "footer")
# "3", "- 3 -", "Page 3 of 9", "Seite 3", "第 3 頁，共 9 頁"
_PAGE_NUMBER = re.compile(
    r"(?:[\W\d_]|\b(?:[ivxlc]+|pages?|of|seite|von|sur|p[aá]gina|di|de)\b|[第共頁页])*", re.IGNORECASE
)


def read(path: Path, max_characters: int = MAX_CHARACTERS) -> ExtractedDocument:
    """Read a Word file into its canonical text."""
    with DocxPackage(path) as package:
        main_part = package.part(package.main)
        body_element = main_part.find(w("body")) if main_part is not None else None
        if body_element is None:
            raise damaged_error(N_("The Word file contains no document"))
        body_reader = BodyReader(
            DocxStyles(package.related_part("styles")), Numbering(package.related_part("numbering"))
        )
        blocks = list(body_reader.read_blocks(body_element))
        blocks += _read_notes(
            body_reader, body_reader.notes.footnotes, package.related_part("footnotes"), w("footnote")
        )
        blocks += _read_notes(body_reader, body_reader.notes.endnotes, package.related_part("endnotes"), w("endnote"))
        comments = _describe_comments(package.related_part("comments"))
        headers_footers = describe_headers_footers(_list_header_footer_texts(package))
        has_pictures = package.has_pictures()
    document = build_document(blocks, has_pictures=has_pictures, max_characters=max_characters)
    warnings = (
        (N_("The document refers to other files, which were not read."),) if body_reader.has_included_files else ()
    )
    formulas = _describe_formulas(body_reader.formulas)
    return replace(document, warnings=warnings, notes=(*headers_footers, *comments, *formulas))


def _describe_formulas(count: int) -> tuple[str, ...]:
    """Return a note about the number of formulas, whose text is not as they are printed."""
    if not count:
        return ()
    return (
        N_("1 formula is written as one line of text.")
        if count == 1
        else N_("{count} formulas are written as lines of text.", count=count),
    )


def _describe_comments(root: etree._Element | None) -> tuple[str, ...]:
    """Return a note about the number of comments. Comments are not what the text says, but worth knowing about."""
    count = sum(1 for comment in root.iter(w("comment")) if any(comment.itertext())) if root is not None else 0
    return describe_comments(count)


def _list_header_footer_texts(package: DocxPackage) -> list[str]:
    """Return what headers and footers say, but for page numbers."""
    texts: list[str] = []
    for relationship in package.relationships(package.main):
        root = package.part(relationship.target) if relationship.kind in _HEADER_FOOTER_KINDS else None
        if root is not None:
            reader = BodyReader(DocxStyles(None), Numbering(None))
            texts += [
                block.text
                for block in reader.read_blocks(root)
                if block.kind not in HIDDEN_KINDS and not _PAGE_NUMBER.fullmatch(block.text)
            ]
    return texts


def _read_notes(body: BodyReader, marks: dict[str, str], root: etree._Element | None, tag: str) -> list[ExtractedBlock]:
    """Return the notes that the text refers to, each after its mark."""
    if root is None or not marks:
        return []
    by_id = {note.get(w("id"), ""): note for note in root.iter(tag)}
    notes = []
    for key, mark in list(marks.items()):
        note_blocks = list(body.read_blocks(by_id[key])) if key in by_id else []
        text = " ".join(block.text for block in note_blocks if block.kind not in HIDDEN_KINDS)
        if text:
            notes.append(ExtractedBlock(NOTE, f"{mark} {' '.join(text.split())}"))
        notes += [block for block in note_blocks if block.kind in HIDDEN_KINDS]
    return notes
