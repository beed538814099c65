"""The drawing of pages: how fast pictures are, and whether another program shows highlights where the words are."""

from __future__ import annotations

import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from bench.rectangle_accuracy import find_paged_pdf
from bench.table import Row, format_p50_p99
from highlighter.errors import UnreadableFile
from highlighter.models import PIPELINE_VERSION, READY, Document, Sentence
from highlighter.pages.display_coordinates import to_display_box
from highlighter.pages.page_characters import read_page_characters
from highlighter.pages.page_images import DEFAULT_WIDTH_PIXELS
from highlighter.pages.pdf_highlights import HIGHLIGHT_COLOURS, PdfHighlight, write_highlights
from highlighter.pages.rectangles import compute_rectangles
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.catalog import DocumentContents, ReadingOutcome
from ingest.file_kinds import detect_kind
from ingest.preparation import PreparedDocument, SourceFile, prepare_document

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
MAX_HIGHLIGHTS = 12  # sentences of a file whose highlights are drawn


def time_pictures() -> Iterator[Row]:
    """Measure drawing pages as pictures by a running child process, and reading them from the cache."""
    with tempfile.TemporaryDirectory(prefix="highlighter-place-") as folder:
        services = Services(Settings(data_dir=Path(folder)))
        try:
            documents = [_ingest_without_vectors(path, services) for path in sorted(SAMPLES.glob("*.pdf"))]
            pages = [(document, page) for document in documents for page in range(1, document.pages + 1)]
            services.page_renderer.start_drawing_process()
            uncached: list[float] = []
            cached: list[float] = []
            for seconds in (uncached, cached):
                for document, page in pages:
                    start = time.perf_counter()
                    services.page_renderer.draw_page(document, page, DEFAULT_WIDTH_PIXELS, "webp")
                    seconds.append(time.perf_counter() - start)
        finally:
            services.close()
    row_name = f"a page as a picture, {DEFAULT_WIDTH_PIXELS} pixels wide ({len(pages)} pages; p50 / p99)"
    yield Row(row_name, format_p50_p99(cached), f"drawn anew {format_p50_p99(uncached)}", "-", "-")


def _ingest_without_vectors(path: Path, services: Services) -> Document:
    """Store a document without its vectors, which drawing does not need."""
    with path.open("rb") as file:
        sha256, size = services.files.save_original(file)
    document = services.catalog.register_upload("bench", sha256, path.name, "pdf", size, {}, path.name).document
    work_folder = services.files.create_work_folder()
    try:
        prepared: PreparedDocument = services.process_pool.run(
            prepare_document, SourceFile(path, "pdf", path.name), document.id, PIPELINE_VERSION, work_folder
        )
    except UnreadableFile:  # the scan
        return document
    hashes = services.files.save_generated_folder(work_folder, document.id, PIPELINE_VERSION)
    contents = DocumentContents(
        prepared.text,
        prepared.source_map,
        prepared.facts,
        prepared.chunks,
        prepared.sentences,
        prepared.page_labels,
        hashes,
    )
    services.catalog.save_contents(document.id, contents, ReadingOutcome(READY))
    stored = services.catalog.document(document.id)
    assert stored is not None
    return stored


def check_colours() -> Row:
    """Check that pdftoppm shows the highlights' colour at the words of the samples' sentences."""
    rng, right_count, wrong_count = random.Random(7), 0, 0
    with tempfile.TemporaryDirectory(prefix="highlighter-place-") as name:
        folder = Path(name)
        for number, path in enumerate(sorted(SAMPLES.glob("*.*"))):
            work_folder = folder / str(number)
            work_folder.mkdir()
            try:
                prepared = prepare_document(
                    SourceFile(path, detect_kind(path, path.name), path.name), "bench", 1, work_folder
                )
            except UnreadableFile:
                continue
            paged = find_paged_pdf(path, work_folder)
            sentences = [sentence for _, sentence in prepared.sentences]
            for sentence in rng.sample(sentences, min(len(sentences), MAX_HIGHLIGHTS)):
                right, wrong = _check_boxes(paged, prepared, sentence, folder)
                right_count, wrong_count = right_count + right, wrong_count + wrong
    share = f"{right_count / max(right_count + wrong_count, 1):.1%}"
    return Row(
        "annotated PDFs drawn by pdftoppm: boxes of their colour",
        share,
        f"{right_count + wrong_count} boxes",
        "-",
        "100%",
    )


def _check_boxes(path: Path, prepared: PreparedDocument, sentence: Sentence, folder: Path) -> tuple[int, int]:
    """Return the numbers of boxes with and without the highlight's colour between their letters."""
    right_count = wrong_count = 0
    for page, raw_spans in prepared.source_map.raw_spans_by_page(sentence.start, sentence.end).items():
        characters = read_page_characters(path, [page])[0]
        assert characters is not None, f"page {page} of {path} cannot be opened"
        boxes = tuple(compute_rectangles(page, characters, raw_spans))
        write_highlights(
            path,
            [PdfHighlight(page, boxes, (characters.left, characters.bottom), 3, "", "")],
            folder / "highlighted.pdf",
        )
        command = ["pdftoppm", "-cropbox", "-r", "144", "-f", str(page), "-l", str(page), "-singlefile", "-png"]
        subprocess.run([*command, folder / "highlighted.pdf", folder / "highlighted"], capture_output=True, check=True)
        picture = np.asarray(Image.open(folder / "highlighted.png").convert("RGB")).astype(int)
        has_colour = (np.abs(picture - [round(255 * channel) for channel in HIGHLIGHT_COLOURS[3]]) <= 6).all(axis=2)
        for box in boxes:
            x, y, width, height, _ = (2 * value for value in to_display_box(box, characters))
            inside = has_colour[round(y) + 1 : round(y + height) - 1, round(x) + 1 : round(x + width) - 1]
            if inside.mean() > 0.4:  # the rest is ink
                right_count += 1
            else:
                wrong_count += 1
    return right_count, wrong_count
