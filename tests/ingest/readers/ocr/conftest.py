from __future__ import annotations

import pytest

from highlighter import tesseract

NEEDED_LANGUAGES = {"eng", "deu", "chi_tra", "chi_tra_vert", "heb", "ara"}


@pytest.fixture(scope="session")
def installed_tesseract():
    """Fail unless Tesseract is installed with what the scans need: a skipped test would say nothing."""
    missing = NEEDED_LANGUAGES - set(tesseract.list_languages())
    if missing or not tesseract.has_orientation_data():
        pytest.fail(
            f"make tesseract: tesseract-ocr with osd, {', '.join(sorted(NEEDED_LANGUAGES))} is needed", pytrace=False
        )
