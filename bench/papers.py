"""A thousand pages of plausible documents, written anew for each run: PDF, DOCX and TXT."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from bench.stores import plausible

PDF_FILES, PAGES_A_PDF, SENTENCES_A_PAGE = 8, 115, 8
WORD_FILES, TEXT_FILES, PARAGRAPHS = 2, 2, 60


def write(folder: Path, share: float = 1.0) -> Path:
    """About 1,000 pages at share 1; no sentence twice."""
    folder.mkdir(parents=True)
    drawn = random.Random(3)
    for number in range(PDF_FILES):
        _pdf(folder / f"report {number}.pdf", _paragraphs(drawn, f"p{number}", max(int(PAGES_A_PDF * share), 1)))
    for number in range(WORD_FILES):
        _docx(folder / f"policy {number}.docx", _paragraphs(drawn, f"w{number}", max(int(PARAGRAPHS * share), 1)))
    for number in range(TEXT_FILES):
        paragraphs = _paragraphs(drawn, f"t{number}", max(int(PARAGRAPHS * share), 1))
        (folder / f"note {number}.txt").write_text("\n\n".join(paragraphs), encoding="utf-8")
    return folder


def _paragraphs(drawn: random.Random, name: str, count: int) -> Iterator[str]:
    for number in range(count):
        yield " ".join(plausible(drawn, f"{name}.{number}.{s}") for s in range(SENTENCES_A_PAGE))


def _pdf(path: Path, paragraphs: Iterator[str]) -> None:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

    style = getSampleStyleSheet()["BodyText"]
    SimpleDocTemplate(str(path)).build([part for text in paragraphs for part in (Paragraph(text, style), PageBreak())])


def _docx(path: Path, paragraphs: Iterator[str]) -> None:
    from docx import Document

    document = Document()
    for text in paragraphs:
        document.add_paragraph(text)
    document.save(str(path))
