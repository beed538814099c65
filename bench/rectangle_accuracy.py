"""The rectangles of sentences, checked by reading them back with another program: poppler."""

from __future__ import annotations

import csv
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from bench.table import Row
from highlighter.errors import UnreadableFile
from highlighter.models import DOCUMENT_SUFFIXES, Sentence
from highlighter.pages.display_coordinates import DisplayBox, to_display_box
from highlighter.pages.page_characters import PageCharacters, read_page_characters
from highlighter.pages.rectangles import compute_rectangles
from highlighter.store.files import TYPESET_PDF_NAME
from highlighter.workers.process_pool import ProcessPool
from ingest.file_kinds import detect_kind
from ingest.preparation import PreparedDocument, SourceFile, prepare_document

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
MAX_SENTENCES = 5_000  # small files have fewer than their share, and about 2,000 are checked
# Rectangles are right that contain this share of the sentence's characters, and at most this share of others.
MIN_COVERED, MAX_FOREIGN = 0.95, 0.05
GOALS = {"prose": 0.98, "columns": 0.95, "cjk": 0.95, "rotated": 0.90, "forms": 0.90}
KINDS = {
    "multicol": "columns", "cjk": "cjk", "rotated": "rotated", "form": "forms", "rtl": "right to left", "docx": "docx, txt",
    "txt": "docx, txt", "scanned": "", "password": "", "zeropages": "", "unopenable": "",
}  # fmt: skip
KIND_OF_SAMPLE = {
    "Harbour Works Contract.pdf": "columns", "Tide Tables and Diving Windows.pdf": "rotated",
    "南灣區議會文件 避風塘改善工程.pdf": "cjk",
}  # fmt: skip
_IGNORED_CHARACTERS = frozenset("-\u00ad\u2010\u2011\ufffe\x02\u200b\u2060\ufeff\u200e\u200f")


def rows(docs: Path | None, max_sentences: int, misses: bool) -> Iterator[Row]:
    process_pool = ProcessPool(1, 60, 1024)
    try:
        with tempfile.TemporaryDirectory(prefix="highlighter-place-") as folder:
            checks = list(_check_files(_list_files(docs), process_pool, Path(folder), max_sentences))
    finally:
        process_pool.close()
    if misses:
        _print_misses(checks)
    yield from _make_rows(checks)


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """A sentence with the shares of its own and of other characters in its rectangles."""

    kind: str
    file: str
    sentence: str
    covered_share: float
    foreign_share: float
    is_known: bool  # whether poppler sees the sentence's characters anywhere on its pages

    @property
    def is_right(self) -> bool:
        return self.covered_share >= MIN_COVERED and self.foreign_share <= MAX_FOREIGN


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    x: float
    y: float


def _list_files(docs: Path | None) -> list[tuple[str, Path]]:
    kinds = {path: KIND_OF_SAMPLE.get(path.name) or _name_kind(path, "") for path in SAMPLES.glob("*.*")}
    if docs:
        categories = {}
        if (docs / "manifest.csv").is_file():
            with (docs / "manifest.csv").open(encoding="utf-8") as manifest:
                categories = {row["file"]: row["category"] for row in csv.DictReader(manifest)}
        for path in docs.rglob("*"):
            kinds[path] = _name_kind(path, categories.get(str(path.relative_to(docs)), ""))
    return sorted((kind, path) for path, kind in kinds.items() if kind and path.suffix.lower() in DOCUMENT_SUFFIXES)


def _name_kind(path: Path, category: str) -> str:
    """Return the kind of a file: that of a PDF by its category, "" where it cannot be read; else by its suffix."""
    suffix = path.suffix.lower()
    return KINDS.get(category, "prose") if suffix == ".pdf" else KINDS.get(suffix[1:], suffix[1:])


