"""Is what is lit on paper the sentence? Its rectangles, read back by another program: poppler."""

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

from lxml import etree

from bench.table import Row
from highlighter.errors import UnreadableFile
from highlighter.pages.display_coordinates import DisplayBox, to_display_box
from highlighter.pages.page_characters import PageCharacters, read_page_characters
from highlighter.pages.rectangles import compute_rectangles
from highlighter.store.files import TYPESET_PDF_NAME
from highlighter.workers.process_pool import ProcessPool
from ingest.input_files import detect_kind
from ingest.preparation import PreparedDocument, prepare_document

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
SENTENCES = 5_000  # asked for; small files have fewer than their share, and about 2,000 are judged
HELD, FOREIGN = 0.95, 0.05  # a sentence's place is right with so many of its characters in it, and so few others
GOALS = {"prose": 0.98, "columns": 0.95, "cjk": 0.95, "rotated": 0.90, "forms": 0.90}
KINDS = {
    "multicol": "columns", "cjk": "cjk", "rotated": "rotated", "form": "forms", "rtl": "right to left", "docx": "docx, txt",
    "txt": "docx, txt", "scanned": "", "password": "", "zeropages": "", "unopenable": "",
}  # fmt: skip
OURS = {
    "Harbour Works Contract.pdf": "columns", "Tide Tables and Diving Windows.pdf": "rotated",
    "南灣區議會文件 避風塘改善工程.pdf": "cjk",
}  # fmt: skip
_NOT_COUNTED = frozenset("-\u00ad\u2010\u2011\ufffe\x02\u200b\u2060\ufeff\u200e\u200f")


def rows(docs: Path | None, most: int, misses: bool) -> Iterator[Row]:
    process_pool = ProcessPool(1, 60, 1024)
    try:
        with tempfile.TemporaryDirectory(prefix="highlighter-place-") as folder:
            found = list(_judged(_files(docs), process_pool, Path(folder), most))
    finally:
        process_pool.close()
    if misses:
        _tell_misses(found)
    yield from _table(found)


@dataclass(frozen=True, slots=True)
class Judged:
    kind: str
    file: str
    sentence: str
    held: float
    foreign: float
    known: bool  # whether poppler sees the sentence's characters anywhere on its pages

    @property
    def right(self) -> bool:
        return self.held >= HELD and self.foreign <= FOREIGN


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    x: float
    y: float


def _files(docs: Path | None) -> list[tuple[str, Path]]:
    kinds = {
        path: OURS.get(path.name, "prose" if path.suffix == ".pdf" else "docx, txt") for path in SAMPLES.glob("*.*")
    }
    if docs:
        listed = {}
        if (docs / "manifest.csv").is_file():
            with (docs / "manifest.csv").open(encoding="utf-8") as manifest:
                listed = {row["file"]: row["category"] for row in csv.DictReader(manifest)}
        for path in docs.rglob("*"):
            category = listed.get(str(path.relative_to(docs)), "")
            usual = "prose" if path.suffix == ".pdf" else "docx, txt"
            kinds[path] = KINDS.get(category, usual) if path.suffix == ".pdf" else usual
    wanted = (".pdf", ".docx", ".txt")
    return sorted((kind, path) for path, kind in kinds.items() if kind and path.suffix.lower() in wanted)


