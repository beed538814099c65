"""Recognise the text of one page with Tesseract, inside a child process."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pypdfium2

from highlighter import tesseract
from highlighter.locale import N_
from highlighter.workers.process_control import run_program
from ingest.readers.ocr.hocr import RecognisedLine, RecognisedWord, read_lines
from ingest.readers.ocr.scripts import (
    ScriptNotInstalled,
    find_language,
    find_missing_packages,
    is_vertical,
    list_candidates,
    list_vertical_candidates,
)
from ingest.readers.pdf.stamped_scans import find_stamps, is_stamped_scan

if TYPE_CHECKING:
    from PIL.Image import Image

_PIXELS_PER_POINT = 300 / 72  # Tesseract reads letters best at 300 dots per inch
_MAX_SIDE_PIXELS, _MAX_PIXELS = 8_000, 16_000_000  # of a huge page, so that it fits the memory of a child process
_MIN_ORIENTATION_CONFIDENCE = 2.0  # to turn a page: few lines are weak evidence
_MIN_SCRIPT_CONFIDENCE = 0.5
_MIN_LINE_CONFIDENCE = 0.3  # lines below it are seen in drawings and stains
_MIN_HORIZONTAL_CONFIDENCE = 0.7  # below it, a page may be written from top to bottom
_MIN_PAGE_CONFIDENCE = 0.5  # below it, a page is a picture, or in a script that was not recognised
_MIN_LETTER_SHARE = 0.1  # of those that another language sees: a result with fewer is no reading of the page,
_SURE_CONFIDENCE, _MIN_SURE_LETTERS = 0.8, 3  # unless it is as sure as this of so many: the others see noise
_MIN_LETTERS_OF_SCRIPT, _MIN_SCRIPT_LIKENESS = 100, 0.35  # with less, a page that is not read may have no letters
_COLUMN_TURN = 270  # turned by it clockwise, columns from top to bottom run from left to right
_NICE_LEVEL = 10  # behind everything that a user waits for


_WHOLE_PAGE, _VERTICAL_BLOCK = "3", "5"  # Tesseract's ways to look for lines


_Result = tuple[str, tuple[RecognisedLine, ...]]  # languages, as given to Tesseract, and what they read


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """The text that was recognised on a page, in pixels of the upright page, and where the page's box is in points."""

    number: int
    box: tuple[float, float, float, float]  # of the page in its own coordinates: left, bottom, right, top
    rotation: int  # by which the displayed page is rotated clockwise
    turn: int  # by which the displayed page must be turned clockwise to be upright
    pixels_per_point: float
    languages: str = ""
    lines: tuple[RecognisedLine, ...] = ()
    problem: str = ""  # a sentence for users: why the page could not be read

    @property
    def confidence(self) -> float:
        return measure_confidence(self.lines)

    def to_json(self) -> dict[str, Any]:
        """Return the page as plain values."""
        return asdict(self)

    @classmethod
    def unread(cls, number: int, problem: str) -> RecognisedPage:
        """Return a page that could not be read, and why."""
        return cls(number, (0.0, 0.0, 0.0, 0.0), 0, 0, 1.0, problem=problem)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> RecognisedPage:
        """Return the page that `to_json` wrote."""
        lines = tuple(
            RecognisedLine(line["size"], tuple(RecognisedWord(**word) for word in line["words"]))
            for line in values["lines"]
        )
        left, bottom, right, top = values["box"]
        return cls(**{**values, "lines": lines, "box": (left, bottom, right, top)})


def measure_confidence(lines: Sequence[RecognisedLine]) -> float:
    """Return the mean confidence of the letters of some lines; 0 without letters."""
    words = [word for line in lines for word in line.words]
    letters = sum(len(word.text) for word in words)
    return sum(len(word.text) * word.confidence for word in words) / letters if letters else 0.0


