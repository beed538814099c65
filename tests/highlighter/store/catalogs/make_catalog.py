"""Write a small catalog as the installed release makes it: `python make_catalog.py FOLDER NAME` in a checkout of that release.

`before_alembic.sqlite.gz` was made at 02b1c9f, the last state whose tables have no revision.
"""

import gzip
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

sys.path.insert(0, ".")

from highlighter.answering.request import QuestionRequest
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.feedback import HighlightJudgement, save_feedback
from ingest.pipeline import ingest_file

TEXT = "The ferry leaves the island at seven in the morning. It carries sixty passengers and no cars.\n"
QUESTION = "When does the ferry leave?"


def make_catalog(folder: Path) -> Path:
    (folder / "ferry.txt").write_text(TEXT, encoding="utf-8")
    services = Services(Settings(data_dir=folder / "data", ocr=False))
    services.embedder.load()
    document = ingest_file(folder / "ferry.txt", services, services.process_pool).document
    (folder / "ferry.txt").write_text(TEXT.replace("seven", "eight"), encoding="utf-8")
    ingest_file(folder / "ferry.txt", services, services.process_pool)
    services.answer_pipeline.answer(QuestionRequest(QUESTION))
    chunk = services.catalog.chunk(document, 0)
    save_feedback(services.catalog.engine, document, chunk, HighlightJudgement((0, 52), "right", QUESTION, ((0, 52),)))
    services.api_keys.create_key("Harbour", ["read"])
    services.close()
    path = folder / "data" / "catalog.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("VACUUM")
    return path


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        data = make_catalog(Path(folder)).read_bytes()
    Path(sys.argv[1], f"{sys.argv[2]}.sqlite.gz").write_bytes(gzip.compress(data, mtime=0))
