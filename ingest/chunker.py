"""Group sentences into chunks: by section where sections are known, whole sentences, no heading left behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from highlighter.text.sentences import SplitSentence
from ingest.readers.extracted_document import Heading

# Tokens as a language model counts them. About a dozen sentences: enough to be understood alone, few enough for a
# reader to see the highlighted sentence at once.
TARGET_TOKENS = 350
MAX_TOKENS = 1_000
MIN_TOKENS = 60  # too little to cite alone: joined to the next run, or at the end to the previous one
MAX_WHOLE_SECTION_TOKENS = TARGET_TOKENS * 3 // 2  # a section up to this size stays whole
MAX_TITLE_CHARACTERS = 80  # of a heading in a section path
# A table row may have three tokens; forty rows are as much to look through as a dozen sentences.
MIN_SENTENCE_TOKENS = 10

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_LEAD_IN_ENDINGS = (":", "：")


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A chunk's span `[start, end)` of the text, its sentences `[first_sentence, last_sentence)` and section path."""

    start: int
    end: int
    first_sentence: int
    last_sentence: int
    section: str


class _SentenceHeadings(NamedTuple):
    """The headings that open at a sentence, and whether the sentence is nothing but a heading."""

    headings: tuple[Heading, ...]
    is_heading: bool


class _Draft(NamedTuple):
    """A text with its sentences, their headings and their token counts."""

    text: str
    sentences: list[SplitSentence]
    headings: list[_SentenceHeadings]
    token_counts: list[int]


class _SentenceRun(NamedTuple):
    """A run of sentences inside one section."""

    first: int
    last: int
    tokens: int
    heading_level: int | None  # of the heading it opens with; None when it continues a section
    base_level: int  # of the section it began in: the next run may join only as a sibling or below


def split_into_chunks(text: str, sentences: list[SplitSentence], headings: tuple[Heading, ...]) -> list[ChunkSpan]:
    """Return the chunks in order: every sentence is in exactly one chunk, and a chunk ends where a sentence ends."""
    sentence_headings = _match_headings(sentences, headings)
    token_counts = [max(estimate_tokens(span.text), MIN_SENTENCE_TOKENS) for span in sentences]
    runs: list[_SentenceRun] = []
    for first, last in _iterate_sections(sentence_headings):
        runs += _split_section(_Draft(text, sentences, sentence_headings, token_counts), first, last)
    section_paths = _build_section_paths(text, sentence_headings)
    chunk_spans = []
    for run in _merge_small_runs(runs):
        first_body = next(
            (index for index in range(run.first, run.last) if not sentence_headings[index].is_heading), run.last - 1
        )
        start, end = sentences[run.first].start_char, sentences[run.last - 1].end_char
        chunk_spans.append(ChunkSpan(start, end, run.first, run.last, section_paths[first_body]))
    return chunk_spans


def estimate_tokens(text: str) -> int:
    """Return an estimate of tokens: one for four characters, or for each character of a script without spaces."""
    unspaced_count = 0 if text.isascii() else len(_UNSPACED.findall(text))
    return unspaced_count + ceil((len(text) - unspaced_count) / 4)


def _match_headings(sentences: list[SplitSentence], headings: tuple[Heading, ...]) -> list[_SentenceHeadings]:
    """Return for each sentence the headings that open at it."""
    ordered = sorted(headings, key=lambda heading: heading.start)
    position, latest_end = 0, -1
    matched: list[_SentenceHeadings] = []
    for span in sentences:
        first = position
        while position < len(ordered) and ordered[position].start < span.end_char:
            latest_end = max(latest_end, ordered[position].end)
            position += 1
        matched.append(_SentenceHeadings(tuple(ordered[first:position]), span.end_char <= latest_end))
    return matched


def _iterate_sections(sentence_headings: list[_SentenceHeadings]) -> Iterator[tuple[int, int]]:
    """Yield the sentence ranges of sections; each begins with its headings.

    The heading of a chapter may directly precede that of its first clause.
    """
    start = 0
    for index in range(1, len(sentence_headings)):
        if sentence_headings[index].headings and not sentence_headings[index - 1].is_heading:
            yield start, index
            start = index
    if sentence_headings:
        yield start, len(sentence_headings)


