"""A thousand pages of generated documents, written for each run: PDF, DOCX and TXT."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from bench.stores import make_sentence

PDF_FILES, PAGES_PER_PDF, SENTENCES_PER_PAGE = 8, 115, 8
WORD_FILES, TEXT_FILES, PARAGRAPHS = 2, 2, 60


def write_documents(folder: Path, share: float = 1.0) -> Path:
    """Write about 1,000 pages at share 1 and return their folder. No sentence occurs twice."""
    folder.mkdir(parents=True)
    rng = random.Random(3)
    for number in range(PDF_FILES):
        _write_pdf(
            folder / f"report {number}.pdf", _make_paragraphs(rng, f"p{number}", max(int(PAGES_PER_PDF * share), 1))
        )
    for number in range(WORD_FILES):
        _write_docx(
            folder / f"policy {number}.docx", _make_paragraphs(rng, f"w{number}", max(int(PARAGRAPHS * share), 1))
        )
    for number in range(TEXT_FILES):
        paragraphs = _make_paragraphs(rng, f"t{number}", max(int(PARAGRAPHS * share), 1))
        (folder / f"note {number}.txt").write_text("\n\n".join(paragraphs), encoding="utf-8")
    return folder


def _make_paragraphs(rng: random.Random, name: str, count: int) -> Iterator[str]:
    for number in range(count):
        yield " ".join(make_sentence(rng, f"{name}.{number}.{s}") for s in range(SENTENCES_PER_PAGE))


def _write_pdf(path: Path, paragraphs: Iterator[str]) -> None:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

    style = getSampleStyleSheet()["BodyText"]
    SimpleDocTemplate(str(path)).build(
        [flowable for text in paragraphs for flowable in (Paragraph(text, style), PageBreak())]
    )


def _write_docx(path: Path, paragraphs: Iterator[str]) -> None:
    from docx import Document

    document = Document()
    for text in paragraphs:
        document.add_paragraph(text)
    document.save(str(path))
