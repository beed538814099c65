"""Ingestion of a thousand pages, compared with SentenceTransformer.encode on the same sentences."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from bench import generated_documents
from bench.process_usage import run_monitored
from bench.table import Row
from highlighter.services import Services
from highlighter.settings import Settings

# The baseline: the library's own encode, fp32, its own batches. Both sides start Python and load the model.
_ENCODE = """
import json, sys
from sentence_transformers import SentenceTransformer
from highlighter.embedding.bundled_model import find_original_model
model = SentenceTransformer(str(find_original_model()), device="cpu")
model.encode(json.load(open(sys.argv[1])), normalize_embeddings=True, show_progress_bar=False)
"""


def rows(folder: Path, share: float = 1.0) -> list[Row]:
    data = folder / "ingested"
    documents_folder = generated_documents.write_documents(folder / "papers", share)
    ingestion = run_monitored([sys.executable, "-m", "ingest", "--quiet", str(documents_folder)], DATA_DIR=str(data))
    pages, sentences = _read_ingested(data, folder / "sentences.json")
    encoding = run_monitored([sys.executable, "-c", _ENCODE, str(folder / "sentences.json")])
    return [
        Row(
            f"ingestion of {pages:,} pages, {sentences:,} sentences",
            f"{ingestion.seconds:.1f} s",
            f"SentenceTransformer.encode {encoding.seconds:.1f} s",
            f"{ingestion.seconds / encoding.seconds:.2f}x",
            "≤ 1.3x",
        ),
        Row(
            "... peak memory",
            f"parent {ingestion.parent_mb:.0f} MB, a child {ingestion.largest_child_mb:.0f} MB, together {ingestion.together_mb:.0f} MB",
            f"encode alone {encoding.parent_mb:.0f} MB",
            f"{ingestion.together_mb / encoding.parent_mb:.2f}x",
            "-",
        ),
        *_measure_disk(data, pages),
    ]


def _read_ingested(data: Path, sentences_file: Path) -> tuple[int, int]:
    services = Services(Settings(data_dir=data))
    documents = services.catalog.documents()
    texts = [text for document in documents for text in services.catalog.sentence_texts(document)]
    services.close()
    sentences_file.write_text(json.dumps(texts))
    return sum(document.pages for document in documents), len(texts)


def _measure_disk(data: Path, pages: int) -> Iterable[Row]:
    kinds = {
        "originals": data.glob("files/originals/*/*"),
        "chunk PDFs": data.glob("files/documents/*/*/*/chunks/*.pdf"),
        "typeset PDFs": data.glob("files/documents/*/*/*/typeset.pdf"),
        "catalog (text, sentences, vectors)": data.glob("catalog.sqlite*"),
        "index": data.glob("index/**/*"),
    }
    sizes = {kind: _sum_bytes(paths) for kind, paths in kinds.items()}
    total_bytes = _sum_bytes(data.rglob("*"))
    size_by_kind = ", ".join(f"{kind} {size / pages / 1024:.1f}" for kind, size in sizes.items())
    yield Row(
        "... kB on disk a page",
        f"{total_bytes / pages / 1024:.1f}",
        size_by_kind,
        f"{total_bytes / sizes['originals']:.1f}x originals",
        "-",
    )


def _sum_bytes(paths: Iterable[Path]) -> int:
    """Return the bytes on disk: a file with several names counts once."""
    return sum({(s.st_dev, s.st_ino): s.st_blocks * 512 for s in (p.stat() for p in paths if p.is_file())}.values())
