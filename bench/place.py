"""python -m bench.place [--docs FOLDER]: is what is lit on paper the sentence? Read back by another program, poppler."""

from __future__ import annotations

import argparse
import csv
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lxml import etree
from PIL import Image

from bench.table import Row, p50_p99, print_table
from highlighter.errors import Unreadable
from highlighter.models import PIPELINE, READY, Document
from highlighter.pages.annotate import COLOURS, Note, annotate
from highlighter.pages.letters import Letters, read_letters
from highlighter.pages.pictures import USUAL_WIDTH
from highlighter.pages.rectangles import rectangles_on
from highlighter.pages.shown import Shown, as_shown
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.catalog import Contents
from highlighter.store.files import TYPESET
from highlighter.workers.jail import Jail
from ingest.kinds import kind_of
from ingest.prepare import Prepared, prepare

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
SENTENCES = 4_000  # asked for; small files have fewer than their share, and about 2,000 are judged
COLOURED = 12  # sentences a file whose highlights are drawn
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.place", description=__doc__)
    parser.add_argument(
        "--docs", type=Path, help="a folder of documents besides samples/, with or without manifest.csv"
    )
    parser.add_argument("--misses", action="store_true", help="print what is not right")
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    options = parser.parse_args()
    for program in ("pdftotext", "pdftoppm"):
        if not shutil.which(program):
            raise SystemExit(f"{program} is missing: apt-get install poppler-utils")
    print_table(rows(options.docs, options.sentences, options.misses))
    return 0


def rows(docs: Path | None, most: int = SENTENCES, misses: bool = False) -> list[Row]:
    jail = Jail(1, 60, 1024)
    try:
        with tempfile.TemporaryDirectory(prefix="highlighter-place-") as folder:
            found = list(_judged(_files(docs), jail, Path(folder), most))
    finally:
        jail.close()
    if misses:
        _tell_misses(found)
    return [*_table(found), *_pictures(), _colours()]


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


