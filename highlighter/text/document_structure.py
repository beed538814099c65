"""The tables of a document and the captions of its figures, as they are stored beside its text."""

from __future__ import annotations

from dataclasses import dataclass

from highlighter.text.document_tables import DocumentTables


@dataclass(frozen=True, slots=True)
class DocumentStructure:
    """The tables and figures of a document."""

    tables: DocumentTables = DocumentTables()
    figure_captions: tuple[tuple[int, int], ...] = ()  # the span of each

    def list_captions(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the captions of figures that a span overlaps."""
        return [caption for caption in self.figure_captions if caption[0] < end and start < caption[1]]
