"""What is drawn: page pictures, how fast; annotated PDFs, whether another program shows their colour where the words are."""

from __future__ import annotations

import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from bench.place_words import paged_form
from bench.table import Row, p50_p99
from highlighter.errors import UnreadableFile
from highlighter.models import PIPELINE_VERSION, READY, Document
from highlighter.pages.display_coordinates import to_display_box
from highlighter.pages.page_characters import read_page_characters
from highlighter.pages.page_images import DEFAULT_WIDTH_PIXELS
from highlighter.pages.pdf_highlights import HIGHLIGHT_COLOURS, PdfHighlight, write_highlights
from highlighter.pages.rectangles import compute_rectangles
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.catalog import DocumentContents
from ingest.input_files import detect_kind
from ingest.preparation import PreparedDocument, prepare_document

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
COLOURED = 12  # sentences a file whose highlights are drawn


def pictures() -> Iterator[Row]:
    """A page as a picture, from a service's own store: drawn by a child that is up, and from the shelf."""
    with tempfile.TemporaryDirectory(prefix="highlighter-place-") as folder:
        services = Services(Settings(data_dir=Path(folder)))
        try:
            found = [_taken_in(path, services) for path in sorted(SAMPLES.glob("*.pdf"))]
            pages = [(document, page) for document in found for page in range(1, document.pages + 1)]
            services.page_renderer.start_drawing_process()
            cold, kept = [], []
            for taken in (cold, kept):
                for document, page in pages:
                    began = time.perf_counter()
                    services.page_renderer.draw_page(document, page, DEFAULT_WIDTH_PIXELS, "webp")
                    taken.append(time.perf_counter() - began)
        finally:
            services.close()
    what = f"a page as a picture, {DEFAULT_WIDTH_PIXELS} pixels wide ({len(pages)} pages; p50 / p99)"
    yield Row(what, p50_p99(kept), f"drawn anew {p50_p99(cold)}", "-", "-")


def _taken_in(path: Path, services: Services) -> Document:
    """Read and kept, but for its vectors: nothing is searched here."""
    with path.open("rb") as file:
        sha256, size = services.files.save_original(file)
    document = services.catalog.register_upload("bench", sha256, path.name, "pdf", size, {}, path.name).document
    work = services.files.create_work_folder()
    try:
        made: PreparedDocument = services.process_pool.run(
            prepare_document, path, "pdf", path.name, document.id, PIPELINE_VERSION, work
        )
    except UnreadableFile:  # the scan
        return document
    hashes = services.files.save_generated_folder(work, document.id, PIPELINE_VERSION)
    contents = DocumentContents(
        made.text, made.source_map, made.facts, made.chunks, made.sentences, made.page_labels, hashes
    )
    services.catalog.save_contents(document.id, contents, READY)
    return services.catalog.document(document.id)


def colours() -> Row:
    """Sentences of the samples highlighted in their PDFs and drawn by pdftoppm: is the colour where the words are?"""
    chance, right, wrong = random.Random(7), 0, 0
    with tempfile.TemporaryDirectory(prefix="highlighter-place-") as name:
        folder = Path(name)
        for number, path in enumerate(sorted(SAMPLES.glob("*.*"))):
            work = folder / str(number)
            work.mkdir()
            try:
                made = prepare_document(path, detect_kind(path), path.name, "bench", 1, work)
            except UnreadableFile:
                continue
            paged = paged_form(path, work)
            sentences = [sentence for _, sentence in made.sentences]
            for sentence in chance.sample(sentences, min(len(sentences), COLOURED)):
                good, bad = _coloured(paged, made, sentence, folder)
                right, wrong = right + good, wrong + bad
    share = f"{right / max(right + wrong, 1):.1%}"
    return Row("annotated PDFs drawn by pdftoppm: boxes of their colour", share, f"{right + wrong} boxes", "-", "100%")


def _coloured(path: Path, made: PreparedDocument, sentence, folder: Path) -> tuple[int, int]:
    """(boxes that show the highlight's colour between their letters, others)."""
    right = wrong = 0
    for page, raw in made.source_map.raw_spans_by_page(sentence.start, sentence.end).items():
        letters = read_page_characters(path, [page])[0]
        boxes = tuple(compute_rectangles(page, letters, raw))
        write_highlights(
            path, [PdfHighlight(page, boxes, (letters.left, letters.bottom), 3, "", "")], folder / "lit.pdf"
        )
        command = ["pdftoppm", "-cropbox", "-r", "144", "-f", str(page), "-l", str(page), "-singlefile", "-png"]
        subprocess.run([*command, folder / "lit.pdf", folder / "lit"], capture_output=True, check=True)
        picture = np.asarray(Image.open(folder / "lit.png").convert("RGB")).astype(int)
        lit = (np.abs(picture - [round(255 * part) for part in HIGHLIGHT_COLOURS[3]]) <= 6).all(axis=2)
        for box in boxes:
            x, y, width, height, _ = (2 * value for value in to_display_box(box, letters))
            inside = lit[round(y) + 1 : round(y + height) - 1, round(x) + 1 : round(x + width) - 1]
            if inside.mean() > 0.4:  # the rest is ink
                right += 1
            else:
                wrong += 1
    return right, wrong
