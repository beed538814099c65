"""Tests of which packages are imported in the processes of Highlighter."""

import subprocess
import sys

from tests.conftest import CONTRACT, SAMPLES

PROGRAM = """
import sys
from highlighter.lean_imports import skip_unneeded_imports
skip_unneeded_imports()
from highlighter.text.sentences.punkt import ends_sentence
from highlighter.text.terms import stem_word
print(stem_word("leases"), ends_sentence("e.g.", "the"), ends_sentence("pier.", "The"))
import httpx, tenacity
print([name for name in ("scipy", "sklearn", "click", "pygments", "rich", "tornado") if name in sys.modules])
import importlib.util, scipy
print(scipy.__name__, *(importlib.util.find_spec(name).name for name in ("sklearn", "rich", "tornado")))
print(httpx.Client().get.__name__, tenacity.retry(lambda: 3)())
"""


def test_unneeded_packages_are_not_imported_and_others_still_can_import_them():
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert run.stdout.splitlines() == ["leas False True", "[]", "scipy sklearn rich tornado", "get 3"], run.stderr


# What a child process of a service runs: it reads a file, recognises its pages and draws them.
CHILD_PROGRAM = """
import sys, tempfile
from pathlib import Path
from highlighter.answering import json_data
from highlighter.pages import bookmarks, figure_boxes, page_characters, page_images, pdf_highlights
from ingest.preparation import SourceFile, convert_picture_file, prepare_document
from ingest.readers.ocr import find_unread_pages, recognise_page
with tempfile.TemporaryDirectory() as folder:
    prepared = prepare_document(SourceFile(Path(sys.argv[1]), "pdf", "a.pdf"), "a" * 32, 1, Path(folder))
print(len(prepared.chunks) > 5, [name for name in ("sqlalchemy", "flask", "chromadb", "onnxruntime") if name in sys.modules])
"""


def test_child_process_imports_no_database_server_or_model():
    run = subprocess.run([sys.executable, "-c", CHILD_PROGRAM, str(SAMPLES / CONTRACT)], capture_output=True, text=True)
    assert run.stdout == "True []\n", run.stderr
