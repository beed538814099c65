"""Taking documents in, whole, against nothing but SentenceTransformer.encode on the same sentences."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from bench.stores import plausible
from bench.table import Row
from highlighter.services import Services
from highlighter.settings import Settings

FILES, PARAGRAPHS, SENTENCES_A_PARAGRAPH = 12, 100, 8

# The yardstick: the library's own encode, fp32, its own batches, and the model loaded as we load it. Both sides pay for
# starting Python and loading the model.
_ENCODE = """
import json, sys
from highlighter.embedder import SentenceTransformerEmbedder
model = SentenceTransformerEmbedder()
model.load()
model._model.encode(json.load(open(sys.argv[1])), normalize_embeddings=True, show_progress_bar=False)
"""


def rows(folder: Path) -> list[Row]:
    papers = _papers(folder / "papers")
    data = folder / "ingested"
    ours = _timed([sys.executable, "-m", "ingest", "--quiet", str(papers)], DATA_DIR=str(data))
    sentences = _sentences(data, folder / "sentences.json")
    encoding = _timed([sys.executable, "-c", _ENCODE, str(folder / "sentences.json")])
    return [
        Row(
            f"ingestion of {FILES} TXT and PDF files, {sentences:,} sentences",
            f"{ours:.1f} s",
            f"SentenceTransformer.encode {encoding:.1f} s",
            f"{ours / encoding:.2f}x",
            "≤ 1.3x",
        )
    ]


def _papers(folder: Path) -> Path:
    """Half plain text, half PDF, no sentence twice."""
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    folder.mkdir()
    drawn = random.Random(3)
    style = getSampleStyleSheet()["BodyText"]
    for number in range(FILES):
        paragraphs = [
            " ".join(plausible(drawn, f"{number}.{p}.{s}") for s in range(SENTENCES_A_PARAGRAPH))
            for p in range(PARAGRAPHS)
        ]
        if number % 2:
            (folder / f"{number}.txt").write_text("\n\n".join(paragraphs), encoding="utf-8")
        else:
            SimpleDocTemplate(str(folder / f"{number}.pdf")).build([Paragraph(text, style) for text in paragraphs])
    return folder


def _sentences(data: Path, listing: Path) -> int:
    import json

    services = Services(Settings(data_dir=data))
    texts = [text for document in services.catalog.documents() for text in services.catalog.sentence_texts(document)]
    services.close()
    listing.write_text(json.dumps(texts))
    return len(texts)


def _timed(command: list[str], **environment: str) -> float:
    import os

    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    return time.perf_counter() - began
