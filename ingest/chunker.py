"""Sentences into chunks: by section where sections are known, whole sentences, no heading left behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from highlighter.text.sentences import SplitSentence
from ingest.readers.extracted_document import Heading

# Tokens, as a language model would count them. About a dozen sentences: enough to be understood alone, little enough
# that a reader sees the lit sentence at once.
TARGET_TOKENS = 350
MAX_TOKENS = 1_000
MIN_TOKENS = 60  # nothing worth citing alone; joined to what follows, or, at the end, to what stands before
MAX_WHOLE_SECTION_TOKENS = TARGET_TOKENS * 3 // 2  # up to here a section is left whole
MAX_TITLE_CHARACTERS = 80  # characters of a heading in a section path
# A row of a table may be three tokens; forty of them are as much to look through as a dozen sentences.
MIN_SENTENCE_TOKENS = 10

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_LEAD_IN_ENDINGS = (":", "：")


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A chunk to be: `[start, end)` of the text, sentences `[first_sentence, last_sentence)`, and its section's path."""

    start: int
    end: int
    first_sentence: int
    last_sentence: int
    section: str


class _SentenceHeadings(NamedTuple):
    """What headings have to do with a sentence: those that open at it, and whether it is nothing but a heading."""

    headings: tuple[Heading, ...]
    is_heading: bool


class _SentenceRun(NamedTuple):
    """A run of sentences inside one section."""

    first: int
    last: int
    tokens: int
    heading_level: int | None  # of the heading it opens with; None: it goes on
    base_level: int  # the level of the section it began in: what follows may only join as a sibling or below


def split_into_chunks(text: str, sentences: list[SplitSentence], headings: tuple[Heading, ...]) -> list[ChunkSpan]:
    """Every sentence in exactly one piece, in order; a piece ends where a sentence does."""
    marks = _match_headings(sentences, headings)
    costs = [max(estimate_tokens(span.text), MIN_SENTENCE_TOKENS) for span in sentences]
    parts: list[_SentenceRun] = []
    for first, last in _iterate_sections(marks):
        parts += _split_section(text, sentences, marks, costs, first, last)
    paths = _build_section_paths(text, marks)
    pieces = []
    for part in _merge_small_runs(parts):
        body = next((at for at in range(part.first, part.last) if not marks[at].is_heading), part.last - 1)
        start, end = sentences[part.first].start_char, sentences[part.last - 1].end_char
        pieces.append(ChunkSpan(start, end, part.first, part.last, paths[body]))
    return pieces


def estimate_tokens(text: str) -> int:
    """A cheap count: four characters a token, but each character of a script written without spaces is one."""
    unspaced = 0 if text.isascii() else len(_UNSPACED.findall(text))
    return unspaced + ceil((len(text) - unspaced) / 4)


def _match_headings(sentences: list[SplitSentence], headings: tuple[Heading, ...]) -> list[_SentenceHeadings]:
    ordered = sorted(headings, key=lambda heading: heading.start)
    at, latest_end = 0, -1
    marks: list[_SentenceHeadings] = []
    for span in sentences:
        first = at
        while at < len(ordered) and ordered[at].start < span.end_char:
            latest_end = max(latest_end, ordered[at].end)
            at += 1
        marks.append(_SentenceHeadings(tuple(ordered[first:at]), span.end_char <= latest_end))
    return marks


def _iterate_sections(marks: list[_SentenceHeadings]) -> Iterator[tuple[int, int]]:
    """Runs of sentences: each begins with its headings (a chapter's directly before its first clause's, say)."""
    start = 0
    for at in range(1, len(marks)):
        if marks[at].headings and not marks[at - 1].is_heading:
            yield start, at
            start = at
    if marks:
        yield start, len(marks)