def _judged(files: list[tuple[str, Path]], process_pool: ProcessPool, folder: Path, most: int) -> Iterator[Judged]:
    """As many sentences of each file as its share of its kind's, and of each kind the same number."""
    chance, each = random.Random(5), most // len({kind for kind, _ in files})
    count = Counter(kind for kind, _ in files)
    for number, (kind, path) in enumerate(files):
        work = folder / str(number)
        work.mkdir()
        try:
            prepared: PreparedDocument = process_pool.run(
                prepare_document, path, detect_kind(path), path.name, "bench", 1, work
            )
        except UnreadableFile:
            continue
        paged = paged_form(path, work)
        sentences = [sentence for _, sentence in prepared.sentences]
        picked = chance.sample(sentences, min(len(sentences), max(each // count[kind], 1)))
        pages = _Pages(paged, process_pool)
        for sentence in picked:
            yield _judge(kind, path.name, sentence, prepared, pages)
        shutil.rmtree(work)


def paged_form(path: Path, work: Path) -> Path:
    """The PDF that the map speaks of: what was typeset at work, else the file itself."""
    return work / TYPESET_PDF_NAME if (work / TYPESET_PDF_NAME).is_file() else path


class _Pages:
    """A document's pages as we see them and as poppler does, each looked at once."""

    def __init__(self, path: Path, process_pool: ProcessPool):
        self._path, self._process_pool = path, process_pool
        self._letters: dict[int, PageCharacters | None] = {}
        self._words: dict[int, list[Word]] = {}

    def letters(self, page: int) -> PageCharacters | None:
        if page not in self._letters:
            self._letters[page] = self._process_pool.run(read_page_characters, self._path, [page])[0]
        return self._letters[page]

    def words(self, page: int) -> list[Word]:
        if page not in self._words:
            self._words[page] = _poppler_words(self._path, page)
        return self._words[page]


def _poppler_words(path: Path, page: int) -> list[Word]:
    command = ["pdftotext", "-cropbox", "-bbox", "-f", str(page), "-l", str(page), str(path), "-"]
    said = subprocess.run(command, capture_output=True, check=False).stdout
    tree = etree.fromstring(said, etree.XMLParser(recover=True, huge_tree=True)) if said.strip() else None
    words = []
    for word in tree.iter("{*}word") if tree is not None else ():
        box = [float(word.get(name)) for name in ("xMin", "yMin", "xMax", "yMax")]
        words += _in_pieces(word.text or "", *box)
    return _once(words)


def _once(words: list[Word]) -> list[Word]:
    """Bold made by printing twice is one word to a reader."""
    seen: dict[str, list[Word]] = defaultdict(list)
    for word in words:
        if not any(abs(word.x - other.x) < 2 and abs(word.y - other.y) < 2 for other in seen[word.text]):
            seen[word.text].append(word)
    return [word for alike in seen.values() for word in alike]


def _in_pieces(text: str, x0: float, y0: float, x1: float, y1: float) -> Iterator[Word]:
    """Poppler parts words at spaces, which Chinese has none of: there each character stands for itself."""
    middle = (x0 + x1) / 2, (y0 + y1) / 2
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    if 2 * wide < len(text):
        yield Word(text, *middle)
        return
    shares = [2 if unicodedata.east_asian_width(char) in "WFA" else 1 for char in text]
    done, total = 0, sum(shares)
    for char, share in zip(text, shares, strict=True):
        at = (done + share / 2) / total
        level = x1 - x0 >= y1 - y0
        yield Word(char, x0 + at * (x1 - x0) if level else middle[0], middle[1] if level else y0 + at * (y1 - y0))
        done += share


def _judge(kind: str, file: str, sentence, prepared: PreparedDocument, pages: _Pages) -> Judged:
    wanted = _characters(sentence.text)
    spans = prepared.source_map.raw_spans_by_page(sentence.start, sentence.end)
    got, all_there = Counter(), Counter()
    for page, raw in spans.items():
        letters = pages.letters(page)
        boxes = [to_display_box(r, letters) for r in compute_rectangles(page, letters, raw)] if letters else []
        for word in pages.words(page):
            all_there += _characters(word.text)
            if any(_holds(box, word) for box in boxes):
                got += _characters(word.text)
    both = (wanted & got).total()
    held, foreign = both / max(wanted.total(), 1), (got.total() - both) / max(got.total(), 1)
    whole = {_plain(word.text) for page in spans for word in pages.words(page)}
    known = (wanted & all_there).total() >= HELD * wanted.total() and _has_words(sentence.text, "\n".join(whole))
    return Judged(kind, file, sentence.text, held, foreign, known)


def _holds(box: DisplayBox, word: Word) -> bool:
    return box.x <= word.x <= box.x + box.width and box.y <= word.y <= box.y + box.height


def _has_words(sentence: str, page: str) -> bool:
    """Whether its longest word, if it is in Latin letters, stands on the page as poppler reads it."""
    words = re.findall(r"[A-Za-z]{3,}", _plain(sentence))
    return not words or max(words, key=len) in page or len(words) > 3  # the longest of many may be broken over lines


def _plain(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char not in _NOT_COUNTED)


def _characters(text: str) -> Counter[str]:
    return Counter(char for char in _plain(text) if not char.isspace())


def _table(found: list[Judged]) -> Iterator[Row]:
    for kind in dict.fromkeys(one.kind for one in found):
        ours = [one for one in found if one.kind == kind]
        known = [one for one in ours if one.known]
        right, share = sum(one.right for one in known), f"{len(ours) - len(known)} that poppler reads otherwise"
        goal = f"≥ {GOALS[kind]:.0%}" if kind in GOALS else "-"
        where = f"{kind}: {len(known)} sentences of {len({one.file for one in ours})} files"
        yield Row(f"place, {where}", f"{right / max(len(known), 1):.1%}", share, "-", goal)


def _tell_misses(found: list[Judged]) -> None:
    for one in found:
        if not one.right:
            what = f"held {one.held:.2f} foreign {one.foreign:.2f}" + ("" if one.known else " (read otherwise)")
            print(f"{one.kind}\t{one.file[:40]}\t{what}\t{one.sentence[:110]!r}", file=sys.stderr)