def _split_section(draft: _Draft, first: int, last: int) -> Iterator[_SentenceRun]:
    """Yield a section's runs: the section itself, or parts of about equal size where it is too long for one chunk."""
    base_level = min(
        (heading.level for sentence in draft.headings[first:last] for heading in sentence.headings), default=0
    )
    remaining = sum(draft.token_counts[first:last])
    ideal_tokens = remaining / max(1, round(remaining / TARGET_TOKENS))
    level = base_level or None
    while first < last:
        end = last if remaining <= MAX_WHOLE_SECTION_TOKENS else _find_best_end(draft, first, last, ideal_tokens)
        tokens = sum(draft.token_counts[first:end])
        yield _SentenceRun(first, end, tokens, level, base_level)
        first, remaining, level = end, remaining - tokens, None


def _find_best_end(draft: _Draft, first: int, last: int, ideal_tokens: float) -> int:
    """Return the best end of a run: near the ideal size, between paragraphs, not after a lead-in."""
    best, lowest_penalty = None, float("inf")
    last_fitting_end = None  # within the limit, used when a huge sentence leaves no end near the ideal size
    sentences = draft.sentences
    window = draft.token_counts[first : min(last, first + MAX_TOKENS // MIN_SENTENCE_TOKENS + 1)]
    for end, size in enumerate(accumulate(window), first + 1):
        is_heading = draft.headings[end - 1].is_heading
        if size > MAX_TOKENS and not (best or last_fitting_end):
            return max(end - 1, first + 1) if is_heading else end  # headings alone, or one sentence with its headings
        if size > MAX_TOKENS or (best and size > 1.4 * ideal_tokens):
            break
        if is_heading:
            continue
        last_fitting_end = end
        if size < 0.6 * ideal_tokens:
            continue
        gap = draft.text[sentences[end - 1].end_char : sentences[end].start_char] if end < last else "\n\n"
        penalty = abs(size - ideal_tokens) / ideal_tokens + (0.0 if "\n\n" in gap else 0.25)
        penalty += 0.6 if sentences[end - 1].text.endswith(_LEAD_IN_ENDINGS) else 0.0
        if penalty < lowest_penalty:
            best, lowest_penalty = end, penalty
    return best or last_fitting_end or end


def _merge_small_runs(runs: list[_SentenceRun]) -> list[_SentenceRun]:
    """Merge small sibling runs; a tiny run goes with the next one, or at the end with the previous one."""
    merged: list[_SentenceRun] = []
    for run in runs:
        if merged and _can_merge(merged[-1], run):
            _merge_into_last(merged, run)
        else:
            merged.append(run)
    if len(merged) > 1 and merged[-1].tokens < MIN_TOKENS and merged[-1].heading_level != 1:
        last = merged.pop()
        if merged[-1].tokens + last.tokens <= MAX_TOKENS:
            _merge_into_last(merged, last)
        else:
            merged.append(last)
    return merged


def _can_merge(before: _SentenceRun, run: _SentenceRun) -> bool:
    size = before.tokens + run.tokens
    if before.tokens < MIN_TOKENS:
        return size <= MAX_TOKENS
    is_sibling = run.heading_level is not None and run.heading_level > 1 and run.heading_level >= before.base_level
    return is_sibling and size <= TARGET_TOKENS + MIN_TOKENS


def _merge_into_last(merged: list[_SentenceRun], run: _SentenceRun) -> None:
    before = merged[-1]
    base_level = min(before.base_level, run.base_level) if before.tokens >= MIN_TOKENS else run.base_level
    merged[-1] = _SentenceRun(before.first, run.last, before.tokens + run.tokens, before.heading_level, base_level)


def _build_section_paths(text: str, sentence_headings: list[_SentenceHeadings]) -> list[str]:
    """Return for each sentence the titles of the headings above it, from the highest level down."""
    stack: list[tuple[int, str]] = []
    paths: list[str] = []
    path = ""
    for sentence in sentence_headings:
        for heading in sentence.headings:
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