def _check_files(
    files: list[tuple[str, Path]], process_pool: ProcessPool, folder: Path, max_sentences: int
) -> Iterator[SentenceCheck]:
    """Yield checks of as many sentences of each kind of file, and of each file of a kind."""
    rng, sentences_per_kind = random.Random(5), max_sentences // len({kind for kind, _ in files})
    files_of_kind = Counter(kind for kind, _ in files)
    for number, (kind, path) in enumerate(files):
        work_folder = folder / str(number)
        work_folder.mkdir()
        try:
            prepared: PreparedDocument = process_pool.run(
                prepare_document, SourceFile(path, detect_kind(path, path.name), path.name), "bench", 1, work_folder
            )
        except UnreadableFile:
            continue
        paged = find_paged_pdf(path, work_folder)
        sentences = [sentence for _, sentence in prepared.sentences]
        selected = rng.sample(sentences, min(len(sentences), max(sentences_per_kind // files_of_kind[kind], 1)))
        pages = _Pages(paged, process_pool)
        for sentence in selected:
            yield _check_sentence(kind, path.name, sentence, prepared, pages)
        shutil.rmtree(work_folder)


def find_paged_pdf(path: Path, work_folder: Path) -> Path:
    """Return the PDF that the source map refers to: the typeset one, or the file itself."""
    return work_folder / TYPESET_PDF_NAME if (work_folder / TYPESET_PDF_NAME).is_file() else path


class _Pages:
    """The pages of a document as Highlighter and as poppler read them, each read once."""

    def __init__(self, path: Path, process_pool: ProcessPool):
        self._path, self._process_pool = path, process_pool
        self._characters: dict[int, PageCharacters | None] = {}
        self._words: dict[int, list[Word]] = {}

    def characters(self, page: int) -> PageCharacters | None:
        if page not in self._characters:
            self._characters[page] = self._process_pool.run(read_page_characters, self._path, [page])[0]
        return self._characters[page]

    def words(self, page: int) -> list[Word]:
        if page not in self._words:
            self._words[page] = _read_poppler_words(self._path, page)
        return self._words[page]


def _read_poppler_words(path: Path, page: int) -> list[Word]:
    command = ["pdftotext", "-cropbox", "-bbox", "-f", str(page), "-l", str(page), str(path), "-"]
    output = subprocess.run(command, capture_output=True, check=False).stdout
    tree = etree.fromstring(output, etree.XMLParser(recover=True, huge_tree=True)) if output.strip() else None
    words: list[Any] = []
    for word in tree.iter("{*}word") if tree is not None else ():
        box = [float(word.get(name)) for name in ("xMin", "yMin", "xMax", "yMax")]
        words += _split_word(word.text or "", *box)
    return _drop_duplicates(words)


def _drop_duplicates(words: list[Word]) -> list[Word]:
    """Drop words that are printed twice in the same place to look bold."""
    words_of_text: dict[str, list[Word]] = defaultdict(list)
    for word in words:
        if not any(abs(word.x - other.x) < 2 and abs(word.y - other.y) < 2 for other in words_of_text[word.text]):
            words_of_text[word.text].append(word)
    return [word for words in words_of_text.values() for word in words]


def _split_word(text: str, x0: float, y0: float, x1: float, y1: float) -> Iterator[Word]:
    """Yield a word, or each character of a Chinese word: poppler separates words at spaces, which Chinese lacks."""
    middle = (x0 + x1) / 2, (y0 + y1) / 2
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    if 2 * wide < len(text):
        yield Word(text, *middle)
        return
    widths = [2 if unicodedata.east_asian_width(char) in "WFA" else 1 for char in text]
    width_so_far, total = 0, sum(widths)
    for char, width in zip(text, widths, strict=True):
        position = (width_so_far + width / 2) / total
        is_level = x1 - x0 >= y1 - y0
        yield Word(
            char,
            x0 + position * (x1 - x0) if is_level else middle[0],
            middle[1] if is_level else y0 + position * (y1 - y0),
        )
        width_so_far += width


def _check_sentence(
    kind: str, file: str, sentence: Sentence, prepared: PreparedDocument, pages: _Pages
) -> SentenceCheck:
    expected = _count_characters(sentence.text)
    spans = prepared.source_map.raw_spans_by_page(sentence.start, sentence.end)
    covered: Counter[str] = Counter()
    on_pages: Counter[str] = Counter()
    for page, raw_spans in spans.items():
        characters = pages.characters(page)
        boxes = (
            [to_display_box(r, characters) for r in compute_rectangles(page, characters, raw_spans)]
            if characters
            else []
        )
        for word in pages.words(page):
            on_pages += _count_characters(word.text)
            if any(_contains(box, word) for box in boxes):
                covered += _count_characters(word.text)
    common = (expected & covered).total()
    covered_share, foreign_share = (
        common / max(expected.total(), 1),
        (covered.total() - common) / max(covered.total(), 1),
    )
    page_words = {_normalise(word.text) for page in spans for word in pages.words(page)}
    is_known = (expected & on_pages).total() >= MIN_COVERED * expected.total() and _has_words(
        sentence.text, "\n".join(page_words)
    )
    return SentenceCheck(kind, file, sentence.text, covered_share, foreign_share, is_known)


def _contains(box: DisplayBox, word: Word) -> bool:
    return box.x <= word.x <= box.x + box.width and box.y <= word.y <= box.y + box.height


def _has_words(sentence: str, page: str) -> bool:
    """Return whether the sentence's longest word, if in Latin letters, is on the page as poppler reads it."""
    words = re.findall(r"[A-Za-z]{3,}", _normalise(sentence))
    return not words or max(words, key=len) in page or len(words) > 3  # the longest of many may be broken over lines


def _normalise(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char not in _IGNORED_CHARACTERS)


def _count_characters(text: str) -> Counter[str]:
    return Counter(char for char in _normalise(text) if not char.isspace())


def _make_rows(checks: list[SentenceCheck]) -> Iterator[Row]:
    for kind in dict.fromkeys(check.kind for check in checks):
        checks_of_kind = [check for check in checks if check.kind == kind]
        known_checks = [check for check in checks_of_kind if check.is_known]
        right_count, note = (
            sum(check.is_right for check in known_checks),
            f"{len(checks_of_kind) - len(known_checks)} that poppler reads otherwise",
        )
        goal = f"≥ {GOALS[kind]:.0%}" if kind in GOALS else "-"
        description = f"{kind}: {len(known_checks)} sentences of {len({check.file for check in checks_of_kind})} files"
        yield Row(f"place, {description}", f"{right_count / max(len(known_checks), 1):.1%}", note, "-", goal)


def _print_misses(checks: list[SentenceCheck]) -> None:
    for check in checks:
        if not check.is_right:
            result = f"held {check.covered_share:.2f} foreign {check.foreign_share:.2f}" + (
                "" if check.is_known else " (read otherwise)"
            )
            print(f"{check.kind}\t{check.file[:40]}\t{result}\t{check.sentence[:110]!r}", file=sys.stderr)
