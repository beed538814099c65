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

from highlighter.errors import Unreadable
from highlighter.locale import N_
from highlighter.models import EMPTY, NO_TEXT
from highlighter.store.source_map import SourceMap
from ingest.readers.docx_body import DELETED, HEADING, HIDDEN, ITEM, Block, Body
from ingest.readers.docx_names import w
from ingest.readers.docx_numbering import Numbering
from ingest.readers.docx_package import Package, damaged, too_large
from ingest.readers.docx_styles import Styles
from ingest.readers.reading import Heading, Hidden, Reading

MAX_CHARACTERS = 10_000_000
_NOTE = "note"


def read(path: Path, max_characters: int = MAX_CHARACTERS) -> Reading:
    with Package(path) as package:
        document = package.part(package.main)
        content = document.find(w("body")) if document is not None else None
        if content is None:
            raise damaged(N_("It has no document in it"))
        body = Body(Styles(package.related("styles")), Numbering(package.related("numbering")))
        found = list(body.blocks(content))
        found += _notes(body, body.notes.foot, package.related("footnotes"), w("footnote"))
        found += _notes(body, body.notes.end, package.related("endnotes"), w("endnote"))
        comments = _comments(package.related("comments"))
        pictures = package.has_pictures()
    if not found:
        raise Unreadable(NO_TEXT, "It holds pictures but no text.") if pictures else Unreadable(EMPTY, "It is empty.")
    if sum(len(block.text) for block in found) > max_characters:
        raise too_large()
    warnings = (
        (N_("It includes other files by reference, and those were not read."),) if body.includes_other_files else ()
    )
    return replace(_reading(found), warnings=warnings, notes=comments)


def _comments(root: etree._Element | None) -> tuple[str, ...]:
    """What somebody wrote beside the text is not what the text says; that there is such a thing is worth knowing."""
    count = sum(1 for one in root.iter(w("comment")) if any(one.itertext())) if root is not None else 0
    if not count:
        return ()
    return (
        N_("1 comment in its margin was left out.")
        if count == 1
        else N_(f"{count} comments in its margin were left out."),
    )


def _notes(body: Body, marks: dict[str, str], root: etree._Element | None, tag: str) -> list[Block]:
    """Each note that the text refers to, behind its mark."""
    if root is None or not marks:
        return []
    by_id = {note.get(w("id"), ""): note for note in root.iter(tag)}
    notes = []
    for key, mark in list(marks.items()):
        inside = list(body.blocks(by_id[key])) if key in by_id else []
        words = " ".join(block.text for block in inside if block.kind not in (DELETED, HIDDEN))
        if words:
            notes.append(Block(_NOTE, f"{mark} {' '.join(words.split())}"))
        notes += [block for block in inside if block.kind in (DELETED, HIDDEN)]
    return notes


def _reading(found: list[Block]) -> Reading:
    """What nobody sees comes last, where it parts no visible sentence."""
    parts: list[str] = []
    headings, hidden, heads, at = [], [], [], 0
    for block in _grouped(found):
        end = at + len(block.text)
        if block.kind == HEADING:
            headings.append(Heading(at, end, block.level))
        elif block.kind in (DELETED, HIDDEN):
            hidden.append(Hidden(at, end, block.kind))
        elif block.head:
            heads.append((at, at + block.head))
        parts.append(block.text)
        at = end + 2
    return Reading("\n\n".join(parts), SourceMap(), (), tuple(headings), tuple(hidden), table_heads=tuple(heads))


def _grouped(found: Iterable[Block]) -> Iterator[Block]:
    """Items that follow each other are one list, notes one block; hidden blocks are put off to the end."""
    late: list[Block] = []
    together: list[Block] = []
    for block in found:
        if block.kind in (DELETED, HIDDEN):
            late.append(block)
            continue
        if together and block.kind != together[0].kind:
            yield _joined(together)
            together = []
        if block.kind in (ITEM, _NOTE):
            together.append(block)
        else:
            yield block
    if together:
        yield _joined(together)
    yield from late


def _joined(blocks: list[Block]) -> Block:
    return Block(blocks[0].kind, "\n".join(block.text for block in blocks))
