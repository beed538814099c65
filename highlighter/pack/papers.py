"""The cited documents as PDFs with the cited words highlighted, and the asker's own texts as they were given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from highlighter.access import Visible
from highlighter.errors import AlteredContent, HighlighterError
from highlighter.generation.keeping import Kept
from highlighter.models import READABLE, Citation, Document
from highlighter.pack.report import Given
from highlighter.pages.annotate import Note
from highlighter.pages.paper import Paper
from highlighter.store.catalog import Catalog
from highlighter.store.checked_files import checked_paged
from highlighter.store.files import Files
from highlighter.viewer.render import strength

DELETED = "It was deleted after the answer was given."
NOT_HERE = "Its PDF is not here."


@dataclass(frozen=True, slots=True)
class Sheet:
    """One cited document of the pack. Without content there is no file, and `given.why` says why."""

    given: Given
    sources: tuple[int, ...]  # indexes into the answer's sources
    content: Path | bytes | None
    document_id: str = ""


class Papers:
    def __init__(self, catalog: Catalog, files: Files, paper: Paper):
        self.catalog, self.files, self.paper = catalog, files, paper

    def sheets(self, kept: Kept, visible: Visible) -> Iterator[Sheet]:
        """In the order in which they are first cited."""
        cited: dict[str, list[int]] = {}
        for one in kept.answer.citations:
            at = one.source
            cited.setdefault(one.document_id or f"own {at}", []).append(at)
        for number, (key, sources) in enumerate(cited.items(), 1):
            found = tuple(dict.fromkeys(sources))
            own = not kept.answer.sources[found[0]].document_id
            yield self._own(kept, number, found) if own else self._document(kept, number, key, found, visible)

    def _own(self, kept: Kept, number: int, sources: tuple[int, ...]) -> Sheet:
        source = kept.answer.sources[sources[0]]
        given = Given(source.filename, "", f"texts/{_safe(number, source.filename)}.txt")
        return Sheet(given, sources, source.text.encode("utf-8", "replace"))

    def _document(self, kept: Kept, number: int, id: str, sources: tuple[int, ...], visible: Visible) -> Sheet:
        kept_as = next(one for one in kept.record.documents if one.document_id == id)
        name = kept.answer.sources[sources[0]].filename or f"Document {id}"
        document = self.catalog.document(id, visible)
        if document is None or document.leaving or document.state not in READABLE:
            return Sheet(Given(name, kept_as.sha256, "", DELETED), sources, None, id)
        why, path = self._lit(kept, document)
        file = f"documents/{_safe(number, Path(name).stem)}.pdf" if path else ""
        return Sheet(Given(name, kept_as.sha256, file, why), sources, path, id)

    def _lit(self, kept: Kept, document: Document) -> tuple[str, Path | None]:
        """Why less than all could be done, and the file."""
        read, notes, why = document, [], ""
        for (start, end), numbers in _spans(kept, document.id).items():
            first = kept.answer.citations[numbers[0] - 1]
            read = replace(document, pipeline=first.chunk[0]) if first.chunk else document
            try:
                notes += self._notes(kept, read, first, start, end, numbers)
            except HighlighterError as err:
                why = f"Not everything is highlighted in it. {err.detail}"
        try:
            plain = checked_paged(self.catalog, self.files, read)
        except AlteredContent as err:
            return err.detail, None
        with suppress(HighlighterError):
            path = self.paper.lit_pdf(read, plain, notes) if notes else plain
            return (why, path) if path.is_file() else (NOT_HERE, None)
        return (f"Nothing is highlighted in it. {why}".strip(), plain) if plain.is_file() else (NOT_HERE, None)

    def _notes(
        self, kept: Kept, read: Document, citation: Citation, start: int, end: int, numbers: list[int]
    ) -> Iterator[Note]:
        boxes = self.paper.rectangles(read, start, end)
        said = f"Cited by {'notes' if len(numbers) > 1 else 'note'} {', '.join(map(str, numbers))}"
        asked = f" for: {citation.sub_question}" if citation.sub_question else ""
        for page in dict.fromkeys(box.page for box in boxes):
            letters = self.paper.page_letters(read, page)
            here = tuple(box for box in boxes if box.page == page)
            name = f"{kept.answer.id}-{numbers[0]}-{page}"
            origin = (letters.left, letters.bottom)
            yield Note(page, here, origin, strength(citation.probability), f"{said}{asked}", name)


def _spans(kept: Kept, document_id: str) -> dict[tuple[int, int], list[int]]:
    """What is cited of a document, each span once, with the numbers of its notes."""
    spans: dict[tuple[int, int], list[int]] = {}
    for number, one in enumerate(kept.answer.citations, 1):
        if one.document_id == document_id and one.quote_start < one.quote_end:
            spans.setdefault((one.quote_start, one.quote_end), []).append(number)
    return spans


def _safe(number: int, name: str) -> str:
    """A file's name that every system takes; the number keeps two of the same name apart."""
    plain = re.sub(r"[^\w.]+", "-", name).strip("-.")
    return f"{number}-{plain[:60] or 'unnamed'}"
