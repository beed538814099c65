"""Locate quotes that leave words out: the fragments between ellipses must follow one another in the text, near each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise

from rapidfuzz.distance import Prefix

from highlighter.locale import N_
from highlighter.quotes.fuzzy_search import find_occurrences, is_word_boundary
from highlighter.quotes.match import FUZZY, NONE, OMISSION, QuoteMatch
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.quotes.restrictions import find_bound_restriction
from highlighter.quotes.significance import (
    MIN_EXACT_STRENGTH,
    MIN_FUZZY_STRENGTH,
    NumberCounter,
    count_numbers,
    measure_strength,
)
from highlighter.quotes.word_diff import ADDED, CHANGED, DROPPED, SAME, DiffSegment
from highlighter.text.sentences import split_sentences

_DOTS = r"(?:\.{3,}|(?:\.\s){2,}\.|…+|⋯+|。{3,})"
ELLIPSIS = rf"[\[(（【［〔]\s*+{_DOTS}\s*+[\])）】］〕]|{_DOTS}"
# What the author of a quote adds in brackets: words in place of others ("[the Client]"), but no number or mark ("[12]", "[*]").
_GAP = re.compile(rf"(?P<ellipsis>{ELLIPSIS})|\[(?P<inserted>[^\W\d_][^\[\]\d]{{0,80}})\]")
_BRACKETED_LETTERS = re.compile(r"\[([^\W\d_]{1,3})\](?=[^\W\d_])")  # "[t]he": a marked change of case
_REMARK = re.compile(  # tried once in a run of spaces, not at each of them
    r"(?<!\s)\s*[\[(](?:sic|emphasis (?:added|mine|in (?:the )?original)|粗[体體]后加|着重号为引者所加)[!.]?[\])]",
    re.IGNORECASE,
)

# How many characters of the normal form an ellipsis, and a word in brackets, may stand for.
MAX_ELLIPSIS_CHARACTERS, MAX_INSERTION_CHARACTERS = 3_000, 80  # a page; a few words
# A sentence can be recognised as joined to another one from this strength on.
MIN_SENTENCE_STRENGTH = 3
# Each fragment that is not verbatim, or replaced in brackets, or joined without an ellipsis, lowers the score.
UNMARKED_GAP_FACTOR = 0.99
# A quote that joins sentences of the text is followed in so many places, up to so many sentences, and goes on with so
# many characters after each.
MAX_JOINED_PLACES, MAX_JOINED_FRAGMENTS, SEAM_CHARACTERS = 10, 4, 16
_SENTENCE_ENDS = frozenset(".;:!?。；：！？।؟")
# A quote with more fragments is a collage.
MAX_FRAGMENTS = 40
# Fragments from which the others are looked for, occurrences of each, and places where others may be only similar.
MAX_ANCHORS, MAX_ANCHOR_OCCURRENCES, MAX_SIMILAR_PLACES = 3, 300, 4

MatchFunction = Callable[[ComparableText, str], QuoteMatch | None]
NormalSpan = tuple[int, int]


@dataclass(frozen=True)
class QuoteFragment:
    """A run of a quote that the text should hold as it is, and what the quote has in place of the words before it."""

    text: str
    max_gap_characters: int = 0
    inserted_words: str = ""
    is_gap_marked: bool = True

    @cached_property
    def normal_text(self) -> str:
        return normalise_text(self.text).text

    @cached_property
    def strength(self) -> float:
        return measure_strength(self.text)


def remove_remarks(quote: str) -> str:
    """Return the quote without marked changes of case ("[t]he") and remarks of its author ("[sic]")."""
    return _REMARK.sub("", _BRACKETED_LETTERS.sub(r"\1", quote))


def split_at_gaps(quote: str) -> list[QuoteFragment]:
    """Return the fragments between ellipses and inserted words; an empty list if the quote has none of them."""
    fragments: list[QuoteFragment] = []
    position, limit, inserted = 0, 0, ""
    for match in [*_GAP.finditer(quote), None]:
        fragment = QuoteFragment(quote[position : match.start() if match else len(quote)], limit, inserted)
        if fragment.normal_text:
            fragments.append(fragment)
            limit, inserted = 0, ""
        if match:
            position = match.end()
            limit = max(limit, MAX_ELLIPSIS_CHARACTERS if match["ellipsis"] else MAX_INSERTION_CHARACTERS)
            inserted = inserted or (match.group() if match["inserted"] else "")
    return fragments if len(fragments) > 1 or any(fragment.inserted_words for fragment in fragments) else []


def split_joined_sentences(quote: str) -> list[QuoteFragment]:
    """Return the sentences of a quote as fragments, since it may leave out sentences between them without an ellipsis."""
    sentences = [sentence.text for sentence in split_sentences(quote)]
    if len(sentences) < 2 or any(measure_strength(sentence) < MIN_SENTENCE_STRENGTH for sentence in sentences):
        return []
    return [QuoteFragment(sentence, MAX_ELLIPSIS_CHARACTERS, is_gap_marked=False) for sentence in sentences]


def split_at_text_ends(text: ComparableText, quote: str) -> list[QuoteFragment]:
    """Return the fragments of a quote that leaves out whole sentences or lines of the text without an ellipsis.

    The text decides where they end, so that headings, list items and clauses without a period are fragments, too.
    """
    normal_quote = normalise_text(quote)
    head = normal_quote.text[:SEAM_CHARACTERS]
    for start in islice(find_occurrences(text.normal_form.text, head), MAX_JOINED_PLACES):
        if cuts := _follow_quote(text, normal_quote.text, start):
            edges = [0, *(int(normal_quote.offsets[cut]) for cut in cuts), len(quote)]
            return [
                QuoteFragment(quote[first:last], MAX_ELLIPSIS_CHARACTERS, is_gap_marked=False)
                for first, last in pairwise(edges)
            ]
    return []


def _follow_quote(text: ComparableText, normal_quote: str, start: int) -> list[int]:
    """Return the offsets of a quote at which the text from `start` on has more sentences or lines; none if it ends before."""
    normal_text, position, cuts = text.normal_form.text, 0, list[int]()
    while len(cuts) < MAX_JOINED_FRAGMENTS:
        rest = normal_quote[position:]
        same = Prefix.similarity(rest, normal_text[start : start + len(rest)])
        if same == len(rest):
            return cuts
        for cut in range(same, max(same - SEAM_CHARACTERS, 0), -1):
            if not _is_text_end(text, start + cut):
                continue
            seed, high = rest[cut : cut + SEAM_CHARACTERS], start + cut + MAX_ELLIPSIS_CHARACTERS
            continued = find_occurrences(normal_text, seed, start + cut + 1, high)
            if next_start := next((offset for offset in continued if _is_text_end(text, offset)), 0):
                cuts.append(position + cut)
                position, start = position + cut, next_start
                break
        else:
            return []
    return []


def _is_text_end(text: ComparableText, index: int) -> bool:
    """Return whether a sentence, a clause or a paragraph of the text ends before a character of its normal form."""
    offsets = text.normal_form.offsets
    if not 0 < index < len(offsets):
        return True
    last, following = int(offsets[index - 1]), int(offsets[index])
    between = text.text[last + 1 : following]
    is_new_line = "\n" in between and not text.text[following].islower()
    is_stop = text.text[last] in _SENTENCE_ENDS and (between.strip() != between or not text.text[last].isascii())
    return is_stop or "\n\n" in between or is_new_line


def find_fragments(
    text: ComparableText, fragments: Sequence[QuoteFragment], match_words: MatchFunction
) -> list[QuoteMatch]:
    """Return where the fragments follow one another: matches, or near misses if a gap or fragment changes the meaning.

    Words decide as everywhere: each fragment must be verbatim, or match by `match_words`.
    """
    if len(fragments) > MAX_FRAGMENTS or sum(fragment.strength for fragment in fragments) < MIN_FUZZY_STRENGTH:
        return []
    search = _FragmentSearch(text, fragments, match_words)
    return [_join_matches(text, fragments, placed) for placed in search.find_places()]


class _FragmentSearch:
    """The search for the fragments of one quote, from its strongest fragments to the others."""

    def __init__(self, text: ComparableText, fragments: Sequence[QuoteFragment], match_words: MatchFunction):
        self.text, self.normal_text = text, text.normal_form.text
        self.fragments, self.match_words = fragments, match_words
        self.number_counter = NumberCounter(text.text)
        self.numbers = [count_numbers(fragment.text) for fragment in fragments]

    def find_places(self) -> list[list[QuoteMatch]]:
        """Return the matches of all fragments at each place where they follow one another."""
        by_strength = sorted(range(len(self.fragments)), key=lambda index: -self.fragments[index].strength)
        anchors = [index for index in by_strength[:MAX_ANCHORS] if self.fragments[index].strength >= MIN_EXACT_STRENGTH]
        occurrences_by_anchor = {
            index: list(islice(self._find_verbatim(index, 0, len(self.normal_text)), MAX_ANCHOR_OCCURRENCES))
            for index in anchors
        }
        for index, spans in occurrences_by_anchor.items():
            if places := [place for span in spans if (place := self._place_verbatim(index, span))]:
                return places
        occurrences = [(index, span) for index, spans in occurrences_by_anchor.items() for span in spans]
        for index, span in occurrences[:MAX_SIMILAR_PLACES]:
            if place := self._place_similar(index, self._make_match(span)):
                return [place]
        if anchors and not any(occurrences_by_anchor.values()):
            match = self.match_words(self.text, self.fragments[anchors[0]].text)
            place = self._place_similar(anchors[0], match) if match and match.score else None
            return [place] if place else []
        return []

    def _find_verbatim(self, index: int, low: int, high: int) -> Iterator[NormalSpan]:
        """Yield the spans between two offsets of the normal form that hold a fragment."""
        words = self.fragments[index].normal_text
        for start in find_occurrences(self.normal_text, words, low, high):
            span = self.text.normal_form.original_span(start, start + len(words))
            if (
                all(is_word_boundary(self.text.text, edge) for edge in span)
                and self.number_counter.count(*span) == self.numbers[index]
            ):
                yield start, start + len(words)

    def _place_verbatim(self, anchor: int, span: NormalSpan) -> list[QuoteMatch] | None:
        """Return the matches around an occurrence of one fragment, all of them verbatim."""
        spans = {anchor: span}
        for index in range(anchor + 1, len(self.fragments)):
            low = spans[index - 1][1]
            high = low + self.fragments[index].max_gap_characters + len(self.fragments[index].normal_text)
            nearest = next(self._find_verbatim(index, low, high), None)
            if nearest is None:
                return None
            spans[index] = nearest
        for index in range(anchor - 1, -1, -1):
            high = spans[index + 1][0]
            low = max(high - self.fragments[index + 1].max_gap_characters - len(self.fragments[index].normal_text), 0)
            *_, nearest = [None, *self._find_verbatim(index, low, high)]
            if nearest is None:
                return None
            spans[index] = nearest
        return [self._make_match(spans[index]) for index in range(len(self.fragments))]

    def _place_similar(self, anchor: int, match: QuoteMatch) -> list[QuoteMatch] | None:
        """Return the matches around the match of one fragment, each verbatim or similar."""
        matches = {anchor: match}
        for index in (*range(anchor + 1, len(self.fragments)), *range(anchor - 1, -1, -1)):
            is_after = index > anchor
            gap = self.fragments[index if is_after else index + 1].max_gap_characters
            reach = 2 * gap + 3 * len(self.fragments[index].text)  # white space is not part of the normal form
            neighbour = matches[index - 1 if is_after else index + 1]
            start = neighbour.end if is_after else max(neighbour.start - reach, 0)
            window = ComparableText(self.text.text[start : start + reach if is_after else neighbour.start])
            found = self.match_words(window, self.fragments[index].text) or self._match_weak(index, window, is_after)
            if found is None or not found.score:
                return None
            matches[index] = found = found.shift(start)
            between = (
                self.text.text[neighbour.end : found.start] if is_after else self.text.text[found.end : neighbour.start]
            )
            if len(normalise_text(between).text) > gap:
                return None
        return [matches[index] for index in range(len(self.fragments))]

    def _match_weak(self, index: int, window: ComparableText, is_after: bool) -> QuoteMatch | None:
        """Return the nearest occurrence of a fragment with too few words to be located by itself."""
        search = _FragmentSearch(window, [self.fragments[index]], self.match_words)
        spans = list(search._find_verbatim(0, 0, len(window.normal_form.text)))
        return search._make_match(spans[0 if is_after else -1]) if spans else None

    def _make_match(self, span: NormalSpan) -> QuoteMatch:
        return QuoteMatch(FUZZY, *self.text.normal_form.original_span(*span), 1.0)


def _join_matches(
    text: ComparableText, fragments: Sequence[QuoteFragment], matches: Sequence[QuoteMatch]
) -> QuoteMatch:
    """Return the matches of all fragments as one, with what the quote leaves out as differences."""
    segments: list[DiffSegment] = []
    words_before = ["", *(text.text[match.start : match.end] for match in matches)]
    left_out = ["", *(text.text[left.end : right.start].strip() for left, right in pairwise(matches))]
    for fragment, match, omitted in zip(fragments, matches, left_out, strict=True):
        if omitted or fragment.inserted_words:
            kind = ADDED if not fragment.inserted_words else CHANGED if omitted else DROPPED
            segments.append(DiffSegment(kind, fragment.inserted_words, omitted))
        segments += match.differs or [DiffSegment(SAME, fragment.text.strip(), text.text[match.start : match.end])]
    weights = [len(fragment.normal_text) for fragment in fragments]
    score = sum(weight * match.score for weight, match in zip(weights, matches, strict=True)) / sum(weights)
    if any(fragment.inserted_words or not fragment.is_gap_marked for fragment in fragments):
        score *= UNMARKED_GAP_FACTOR
    spans = tuple((match.start, match.end) for match in matches)
    joined = QuoteMatch(
        FUZZY, spans[0][0], spans[-1][1], score, tuple(segments), spans=merge_touching_spans(text, spans)
    )
    altered = next((match for match in matches if match.tier == NONE), None)
    if altered:
        return replace(joined, tier=NONE, why=altered.why, reason=altered.reason)
    restriction = next(filter(None, map(find_bound_restriction, words_before, left_out)), "")
    if restriction:
        return replace(
            joined, tier=NONE, why=N_("The quote leaves out “{restriction}”.", restriction=restriction), reason=OMISSION
        )
    return joined


def merge_touching_spans(text: ComparableText, spans: tuple[NormalSpan, ...]) -> tuple[NormalSpan, ...]:
    """Return the spans, those with only white space between them joined."""
    merged = [spans[0]]
    for start, end in spans[1:]:
        if text.text[merged[-1][1] : start].strip():
            merged.append((start, end))
        else:
            merged[-1] = merged[-1][0], end
    return tuple(merged)


def list_innermost_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans that enclose no other: where two places share a fragment, the one with the smaller gap."""
    innermost: list[tuple[int, int]] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        while innermost and innermost[-1][1] >= end:
            innermost.pop()
        innermost.append((start, end))
    return innermost
