"""The measurement of readers: words, marks, and readers that are not installed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bench.reading import marks
from bench.reading.__main__ import compare_printed_words
from bench.reading.printed import list_printed_files
from bench.reading.readers import read_files
from bench.reading.words import compare_words

SAMPLE = Path(__file__).parents[2] / "samples" / "Harbour Works Contract.pdf"


@pytest.mark.parametrize(
    ("reference", "text", "missing", "extra", "out_of_order"),
    [
        ("The contractor gives notice.", "The contractor gives notice", 0, 0, 0),
        ("The con-\ntractor gives notice.", "the contractor\ngives notice", 0, 0, 0),
        ("one two three four", "one two three", 1 / 4, 0, 0),
        ("one two three four", "one two three four page 5", 0, 2 / 6, 0),
        ("one two three four", "three four one two", 0, 0, 2 / 4),
    ],
)
def test_words_are_counted_as_missing_extra_or_out_of_order(reference, text, missing, extra, out_of_order):
    difference = compare_words(reference, text)
    assert (difference.missing, difference.extra, difference.out_of_order) == pytest.approx(
        (missing, extra, out_of_order)
    )


def test_printed_files_are_compared_with_their_html_by_script_and_by_program():
    files = {file.kind: file for file in list_printed_files()}
    assert {"thai (browser)", "thai (office program)", "one page (browser)", "vertical (browser)"} <= files.keys()
    thai = files["thai (browser)"]
    exact = compare_printed_words(thai, thai.source)
    assert (exact.missing, exact.extra, exact.out_of_order) == (0, 0, 0)
    half = compare_printed_words(thai, thai.source[: len(thai.source) // 2])
    assert half.missing == pytest.approx(0.5, abs=0.05)
    assert compare_printed_words(thai, None).missing == 1


def test_sentence_is_wrong_when_it_is_cut_joined_or_has_other_words():
    marked = ["It rained.", "The mole, which is old, held.", "Nobody slept."]
    digests = [marks.digest_sentence(sentence) for sentence in marked]
    assert marks.count_wrong_sentences(digests, ["It rained .", "the mole which is old held", "Nobody slept."]) == 0
    assert (
        marks.count_wrong_sentences(digests, ["It rained.", "The mole,", "which is old, held.", "Nobody slept."]) == 1
    )
    assert marks.count_wrong_sentences(digests, ["It rained. The mole, which is old, held.", "Nobody slept. 5"]) == 3


def test_reader_runs_in_a_process_of_its_own_and_a_file_it_cannot_read_has_no_text(tmp_path):
    damaged = tmp_path / "damaged.pdf"
    damaged.write_bytes(b"%PDF-1.7")
    outcomes = read_files("pypdf", [SAMPLE, damaged])
    assert outcomes is not None
    (text, seconds), (no_text, _) = outcomes
    assert text is not None
    assert "Contract" in text
    assert seconds > 0
    assert no_text is None


def test_reader_that_is_not_installed_is_left_out(tmp_path):
    """A Python without any package stands for an environment without the peer."""
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
    bare.chmod(0o755)
    assert read_files("pypdf", [SAMPLE], str(bare)) is None


def test_marks_of_real_pages_are_stored_without_their_text():
    for page in json.loads(marks.REAL_PAGES.read_text(encoding="utf-8")):
        assert set(page) == {"file", "sha256", "page", "sentences"}
        assert all(len(digest) == 12 and digest.isalnum() for digest in page["sentences"])