def _split_section(
    text: str, sentences: list[SplitSentence], marks: list[_SentenceHeadings], costs: list[int], first: int, last: int
) -> Iterator[_SentenceRun]:
    """One section, cut into parts of about equal size where it is too long for one chunk."""
    base = min((heading.level for mark in marks[first:last] for heading in mark.headings), default=0)
    left = sum(costs[first:last])
    ideal = left / max(1, round(left / TARGET_TOKENS))
    level = base or None
    while first < last:
        end = (
            last
            if left <= MAX_WHOLE_SECTION_TOKENS
            else _find_best_end(text, sentences, marks, costs, first, last, ideal)
        )
        cost = sum(costs[first:end])
        yield _SentenceRun(first, end, cost, level, base)
        first, left, level = end, left - cost, None


def _find_best_end(
    text: str,
    sentences: list[SplitSentence],
    marks: list[_SentenceHeadings],
    costs: list[int],
    first: int,
    last: int,
    ideal: float,
) -> int:
    """Where the part that begins at `first` best ends: near the ideal size, between paragraphs, not after a lead-in."""
    best, least = None, float("inf")
    fits = None  # the last end within the limit, for when a huge sentence leaves none near the ideal
    window = costs[first : min(last, first + MAX_TOKENS // MIN_SENTENCE_TOKENS + 1)]
    for end, size in enumerate(accumulate(window), first + 1):
        is_heading = marks[end - 1].is_heading
        if size > MAX_TOKENS and not (best or fits):
            return max(end - 1, first + 1) if is_heading else end  # headings alone, or one sentence with its headings
        if size > MAX_TOKENS or (best and size > 1.4 * ideal):
            break
        if is_heading:
            continue
        fits = end
        if size < 0.6 * ideal:
            continue
        gap = text[sentences[end - 1].end_char : sentences[end].start_char] if end < last else "\n\n"
        penalty = abs(size - ideal) / ideal + (0.0 if "\n\n" in gap else 0.25)
        penalty += 0.6 if sentences[end - 1].text.endswith(_LEAD_IN_ENDINGS) else 0.0
        if penalty < least:
            best, least = end, penalty
    return best or fits or end


def _merge_small_runs(parts: list[_SentenceRun]) -> list[_SentenceRun]:
    """Small siblings in one chunk; what is tiny goes with what follows it, at the end with what stands before."""
    joined: list[_SentenceRun] = []
    for part in parts:
        if joined and _can_merge(joined[-1], part):
            _merge_into_last(joined, part)
        else:
            joined.append(part)
    if len(joined) > 1 and joined[-1].tokens < MIN_TOKENS and joined[-1].heading_level != 1:
        tail = joined.pop()
        if joined[-1].tokens + tail.tokens <= MAX_TOKENS:
            _merge_into_last(joined, tail)
        else:
            joined.append(tail)
    return joined


def _can_merge(before: _SentenceRun, part: _SentenceRun) -> bool:
    size = before.tokens + part.tokens
    if before.tokens < MIN_TOKENS:
        return size <= MAX_TOKENS
    sibling = part.heading_level is not None and part.heading_level > 1 and part.heading_level >= before.base_level
    return sibling and size <= TARGET_TOKENS + MIN_TOKENS


def _merge_into_last(joined: list[_SentenceRun], part: _SentenceRun) -> None:
    before = joined[-1]
    base = min(before.base_level, part.base_level) if before.tokens >= MIN_TOKENS else part.base_level
    joined[-1] = _SentenceRun(before.first, part.last, before.tokens + part.tokens, before.heading_level, base)


def _build_section_paths(text: str, marks: list[_SentenceHeadings]) -> list[str]:
    """For each sentence the titles of the headings it stands under, from the highest down."""
    stack: list[tuple[int, str]] = []
    paths: list[str] = []
    path = ""
    for mark in marks:
        for heading in mark.headings:
            stack = [item for item in stack if item[0] < heading.level] + [
                (heading.level, _format_title(text, heading))
            ]
            path = " > ".join(title for _, title in stack if title)
        paths.append(path)
    return paths


def _format_title(text: str, heading: Heading) -> str:
    title = " ".join(text[heading.start : heading.end].split())
    if re.fullmatch(r"\d+(?:\.\d+)*\.?", title):
        return title.rstrip(".")
    return title if len(title) <= MAX_TITLE_CHARACTERS else title[: MAX_TITLE_CHARACTERS - 1].rstrip() + "…"