def _judged(files: list[tuple[str, Path]], jail: Jail, folder: Path, most: int) -> Iterator[Judged]:
    """As many sentences of each file as its share of its kind's, and of each kind the same number."""
    chance, each = random.Random(5), most // len({kind for kind, _ in files})
    count = Counter(kind for kind, _ in files)
    for number, (kind, path) in enumerate(files):
        work = folder / str(number)
        work.mkdir()
        try:
            prepared: Prepared = jail.run(prepare, path, kind_of(path), path.name, "bench", 1, work)
        except Unreadable:
            continue
        paged = work / TYPESET if (work / TYPESET).is_file() else path
        sentences = [sentence for _, sentence in prepared.sentences]
        picked = chance.sample(sentences, min(len(sentences), max(each // count[kind], 1)))
        pages = _Pages(paged, jail)
        for sentence in picked:
            yield _judge(kind, path.name, sentence, prepared, pages)
        shutil.rmtree(work)


class _Pages:
    """A document's pages as we see them and as poppler does, each looked at once."""

    def __init__(self, path: Path, jail: Jail):
        self._path, self._jail = path, jail
        self._letters: dict[int, Letters | None] = {}
        self._words: dict[int, list[Word]] = {}

    def letters(self, page: int) -> Letters | None:
        if page not in self._letters:
            self._letters[page] = self._jail.run(read_letters, self._path, [page])[0]
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


def _judge(kind: str, file: str, sentence, prepared: Prepared, pages: _Pages) -> Judged:
    wanted = _characters(sentence.text)
    spans = defaultdict(list)
    for page, start, end in prepared.source_map.raw_spans(sentence.start, sentence.end):
        spans[page].append((start, end))
    got, all_there = Counter(), Counter()
    for page, raw in spans.items():
        letters = pages.letters(page)
        boxes = [as_shown(r, letters) for r in rectangles_on(page, letters, raw)] if letters else []
        for word in pages.words(page):
            all_there += _characters(word.text)
            if any(_holds(box, word) for box in boxes):
                got += _characters(word.text)
    both = (wanted & got).total()
    held, foreign = both / max(wanted.total(), 1), (got.total() - both) / max(got.total(), 1)
    whole = {_plain(word.text) for page in spans for word in pages.words(page)}
    known = (wanted & all_there).total() >= HELD * wanted.total() and _has_words(sentence.text, "\n".join(whole))
    return Judged(kind, file, sentence.text, held, foreign, known)


def _holds(box: Shown, word: Word) -> bool:
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


def _pictures() -> Iterator[Row]:
    """A page as a picture, from a service's own store: drawn by a child that is up, and from the shelf."""
    with tempfile.TemporaryDirectory(prefix="highlighter-place-") as folder:
        services = Services(Settings(data_dir=Path(folder)))
        try:
            found = [_taken_in(path, services) for path in sorted(SAMPLES.glob("*.pdf"))]
            pages = [(document, page) for document in found for page in range(1, document.pages + 1)]
            services.paper.get_ready()
            cold, kept = [], []
            for taken in (cold, kept):
                for document, page in pages:
                    began = time.perf_counter()
                    services.paper.picture(document, page, USUAL_WIDTH, "webp")
                    taken.append(time.perf_counter() - began)
        finally:
            services.close()
    what = f"a page as a picture, {USUAL_WIDTH} pixels wide ({len(pages)} pages; p50 / p99)"
    yield Row(what, p50_p99(kept), f"drawn anew {p50_p99(cold)}", "-", "-")


def _taken_in(path: Path, services: Services) -> Document:
    """Read and kept, but for its vectors: nothing is searched here."""
    with path.open("rb") as file:
        sha256, size = services.files.keep_original(file)
    document = services.catalog.enter("bench", sha256, path.name, "pdf", size, {}, path.name).document
    work = services.files.workplace()
    try:
        made: Prepared = services.jail.run(prepare, path, "pdf", path.name, document.id, PIPELINE, work)
    except Unreadable:  # the scan
        return document
    services.files.keep_made(work, document.id, PIPELINE)
    contents = Contents(made.text, made.source_map, made.facts, made.chunks, made.sentences, made.labels)
    services.catalog.keep(document.id, contents, READY)
    return services.catalog.document(document.id)


def _colours() -> Row:
    """Sentences of the samples highlighted in their PDFs and drawn by pdftoppm: is the colour where the words are?"""
    chance, right, wrong = random.Random(7), 0, 0
    with tempfile.TemporaryDirectory(prefix="highlighter-place-") as name:
        folder = Path(name)
        for number, path in enumerate(sorted(SAMPLES.glob("*.*"))):
            work = folder / str(number)
            work.mkdir()
            try:
                made = prepare(path, kind_of(path), path.name, "bench", 1, work)
            except Unreadable:
                continue
            paged = work / TYPESET if (work / TYPESET).is_file() else path
            sentences = [sentence for _, sentence in made.sentences]
            for sentence in chance.sample(sentences, min(len(sentences), COLOURED)):
                good, bad = _coloured(paged, made, sentence, folder)
                right, wrong = right + good, wrong + bad
    share = f"{right / max(right + wrong, 1):.1%}"
    return Row("annotated PDFs drawn by pdftoppm: boxes of their colour", share, f"{right + wrong} boxes", "-", "100%")


def _coloured(path: Path, made: Prepared, sentence, folder: Path) -> tuple[int, int]:
    """(boxes that show the highlight's colour between their letters, others)."""
    spans = defaultdict(list)
    for page, start, end in made.source_map.raw_spans(sentence.start, sentence.end):
        spans[page].append((start, end))
    right = wrong = 0
    for page, raw in spans.items():
        letters = read_letters(path, [page])[0]
        boxes = tuple(rectangles_on(page, letters, raw))
        annotate(path, [Note(page, boxes, (letters.left, letters.bottom), 3, "", "")], folder / "lit.pdf")
        command = ["pdftoppm", "-cropbox", "-r", "144", "-f", str(page), "-l", str(page), "-singlefile", "-png"]
        subprocess.run([*command, folder / "lit.pdf", folder / "lit"], capture_output=True, check=True)
        picture = np.asarray(Image.open(folder / "lit.png").convert("RGB")).astype(int)
        lit = (np.abs(picture - [round(255 * part) for part in COLOURS[3]]) <= 6).all(axis=2)
        for box in boxes:
            x, y, width, height, _ = (2 * value for value in as_shown(box, letters))
            inside = lit[round(y) + 1 : round(y + height) - 1, round(x) + 1 : round(x + width) - 1]
            if inside.mean() > 0.4:  # the rest is ink
                right += 1
            else:
                wrong += 1
    return right, wrong


def _tell_misses(found: list[Judged]) -> None:
    for one in found:
        if not one.right:
            what = f"held {one.held:.2f} foreign {one.foreign:.2f}" + ("" if one.known else " (read otherwise)")
            print(f"{one.kind}\t{one.file[:40]}\t{what}\t{one.sentence[:110]!r}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
