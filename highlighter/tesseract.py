"""Find Tesseract, which recognises the text of scans, and the languages that are installed for it."""

from __future__ import annotations

import shutil
import subprocess
from functools import lru_cache

from highlighter.locale import N_
from highlighter.settings import Settings

PROGRAM = "tesseract"
ORIENTATION_DATA = "osd"  # detects the script and the orientation of a page
_NON_LANGUAGE_DATA = (ORIENTATION_DATA, "equ", "snum")
_LISTING_SECONDS = 10.0

INSTALL_ADVICE = N_("To read scans, install Tesseract (Debian, Ubuntu: apt-get install tesseract-ocr).")
SWITCHED_OFF_ADVICE = N_("Text recognition is switched off (OCR=0).")


def package_of(language: str) -> str:
    """Return the Debian package that has the data of a language."""
    return f"tesseract-ocr-{language.replace('_', '-').lower()}"


def list_languages() -> tuple[str, ...]:
    """Return the codes of the installed languages, sorted; none where Tesseract is not installed."""
    return tuple(name for name in _list_data(shutil.which(PROGRAM)) if name not in _NON_LANGUAGE_DATA)


def has_orientation_data() -> bool:
    """Return whether the script and the orientation of a page can be detected."""
    return ORIENTATION_DATA in _list_data(shutil.which(PROGRAM))


def is_available(settings: Settings) -> bool:
    """Return whether scans are recognised: Tesseract is installed with a language, and not switched off."""
    return settings.ocr and bool(list_languages())


def describe_engine(settings: Settings) -> str:
    """Return what recognition can do now: pages that failed are tried again when this changes."""
    if not is_available(settings):
        return ""
    chosen = f"={'+'.join(settings.ocr_languages)}" if settings.ocr_languages else ""
    return ",".join(_list_data(shutil.which(PROGRAM))) + chosen


def explain_unavailability(settings: Settings) -> str:
    """Return a sentence that says why scans are not recognised and what helps; empty when they are."""
    if not settings.ocr:
        return SWITCHED_OFF_ADVICE
    return "" if list_languages() else INSTALL_ADVICE


@lru_cache(maxsize=4)
def _list_data(program: str | None) -> tuple[str, ...]:
    """Return the names of the installed data, listed once for each process and program."""
    if program is None:
        return ()
    try:
        result = subprocess.run(
            [program, "--list-langs"],
            capture_output=True,
            text=True,
            timeout=_LISTING_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(sorted(name for line in result.stdout.splitlines()[1:] if (name := line.strip())))
