"""Taking a thousand pages in, whole, against nothing but SentenceTransformer.encode on the same sentences."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from bench import papers
from bench.table import Row
from bench.watching import watched
from highlighter.services import Services
from highlighter.settings import Settings

# The yardstick: the library's own encode, fp32, its own batches. Both sides pay for starting Python and loading the model.
_ENCODE = """
import json, sys
from sentence_transformers import SentenceTransformer
from highlighter.embedding.bundled_model import find_original_model
model = SentenceTransformer(str(find_original_model()), device="cpu")
model.encode(json.load(open(sys.argv[1])), normalize_embeddings=True, show_progress_bar=False)
"""


def rows(folder: Path, share: float = 1.0) -> list[Row]:
    data = folder / "ingested"
    written = papers.write(folder / "papers", share)
    ours = watched([sys.executable, "-m", "ingest", "--quiet", str(written)], DATA_DIR=str(data))
    pages, sentences = _taken_in(data, folder / "sentences.json")
    encoding = watched([sys.executable, "-c", _ENCODE, str(folder / "sentences.json")])
    return [
        Row(
            f"ingestion of {pages:,} pages, {sentences:,} sentences",
            f"{ours.seconds:.1f} s",
            f"SentenceTransformer.encode {encoding.seconds:.1f} s",
            f"{ours.seconds / encoding.seconds:.2f}x",
            "≤ 1.3x",
        ),
        Row(
            "... peak memory",
            f"parent {ours.parent_mb:.0f} MB, a child {ours.largest_child_mb:.0f} MB, together {ours.together_mb:.0f} MB",
            f"encode alone {encoding.parent_mb:.0f} MB",
            f"{ours.together_mb / encoding.parent_mb:.2f}x",
            "-",
        ),
        *_on_disk(data, pages),
    ]


def _taken_in(data: Path, listing: Path) -> tuple[int, int]:
    services = Services(Settings(data_dir=data))
    documents = services.catalog.documents()
    texts = [text for document in documents for text in services.catalog.sentence_texts(document)]
    services.close()
    listing.write_text(json.dumps(texts))
    return sum(document.pages for document in documents), len(texts)


def _on_disk(data: Path, pages: int) -> Iterable[Row]:
    kinds = {
        "originals": data.glob("files/originals/*/*"),
        "chunk PDFs": data.glob("files/documents/*/*/*/chunks/*.pdf"),
        "typeset PDFs": data.glob("files/documents/*/*/*/typeset.pdf"),
        "catalog (text, sentences, vectors)": data.glob("catalog.sqlite*"),
        "index": data.glob("index/**/*"),
    }
    sizes = {kind: _bytes(paths) for kind, paths in kinds.items()}
    whole = _bytes(data.rglob("*"))
    share = ", ".join(f"{kind} {size / pages / 1024:.1f}" for kind, size in sizes.items())
    yield Row(
        "... kB on disk a page",
        f"{whole / pages / 1024:.1f}",
        share,
        f"{whole / sizes['originals']:.1f}x originals",
        "-",
    )


def _bytes(paths: Iterable[Path]) -> int:
    """What the disk holds: a file with several names counts once."""
    return sum({(s.st_dev, s.st_ino): s.st_blocks * 512 for s in (p.stat() for p in paths if p.is_file())}.values())
