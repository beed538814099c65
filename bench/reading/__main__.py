"""python -m bench.reading [--docs FOLDER] [--peers PYTHON]: words, sentences and CPU of readers, side by side."""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from bench.printed_text import split_words
from bench.reading import marks
from bench.reading.printed import PrintedFile, list_printed_files
from bench.reading.readers import NAMES, PEERS, read_files
from bench.reading.words import WordDifference, compare_words
from highlighter.text.sentences import split_sentences

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
_MIN_WORDS = 20  # of poppler's in a file; with fewer it is a scan or a drawing


@dataclass(slots=True)
class Reading:
    """What one reader made of all files."""

    texts: dict[Path, str | None]
    seconds: dict[Path, float]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.reading", description=__doc__)
    parser.add_argument("--docs", type=Path, help="a folder of PDFs besides samples/, with or without manifest.csv")
    parser.add_argument("--peers", default=sys.executable, help="the Python of an environment in which peers are")
    parser.add_argument("--misses", action="store_true", help="print the marked sentences of tests/ that are not whole")
    options = parser.parse_args()
    if not shutil.which("pdftotext"):
        raise SystemExit("pdftotext is missing: apt-get install poppler-utils")
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    kinds = _list_files(options.docs)
    own, real = marks.list_own_pages(), marks.list_real_pages(options.docs) if options.docs else []
    paths = list(dict.fromkeys([*kinds, *(marked.path for marked in [*own, *real])]))
    printed = list_printed_files()
    readings = _read_with_each([*paths, *(file.path for file in printed)], options.peers)
    _print_words(kinds, readings)
    _print_printed_words(printed, readings)
    _print_sentences({"pages made for the tests": own, "pages of real files": real}, readings)
    _print_cpu(paths, readings)
    if options.misses:
        _print_misses(own, readings["Highlighter"])
    return 0


def _list_files(docs: Path | None) -> dict[Path, str]:
    """Return the kind of document of each file."""
    kinds = dict.fromkeys(sorted(SAMPLES.glob("*.pdf")), "samples")
    if docs:
        manifest = docs / "manifest.csv"
        rows = csv.DictReader(manifest.open(encoding="utf-8", newline="")) if manifest.is_file() else ()
        categories = {row["file"]: row["category"] for row in rows}
        for path in sorted(docs.rglob("*.pdf")):
            kinds[path] = categories.get(path.relative_to(docs).as_posix(), path.parent.name)
    return kinds


def _read_with_each(paths: list[Path], peers: str) -> dict[str, Reading]:
    readings = {}
    for name in NAMES:
        print(f"reading {len(paths)} files with {name} ...", file=sys.stderr)
        outcomes = read_files(name, paths, peers if name in PEERS else sys.executable)
        if outcomes is None:
            print(f"{name} is not installed and left out. To compare it: pip install {name}, then --peers PYTHON")
            continue
        texts = {path: text for path, (text, _) in zip(paths, outcomes, strict=True)}
        readings[name] = Reading(texts, {path: seconds for path, (_, seconds) in zip(paths, outcomes, strict=True)})
    return readings


def _print_words(kinds: dict[Path, str], readings: dict[str, Reading]) -> None:
    reference = readings["poppler"].texts
    compared = [name for name in readings if name != "poppler"]
    differences: dict[str, dict[str, WordDifference]] = defaultdict(dict)
    counts: dict[str, int] = defaultdict(int)
    for path, kind in kinds.items():
        expected = reference[path] or ""
        # A file that Highlighter refuses (a scan, a wrong password) says nothing of how it reads.
        if len(expected.split()) < _MIN_WORDS or readings["Highlighter"].texts[path] is None:
            continue
        counts[kind] += 1
        for name in compared:
            difference = compare_words(expected, readings[name].texts[path] or "")
            for row in (kind, "all"):
                previous = differences[row].get(name, WordDifference(0, 0, 0, 0))
                differences[row][name] = previous + difference
    counts["all"] = sum(counts.values())
    print("\nWords missing / extra / out of order against poppler. Headers and footers that are dropped are missing.\n")
    _print_row("kind", "files", *compared)
    _print_row(*["---"] * (2 + len(compared)))
    for kind, row_differences in sorted(differences.items(), key=lambda row: (row[0] == "all", row[0])):
        _print_row(kind, str(counts[kind]), *(_format_difference(row_differences[name]) for name in compared))


def _print_printed_words(files: list[PrintedFile], readings: dict[str, Reading]) -> None:
    print("\nWords missing / extra / out of order against the HTML that was printed, by script and layout.\n")
    _print_row("printed page", "words", *readings)
    _print_row(*["---"] * (2 + len(readings)))
    totals = dict.fromkeys(readings, WordDifference(0, 0, 0, 0))
    for file in files:
        compared = {name: compare_printed_words(file, reading.texts[file.path]) for name, reading in readings.items()}
        totals = {name: totals[name] + difference for name, difference in compared.items()}
        _print_row(file.kind, str(len(split_words(file.source))), *map(_format_difference, compared.values()))
    words = sum(len(split_words(file.source)) for file in files)
    _print_row("all", str(words), *map(_format_difference, totals.values()))


def compare_printed_words(file: PrintedFile, text: str | None) -> WordDifference:
    """Return how a reader's text differs from the source; in scripts without spaces, characters count as words."""
    return compare_words(file.source, text or "", split_words)


def _format_difference(difference: WordDifference) -> str:
    return f"{difference.missing:.1%} / {difference.extra:.1%} / {difference.out_of_order:.1%}"


def _print_sentences(groups: dict[str, list[marks.MarkedFile]], readings: dict[str, Reading]) -> None:
    print("\nSentences marked by hand that a reader's text does not have whole: cut, joined, or with other words.\n")
    _print_row("pages", "sentences", *readings)
    _print_row(*["---"] * (2 + len(readings)))
    for title, files in groups.items():
        total = sum(len(marked.digests) for marked in files)
        if not total:
            print(f"{title}: none here; --docs names the folder of the files that were marked.")
            continue
        cells = []
        for name, reading in readings.items():
            wrong = sum(
                marks.count_wrong_sentences(marked.digests, _split(name, reading.texts[marked.path]))
                for marked in files
            )
            cells.append(f"{wrong} ({wrong / total:.1%})")
        _print_row(title, str(total), *cells)


def _split(name: str, text: str | None) -> list[str]:
    """Return the sentences of a reader's text. Only Highlighter's text has no hard-wrapped lines."""
    return [span.text for span in split_sentences(text or "", wrapped=name != "Highlighter")]


def _print_cpu(paths: list[Path], readings: dict[str, Reading]) -> None:
    import pypdfium2

    pages = 0
    for path in paths:
        try:
            with pypdfium2.PdfDocument(path) as document:
                pages += len(document)
        except pypdfium2.PdfiumError:
            continue
    print(f"\nCPU a page, over {pages} pages:")
    seconds = {name: sum(reading.seconds[path] for path in paths) for name, reading in readings.items()}
    print(", ".join(f"{name} {total / pages * 1000:.1f} ms" for name, total in seconds.items()))


def _print_misses(files: list[marks.MarkedFile], reading: Reading) -> None:
    for marked in files:
        found = {marks.digest_sentence(text) for text in _split("Highlighter", reading.texts[marked.path])}
        for line in marked.path.with_suffix(".txt").read_text(encoding="utf-8").splitlines():
            if marks.digest_sentence(line) not in found:
                print(f"{marked.path.name}: {line}")


def _print_row(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    sys.exit(main())
