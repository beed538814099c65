"""Scans with OCR=1 are read by the ocrmypdf on the path; here, by one that always recognises the same words."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from highlighter.models import NO_TEXT, READY
from highlighter.services import Services
from highlighter.workers.process_pool import ProcessPool
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES
from tests.ingest.standing_in import put_on_path

SCAN = SAMPLES / "Scanned letter 14 March.pdf"
RECOGNISER = f"""#!{sys.executable}
import sys
from reportlab.pdfgen.canvas import Canvas
page = Canvas(sys.argv[-1])
page.drawString(72, 700, "The pilot boat leaves at noon. It carries four people.")
page.save()
"""


@pytest.fixture
def recogniser(tmp_path, monkeypatch):
    put_on_path("ocrmypdf", RECOGNISER, tmp_path / "bin", monkeypatch)
    pool = ProcessPool(workers=1, seconds=60, memory_mb=1024)  # its children get the current path
    yield pool
    pool.close()


@pytest.mark.slow
def test_scan_is_read_and_reported_when_ocr_is_on(services, recogniser, process_pool):
    assert ingest_file(SCAN, services, process_pool).document.state == NO_TEXT
    services_with_ocr = Services(replace(services.settings, ocr=True), services.embedder)
    document = ingest_file(SCAN, services_with_ocr, recogniser).document
    assert document.state == READY
    assert document.reason.startswith("The text was recognised from images (OCR)")
    assert "leaves at noon" in services_with_ocr.catalog.text(document)
    assert services_with_ocr.files.typeset_pdf_path(document.id, document.pipeline).is_file()
    services_with_ocr.close()
