"""Differences between two wordings, word by word; spelling, case and spacing alone are no difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rapidfuzz.distance import Indel, Levenshtein

from highlighter.locale import N_
from highlighter.quotes.normal_form import normalise_letters, normalise_text
from highlighter.quotes.significance import (
    NEGATION_SIGN,
    count_significant_words,
    is_number,
    is_ocr_confusion,
)
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.negations import find_endings, is_negated_turkish, is_negated_word, is_turkish
from highlighter.text.numerals import TIME_UNITS, Quantity, find_quantities
from highlighter.text.opposites import find_opposites
from highlighter.text.synonyms import are_synonyms
from highlighter.text.terms import CJK_RANGES, is_cjk, stem_word

SAME, CHANGED, DROPPED, ADDED = "same", "changed", "dropped", "added"
# What kind of difference changes the meaning.
OTHER_NUMBER, OTHER_NEGATION, OTHER_WORDS = "number", "negation", "words"

# Below this similarity a word was replaced by another one; above it, the word was mistyped.
MIN_TYPO_SIMILARITY = 0.5
# Names and opposites are often similar ("Tenant" and "Client", "increase" and "decrease").
MIN_NAME_TYPO_SIMILARITY = 0.6
# A quote of this many words may exchange two of them for synonyms; a shorter one, one.
MIN_WORDS_FOR_TWO_EXCHANGES = 10
# How many words a quote may leave out without an ellipsis, and exchange, beside how many that are the same.
MAX_DROPPED_WORDS, MAX_EXCHANGED_WORDS, MIN_WORDS_OF_SHORTENED_QUOTE = 4, 2, 7

NUMBER_KEY = "#"  # begins the key of a number, which is the same in all its forms
_SIGNIFICANT_EXCHANGES = ({"and", "or"}, {"is", "was"})
_ROLE = compile_later(r"(\w{3,})(or|er|ee)s?")
_CAPITALISED = compile_later(r"[A-ZÀ-ÞΑ-ΩА-Я][^\W\d_]*[a-zß-ÿ]['’]?\w*[.,;:]?")
_EXPONENT = compile_later(r"\u207b[\u2070\xb9\xb2\xb3\u2074-\u2079]+|\^\{?[-\u2212–+]?\d+\}?")  # 10⁻³, 10^6
_EXPONENT_OF_LETTER = compile_later(r"[^\W\d_](?:\^\{?[-\u2212–+]?|\u207b)$")
_NEGATIVE_NUMBER = compile_later(r"-\d")
# A word, including one hyphenated at a line end, or a single ideograph.
_TOKEN = compile_later(
    rf"[{CJK_RANGES}]|(?:[^\s{CJK_RANGES}]*[^\W\d_{CJK_RANGES}][-‐\u00ad]\s+(?=[^\W\d_{CJK_RANGES}]))*[^\s{CJK_RANGES}]+"
)


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """A run of words: `ours` is the wording of the quote (or the old version), `theirs` that of the text."""

    kind: str
    ours: str
    theirs: str


class MeaningChange(NamedTuple):
    """A difference that changes what a quote says, and a sentence for users about it."""

    reason: str  # OTHER_NUMBER, OTHER_NEGATION or OTHER_WORDS
    why: str


def diff_words(quote: str, text: str, are_numbers_whole: bool = False) -> tuple[DiffSegment, ...]:
    """Return a quote (or an old version) and a text, both complete, as segments.

    The segments are the same, changed, dropped by the text or added by the text. Whole numbers are one word with their
    unit and the same in all their forms.
    """
    left, right = (tokenize(words, are_numbers_whole) for words in (quote, text))
    steps = Levenshtein.opcodes([key for key, _, _ in left], [key for key, _, _ in right])
    segments: list[DiffSegment] = []
    for step in steps:
        quote_words = _text_of_tokens(quote, left, step.src_start, step.src_end)
        text_words = _text_of_tokens(text, right, step.dest_start, step.dest_end)
        kind = {"equal": SAME, "replace": CHANGED, "delete": DROPPED, "insert": ADDED}[step.tag]
        segments.append(DiffSegment(kind, quote_words, text_words))
    return tuple(segments)


def merge_numbers(segments: tuple[DiffSegment, ...]) -> tuple[DiffSegment, ...]:
    """Return the segments with a number that stands for another, or for another form of it, in one segment: 15, 十五."""
    merged: list[DiffSegment] = []
    for is_same, run in groupby(segments, key=lambda segment: segment.kind == SAME):
        adjacent = list(run)
        ours, theirs = _join_words(s.ours for s in adjacent), _join_words(s.theirs for s in adjacent)
        if not is_same and _is_number(ours) and _is_number(theirs):
            adjacent = [DiffSegment(CHANGED, ours, theirs)]
        merged += adjacent
    return tuple(merged)


def find_meaning_change(segments: tuple[DiffSegment, ...]) -> MeaningChange | None:
    """Return the first difference that changes the meaning; None when they are only typing errors and light synonyms."""
    word_count = sum(len(tokenize(segment.ours)) for segment in segments)
    exchanged_count = 0
    for segment in _list_differences(segments):
        if significant_change := _find_significant_change(
            segment
        ):  # segment by segment: two changes that cancel out are still two
            return describe_change(significant_change)
        if segment.kind != CHANGED:
            continue
        quote_words, text_words = _strip_words(segment.ours), _strip_words(segment.theirs)
        if (
            _is_negated_form(quote_words, text_words, segments)
            or _is_negated_form(text_words, quote_words, segments)
            or {quote_words, text_words} in _SIGNIFICANT_EXCHANGES
        ):
            return describe_change(segment)
        if _is_role_exchange(quote_words, text_words):
            return describe_change(segment)
        similarity = Indel.normalized_similarity(quote_words, text_words)
        if similarity < MIN_NAME_TYPO_SIMILARITY and _is_name_or_opposite_exchange(segment):
            return describe_change(segment)
        if not is_cjk(quote_words) and similarity < MIN_TYPO_SIMILARITY:
            exchanged_count += len(tokenize(segment.ours))
    if exchanged_count > max(_count_allowed_exchanges(word_count), word_count // 10):
        return MeaningChange(OTHER_WORDS, N_("Too many words differ."))
    return None


def find_number_conflict(segments: tuple[DiffSegment, ...]) -> MeaningChange | None:
    """Return the first number that stands where another number, or the same of another currency, is in the text.

    The segments have whole numbers. A number that only lost its unit to a typing error is not in conflict.
    """
    for segment in segments:
        if segment.kind != CHANGED:
            continue
        ours, theirs = list(find_quantities(segment.ours)), list(find_quantities(segment.theirs))
        if len(ours) == len(theirs) and any(map(_is_conflict, ours, theirs)):
            return describe_change(segment)
    return None


def _is_conflict(ours: Quantity, theirs: Quantity) -> bool:
    units = [quantity.form.removeprefix("-").removeprefix(quantity.value) for quantity in (ours, theirs)]
    is_other_unit = all(units) and units[0] != units[1] and len(ours.parts) == len(theirs.parts) == 1
    return ours.value != theirs.value or is_other_unit


def is_shortened(segments: tuple[DiffSegment, ...]) -> bool:
    """Return whether a quote only leaves out a few words of the text, or exchanges one or two, and keeps both ends."""
    sizes = dict.fromkeys((SAME, CHANGED, DROPPED, ADDED), 0)
    for segment in segments:
        sizes[segment.kind] += max(len(tokenize(segment.ours)), len(tokenize(segment.theirs)))
    return (
        segments[0].kind == segments[-1].kind == SAME
        and sizes[SAME] >= max(MIN_WORDS_OF_SHORTENED_QUOTE, 2 * (sizes[ADDED] + sizes[CHANGED] + sizes[DROPPED]))
        and sizes[ADDED] <= MAX_DROPPED_WORDS
        and sizes[CHANGED] <= MAX_EXCHANGED_WORDS
        and not sizes[DROPPED]
    )


def _count_allowed_exchanges(word_count: int) -> int:
    return 2 if word_count >= MIN_WORDS_FOR_TWO_EXCHANGES else 1


def _strip_words(words: str) -> str:
    return normalise_text(words).text.strip(".,;:")


def _list_differences(segments: tuple[DiffSegment, ...]) -> list[DiffSegment]:
    """Return the segments that differ in more than the form of a number ("50,000", "fifty thousand")."""
    differences: list[DiffSegment] = []
    for is_same, run in groupby(segments, key=lambda segment: segment.kind == SAME):
        adjacent = list(run)
        ours, theirs = _join_words(s.ours for s in adjacent), _join_words(s.theirs for s in adjacent)
        if not is_same and not _are_same_numbers(ours, theirs) and not are_synonyms(ours, theirs):
            differences += adjacent
    return differences


def _join_words(words: Iterable[str]) -> str:
    """Return adjacent words as one text, with spaces except between ideographs: 三 and 十 are 三十."""
    joined = ""
    for word in filter(None, words):
        joined += word if not joined or (is_cjk(joined[-1]) and is_cjk(word[0])) else f" {word}"
    return joined


def _are_same_numbers(ours: str, theirs: str) -> bool:
    """Return whether both are the same numbers in any form, and nothing else."""
    left, right = list(find_quantities(ours)), list(find_quantities(theirs))
    return (
        bool(left)
        and [quantity.form for quantity in left] == [quantity.form for quantity in right]
        and all(
            sum(quantity.end - quantity.start for quantity in quantities) >= len(words.strip(" .,;:"))
            for quantities, words in ((left, ours), (right, theirs))
        )
    )


def _is_number(words: str) -> bool:
    quantities = list(find_quantities(words))
    return len(quantities) == 1 and quantities[0].end - quantities[0].start >= len(words.strip(" .,;:"))


def _is_role_exchange(word: str, other: str) -> bool:
    """Return whether one party stands for the other one ("licensor", "licensee")."""
    left, right = _ROLE.fullmatch(word), _ROLE.fullmatch(other)
    return bool(left and right and left[1] == right[1] and (left[2] == "ee") != (right[2] == "ee"))


def _is_name_or_opposite_exchange(segment: DiffSegment) -> bool:
    """Return whether one name or defined term stands for another ("Client", "Contractor"), or a word for its opposite."""
    ours, theirs = _strip_words(segment.ours), _strip_words(segment.theirs)
    if _CAPITALISED.fullmatch(segment.ours) and _CAPITALISED.fullmatch(segment.theirs):
        return not (ours.startswith(theirs) or theirs.startswith(ours))  # cut short: "Pro" for "Project"
    stems = [{stem_word(word) for word in normalise_letters(words).split()} for words in (segment.ours, segment.theirs)]
    return any(find_opposites(stem) & stems[1] for stem in stems[0])


def _find_significant_change(segment: DiffSegment) -> DiffSegment | None:
    """Return the words of a segment whose numbers or negations differ, except where OCR confused them."""
    left, right = tokenize(segment.ours), tokenize(segment.theirs)
    pairs = [(segment.ours, segment.theirs)]
    if len(left) == len(right):
        pairs = [(segment.ours[a:b], segment.theirs[c:d]) for (_, a, b), (_, c, d) in zip(left, right, strict=True)]
    for quote_words, text_words in pairs:
        if count_significant_words(quote_words) != count_significant_words(text_words) and not is_ocr_confusion(
            quote_words, text_words
        ):
            return DiffSegment(segment.kind, quote_words, text_words)
    return None


def _is_negated_form(word: str, base: str, segments: tuple[DiffSegment, ...]) -> bool:
    """Return whether a word negates another by a prefix or, in Turkish text, by its ending."""
    if is_negated_word(word, base):
        return True
    return is_negated_turkish(word, base) and is_turkish(" ".join(segment.theirs for segment in segments))


def find_changed_ending(quote: str, text: str, segments: tuple[DiffSegment, ...]) -> MeaningChange | None:
    """Return the change of the meaning if a Japanese or Korean negation or restriction is in one of two wordings only.

    Such endings run over several letters, and the segments of a difference over some of them.
    """
    ours, theirs = (Counter(label for _, _, label in find_endings(normalise_letters(words))) for words in (quote, text))
    different = next((segment for segment in segments if segment.kind != SAME), None)
    if ours == theirs or different is None:
        return None
    is_negation = ours[NEGATION_SIGN] != theirs[NEGATION_SIGN]
    return describe_change(different)._replace(reason=OTHER_NEGATION if is_negation else OTHER_WORDS)


def describe_change(segment: DiffSegment) -> MeaningChange:
    """Return a segment that differs as a change of the meaning."""
    reason = _classify_change(segment)
    if not segment.theirs:
        return MeaningChange(reason, N_("The quote says “{quote_words}”, the text does not.", quote_words=segment.ours))
    if not segment.ours:
        return MeaningChange(
            reason, N_("The text says “{source_words}”, the quote does not.", source_words=segment.theirs)
        )
    return MeaningChange(
        reason,
        N_(
            "The text says “{source_words}” where the quote says “{quote_words}”.",
            source_words=segment.theirs,
            quote_words=segment.ours,
        ),
    )


def _classify_change(segment: DiffSegment) -> str:
    quote_words, text_words = count_significant_words(segment.ours), count_significant_words(segment.theirs)
    if quote_words[NEGATION_SIGN] != text_words[NEGATION_SIGN]:
        return OTHER_NEGATION
    differing = (quote_words - text_words) + (text_words - quote_words)
    forms = [[quantity.form for quantity in find_quantities(words)] for words in (segment.ours, segment.theirs)]
    if any(is_number(word) for word in differing) or forms[0] != forms[1]:
        return OTHER_NUMBER
    quote_word, text_word = _strip_words(segment.ours), _strip_words(segment.theirs)
    is_negated = any(
        has_form(*words)
        for has_form in (is_negated_word, is_negated_turkish)
        for words in ((quote_word, text_word), (text_word, quote_word))
    )
    return OTHER_NEGATION if is_negated else OTHER_WORDS


def tokenize(text: str, are_numbers_whole: bool = False) -> list[tuple[str, int, int]]:
    """Return (comparison key, start, end) of each word; punctuation that stands alone is left out."""
    if are_numbers_whole:
        return _tokenize_with_numbers(text)
    spans = [match.span() for match in _TOKEN.finditer(text)]
    return [(key, a, b) for a, b in spans if (key := _comparison_key(text[a:b]))]


def _tokenize_with_numbers(text: str) -> list[tuple[str, int, int]]:
    tokens: list[tuple[str, int, int]] = []
    position = 0
    for key, start, end in [*_find_whole_numbers(text), ("", len(text), len(text))]:
        for match in _TOKEN.finditer(text, position, start):
            if word_key := _comparison_key(match.group()).strip("()[]（）【】"):
                tokens.append((word_key, *match.span()))
        if key:
            tokens.append((key, start, end))
        position = end
    return tokens


def _find_whole_numbers(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (key, start, end) of the numbers that are no part of a word ("5a"): without a unit of time, which is a word."""
    last_end = 0
    for quantity in find_quantities(text):
        key, start, end = quantity.form, quantity.start, quantity.end
        if start < last_end or _EXPONENT_OF_LETTER.search(text, max(start - 4, 0), start):
            continue  # the exponent of the number before, or part of a word: x^3
        if exponent := _EXPONENT.match(text, end):
            key, end = key + normalise_text(exponent.group()).text, exponent.end()
            last_end = end
            yield NUMBER_KEY + key, start, end
            continue
        unit = quantity.unit
        if len(quantity.parts) == 1 and quantity.parts[0].end < end and unit in TIME_UNITS:
            key, end = key.removesuffix(unit), quantity.parts[0].end
        if not (_is_spaced_letter(text[start - 1 : start]) or _is_spaced_letter(text[end : end + 1])):
            yield NUMBER_KEY + key, start, end


def _is_spaced_letter(character: str) -> bool:
    return character.isalnum() and not is_cjk(character)


@lru_cache(maxsize=65_536)
def _comparison_key(word: str) -> str:
    key = normalise_text(word).text.strip(".,;:，。；：、")
    return "-" + key if _NEGATIVE_NUMBER.match(normalise_letters(word)) else key


def _text_of_tokens(text: str, tokens: list[tuple[str, int, int]], first: int, last: int) -> str:
    return text[tokens[first][1] : tokens[last - 1][2]] if last > first else ""