def recognise_page(
    path: Path, number: int, work: Path, seconds: float, chosen: Sequence[str] = (), preferred: str = ""
) -> RecognisedPage:
    """Return the text recognised on a page, counted from 1.

    `chosen` are the languages that the operator set; without them, the script decides. `preferred` is what an earlier
    page was read with, which is not tried against others again. A page that cannot be read has a problem.
    """
    deadline = time.monotonic() + seconds
    image, page = _draw_page(path, number)
    with tempfile.TemporaryDirectory(prefix="ocr-", dir=work) as folder:
        run = _TesseractRun(Path(folder), deadline)
        try:
            return _recognise_image(run, image, page, chosen, preferred)
        except ScriptNotInstalled as err:
            problem = N_(
                "the data to read {script} script is missing: apt-get install {package}.",
                script=err.script,
                package=err.package,
            )
        except LanguageNotInstalled as err:
            problem = N_(
                "the data of a language in OCR_LANGUAGES is missing: apt-get install {package}.", package=err.package
            )
        except subprocess.TimeoutExpired:
            problem = N_("recognising its text took longer than {seconds:.0f} seconds.", seconds=seconds)
        except (OSError, RecognitionFailed):
            problem = N_("its text could not be recognised.")
    return RecognisedPage.unread(number, problem)


class RecognitionFailed(Exception):
    """The error for a run of Tesseract that ended without a result."""


class LanguageNotInstalled(Exception):
    """The error for a language that the operator chose and whose data is not installed."""

    def __init__(self, language: str):
        super().__init__(language)
        self.package = tesseract.package_of(language)


@dataclass(frozen=True, slots=True)
class _DrawnPage:
    number: int
    box: tuple[float, float, float, float]
    rotation: int
    pixels_per_point: float


def _draw_page(path: Path, number: int) -> tuple[Image, _DrawnPage]:
    with pypdfium2.PdfDocument(path) as document:
        if document.get_formtype():
            document.init_forms()
        page = document[number - 1]
        width, height = (max(side, 1.0) for side in page.get_size())
        scale = min(_PIXELS_PER_POINT, _MAX_SIDE_PIXELS / max(width, height), (_MAX_PIXELS / (width * height)) ** 0.5)
        left, bottom, right, top = page.get_bbox()
        box = (min(left, right), min(bottom, top), max(left, right), max(bottom, top))
        if is_stamped_scan(page):  # its stamps are text already, and would be recognised as text once more
            for stamp in find_stamps(page):
                page.remove_obj(stamp)
        image = page.render(scale=scale, grayscale=True).to_pil()
        return image, _DrawnPage(number, box, page.get_rotation(), scale)


def _recognise_image(
    run: _TesseractRun, image: Image, page: _DrawnPage, chosen: Sequence[str], preferred: str
) -> RecognisedPage:
    turn, script = run.detect_orientation(image) if tesseract.has_orientation_data() else (0, "")
    upright = image.rotate(-turn, expand=True) if turn else image
    candidates = _choose_candidates(script, chosen, preferred)
    results = [(languages, run.recognise(upright, languages)) for languages in candidates]
    if not chosen and measure_confidence(_choose_result(results)[1]) < _MIN_HORIZONTAL_CONFIDENCE:
        vertical = list_vertical_candidates(candidates, tesseract.list_languages())
        results += [(languages, run.recognise(upright, languages)) for languages in vertical]
    languages, lines = _choose_result(results)
    text = " ".join(word.text for line in lines for word in line.words)
    if not chosen and (other := find_language(text, languages, tesseract.list_languages())):
        languages, lines = other, run.recognise(upright, other)
    if measure_confidence(lines) < _MIN_PAGE_CONFIDENCE:
        if not chosen and (problem := _explain_unread_script(languages, lines)):
            return RecognisedPage.unread(page.number, problem)
        lines = ()
    turn = (turn + _COLUMN_TURN) % 360 if is_vertical(languages) else turn
    return RecognisedPage(page.number, page.box, page.rotation, turn, page.pixels_per_point, languages, lines)


def _choose_result(results: list[_Result]) -> _Result:
    """Return the languages and lines with the highest confidence of those that have some of the page's letters.

    In a script that it does not know, a language may see two or three letters, and be sure of them.
    """
    least = _MIN_LETTER_SHARE * max(_count_letters(lines) for _, lines in results)

    def is_reading(lines: Sequence[RecognisedLine]) -> bool:
        count = _count_letters(lines)
        return count >= least or (count >= _MIN_SURE_LETTERS and measure_confidence(lines) >= _SURE_CONFIDENCE)

    return max(
        (result for result in results if is_reading(result[1])), key=lambda result: measure_confidence(result[1])
    )


def _count_letters(lines: Sequence[RecognisedLine]) -> int:
    return sum(character.isalnum() for line in lines for word in line.words for character in word.text)


def _explain_unread_script(languages: str, lines: Sequence[RecognisedLine]) -> str:
    """Return the sentence for a page whose script can be read, but not its language; "" where that is unclear."""
    if _count_letters(lines) < _MIN_LETTERS_OF_SCRIPT or measure_confidence(lines) < _MIN_SCRIPT_LIKENESS:
        return ""
    script, packages = find_missing_packages(languages, tesseract.list_languages())
    if not packages:
        return ""
    return N_(
        "its text could not be recognised. It seems to be in {script} script, in a language whose data is missing: "
        "apt-get install one of {packages}.",
        script=script,
        packages=", ".join(packages),
    )


def _choose_candidates(script: str, chosen: Sequence[str], preferred: str) -> list[str]:
    installed = tesseract.list_languages()
    if chosen:
        for language in chosen:
            if language not in installed:
                raise LanguageNotInstalled(language)
        return ["+".join(chosen)]
    return list_candidates(script, installed, preferred)


class _TesseractRun:
    """Runs of Tesseract for one page, which share a folder and a deadline."""

    def __init__(self, folder: Path, deadline: float):
        self._folder, self._deadline = folder, deadline

    def detect_orientation(self, image: Image) -> tuple[int, str]:
        """Return by how many degrees the image must be turned clockwise, and its script or "" where that is unclear."""
        try:
            self._run(image, ["--psm", "0"])
        except RecognitionFailed:  # too few characters to tell
            return 0, ""
        report = (self._folder / "out.osd").read_text(encoding="utf-8")
        values = dict(re.findall(r"^([\w ]+): (.+)$", report, re.MULTILINE))
        if float(values["Orientation confidence"]) < _MIN_ORIENTATION_CONFIDENCE:
            return 0, ""  # perhaps no letters at all: the script of a picture must not ask for more data
        is_clear = float(values["Script confidence"]) >= _MIN_SCRIPT_CONFIDENCE
        return int(values["Rotate"]), values["Script"] if is_clear else ""

    def recognise(self, image: Image, languages: str) -> tuple[RecognisedLine, ...]:
        """Return the lines that can be read with these languages."""
        layout = _VERTICAL_BLOCK if is_vertical(languages) else _WHOLE_PAGE
        self._run(image, ["-l", languages, "--psm", layout, "hocr"])
        column_width = image.width if is_vertical(languages) else None
        lines = read_lines((self._folder / "out.hocr").read_bytes(), column_width)
        return tuple(line for line in lines if measure_confidence([line]) >= _MIN_LINE_CONFIDENCE)

    def _run(self, image: Image, options: list[str]) -> None:
        source = self._folder / "page.pgm"
        image.save(source)
        command = [tesseract.PROGRAM, source.name, "out", "--dpi", "300", *options]
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1", "TMPDIR": str(self._folder)}
        seconds = max(self._deadline - time.monotonic(), 0.1)
        status, _ = run_program(command, self._folder, environment, seconds, before_start=lambda: os.nice(_NICE_LEVEL))
        if status:
            raise RecognitionFailed
