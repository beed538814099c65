"""Contrasts between a claim and a source: another number, date or name, a negation, an opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from highlighter.grounding.changed_values import find_cancellation, find_superseded
from highlighter.grounding.denials import blank_local_negations, has_equal_denials
from highlighter.grounding.differences import join_spans
from highlighter.grounding.equal_quantities import EQUAL
from highlighter.grounding.exchanges import find_exchange
from highlighter.grounding.exclusions import Exclusion, find_exclusions
from highlighter.grounding.figures_of_others import find_figures_of_others, list_comparisons
from highlighter.grounding.number_bounds import find_opposite_bounds, is_admitted, remove_equal_bounds
from highlighter.grounding.quantities import (
    CURRENCY_BEFORE,
    ITEM,
    can_be_compared,
    classify_number,
    quote_date,
    quote_number,
    read_beside,
)
from highlighter.grounding.refusals import find_refusals
from highlighter.grounding.scales import find_other_degrees
from highlighter.grounding.wording import DATE, NAME, NUMBER, PLAIN, KeyedWord, Wording
from highlighter.locale import N_
from highlighter.quotes.significance import count_negations
from highlighter.text.characters import fold
from highlighter.text.clauses import MARKS, find_clause
from highlighter.text.negations import NEGATING_PREFIXES
from highlighter.text.opposites import find_opposites
from highlighter.text.terms import is_cjk

NEGATION, OPPOSITE, EXTENT, DUTY, EXCHANGE, BOUND = "negation", "opposite", "extent", "duty", "exchange", "bound"
EXCLUSION, SCALE, SUPERSEDED, CANCELLED = "exclusion", "scale", "superseded", "cancelled"
KINDS = (NUMBER, DATE, NAME, EXCHANGE, BOUND, EXCLUSION, SUPERSEDED, CANCELLED, NEGATION, OPPOSITE, SCALE, EXTENT, DUTY)

# Words before and after the shared words of a sentence in which a "not" still applies to them.
NEGATION_WORDS_BEFORE, NEGATION_WORDS_AFTER = 3, 2
_LABEL = re.compile(r"“[^\W\d_]”")
# Maximum distance between a number and its unit.
MAX_UNIT_DISTANCE_WORDS = 2
_PERCENT_AFTER = re.compile(r"\s?(?:%|per ?cent|百分)")

_CJK_OPPOSITES = (("增", "减"), ("前", "后"), ("上", "下"), ("高", "低"), ("多", "少"), ("内", "外"), ("南", "北"))

# These explain what the model reads. "Must" for a "may" of the source overrules it: scales.py.
_ALL_WORDS = frozenset("all every each always entire whole any".split())
_SOME_WORDS = frozenset("some several many most few sometimes often usually partly occasionally rarely".split())
_MUST_WORDS = frozenset("must shall required obliged".split())
_MAY_WORDS = frozenset("may might can could optional".split())
_EXCHANGEABLE_WORDS = (
    (EXTENT, _ALL_WORDS, _SOME_WORDS),
    (EXTENT, _SOME_WORDS, _ALL_WORDS),
    (DUTY, _MUST_WORDS, _MAY_WORDS),
    (DUTY, _MAY_WORDS, _MUST_WORDS),
)


@dataclass(frozen=True, slots=True)
class Contrast:
    """A point in which a source differs from a claim."""

    kind: str
    claim_words: str  # the claim's wording
    source_words: str  # the source's wording; "" if it has none
    start: int  # offset in the claim
    end: int

    @property
    def is_between_labels(self) -> bool:
        """Return whether two letters differ: no other name of A is B, as it may be of a person or a place."""
        return self.kind == NAME and all(_LABEL.fullmatch(words) for words in (self.claim_words, self.source_words))

    @property
    def why(self) -> str:
        if self.kind == NEGATION:
            return (
                N_("The claim says “not”, the source does not.")
                if self.claim_words
                else N_("The source says “not”, the claim does not.")
            )
        if self.kind == EXCLUSION:
            return N_("The source leaves this out: {source_words}.", source_words=self.source_words)
        if self.kind == CANCELLED:
            return N_("The source says {source_words}.", source_words=self.source_words)
        return explain_other_words(self.claim_words, self.source_words)


def explain_other_words(claim_words: str, source_words: str) -> str:
    """Return what a source says in the place of words of a claim, for users."""
    return N_(
        "The source says {source_words} where the claim says {claim_words}.",
        source_words=source_words,
        claim_words=claim_words,
    )


def find_contrasts(claim: Wording, source: Wording) -> list[Contrast]:
    """Return the contrasts, most certain first. The source must be about the same subject."""
    exclusions = list(find_exclusions(claim, source))
    # "Prohibited except in the garden" neither denies the garden nor says the opposite of it; "all fees except ..." denies some.
    is_agreed = any(exclusion.is_agreed for exclusion in exclusions)
    contrasts: dict[tuple[int, int], Contrast] = {}
    for contrast in (
        *_find_exchange(claim, source),
        *_find_opposite_bounds(claim, source),
        *_list_exclusions(claim, exclusions),
        *_find_exchanged_words(claim, source),
        *_find_other_quantities(claim, source),
        *_find_figures_of_others(claim, source),
        *_find_superseded(claim, source),
        *_find_other_degrees(claim, source),
        *(() if is_agreed else (*_find_opposites(claim, source), *_find_negation(claim, source))),
    ):
        contrasts.setdefault((contrast.start, contrast.end), contrast)
    return list(contrasts.values())


def _find_exchange(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """Yield two runs of words that stand in the place of each other."""
    if exchange := find_exchange(claim.text, source.text):
        claim_words, source_words = (
            f"“{join_spans(wording.text, spans)}”" for wording, spans in zip((claim, source), exchange, strict=True)
        )
        yield Contrast(EXCHANGE, claim_words, source_words, exchange[0][0][0], exchange[0][-1][1])


def _find_opposite_bounds(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """Yield "at least 80" where the source says "at most 80", and a rise where it says a fall."""
    for claimed, stated in find_opposite_bounds(claim, source):
        claim_words, source_words = (
            f"“{wording.text[number.start : number.end]}”" for wording, number in ((claim, claimed), (source, stated))
        )
        yield Contrast(BOUND, claim_words, source_words, claimed.start, claimed.end)


def _list_exclusions(claim: Wording, exclusions: Sequence[Exclusion]) -> Iterator[Contrast]:
    """Yield "Flood damage is insured" where the source says "All damage is insured (other than flood damage)"."""
    for exclusion in exclusions:
        if not exclusion.is_agreed:
            claim_words = f"“{claim.text[exclusion.start : exclusion.end]}”"
            yield Contrast(EXCLUSION, claim_words, f"“{exclusion.words}”", exclusion.start, exclusion.end)


def _find_other_degrees(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """Yield "each week" where the source says "each day", and "may be sent" where it says "will be rejected"."""
    for start, end, source_words in (*find_other_degrees(claim, source), *find_refusals(claim, source)):
        yield Contrast(SCALE, f"“{claim.text[start:end]}”", f"“{source_words}”", start, end)


def _find_exchanged_words(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """Yield words of a kind that are exchanged for others, with the same words on either side."""
    claim_keys, source_keys = [word.main_key for word in claim.words], [word.main_key for word in source.words]
    steps = list(Levenshtein.opcodes(claim_keys, source_keys))
    for index, step in enumerate(steps):
        claim_words, source_words = (
            claim.words[step.src_start : step.src_end],
            source.words[step.dest_start : step.dest_end],
        )
        if step.tag != "replace" or len(claim_words) > 3 or len(source_words) > 3:
            continue
        has_neighbours = (index > 0, index + 1 < len(steps))
        has_words_on_one_side = any(has_neighbours) and (len(steps) > 2 or len(claim.words) > len(claim_words) + 2)
        if not all(has_neighbours) and not has_words_on_one_side:
            continue
        claim_word, source_word = _first_typed_word(claim_words), _first_typed_word(source_words)
        if (
            claim_word
            and source_word
            and claim_word.kind == source_word.kind
            and not _has_word(source, claim_word)
            and (claim_word.kind != NUMBER or can_be_compared(claim, claim_word, source, source_word))
            and not is_admitted(claim, claim_word, source, source_word)
        ):
            yield _make_contrast(claim_word.kind, claim, claim_word, source, source_word)


def _find_other_quantities(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """Yield another number of the same unit, another day of the same month, another month of the same year."""
    first_index: dict[
        tuple[str, str, str, str], int
    ] = {}  # of the first number by kind, what it counts, key type and unit
    comparisons = list_comparisons(source)
    for index, source_word in enumerate(source.words):
        if source_word.kind in (NUMBER, DATE) and not _has_word(claim, source_word):
            count_kind = _classify(source, source_word)
            is_compared = any(start <= source_word.start < end for start, end in comparisons)
            if count_kind == ITEM or (source_word.kind == DATE and is_compared):
                continue
            for key in _unit_keys(source, index):
                first_index.setdefault((source_word.kind, count_kind, _key_types(source_word), key), index)
    for claim_index, claim_word in enumerate(claim.words):
        if not first_index or claim_word.kind not in (NUMBER, DATE) or _has_word(source, claim_word):
            continue
        count_kind = _classify(claim, claim_word)
        lookups = ((claim_word.kind, count_kind, _key_types(claim_word), key) for key in _unit_keys(claim, claim_index))
        source_index = min((first_index[lookup] for lookup in lookups if lookup in first_index), default=None)
        if source_index is None or is_admitted(claim, claim_word, source, source.words[source_index]):
            continue
        yield _make_contrast(claim_word.kind, claim, claim_word, source, source.words[source_index])


def _has_word(wording: Wording, word: KeyedWord) -> bool:
    """Return whether a wording has a word, or the number of an ordinal: "sailing 4" is the fourth sailing."""
    numbers = {key[:-1] for key in word.keys if key[0] == "#" and key[-1] == "o"} | {
        f"{k}o" for k in word.keys if k[0] == "#"
    }
    return bool((word.keys | numbers) & wording.keys)


def _find_figures_of_others(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """Yield "26 cents" where the source says "24 cents (2023: 26 cents)"."""
    for claim_word, source_word in find_figures_of_others(claim, source):
        yield _make_contrast(NUMBER, claim, claim_word, source, source_word)


def _find_superseded(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """Yield "3 March" where the source says "moved from 3 March to 10 March", and what it says to be cancelled."""
    for value in find_superseded(claim, source):
        yield Contrast(SUPERSEDED, value.old_text, value.current_text, value.claimed.start, value.claimed.end)
    if words := find_cancellation(claim, source):
        yield Contrast(CANCELLED, "", f"“{words}”", 0, len(claim.text))


def _classify(wording: Wording, word: KeyedWord) -> str:
    return classify_number(wording, word) if word.kind == NUMBER else DATE


def _unit_keys(wording: Wording, index: int) -> frozenset[str]:
    """Return what a number counts: the keys of the words beside it, and its signs."""
    number, keys = wording.words[index], set()
    for step in (1, -1):
        for distance in range(1, MAX_UNIT_DISTANCE_WORDS + 1):
            position = index + step * distance
            if not 0 <= position < len(wording.words):
                break
            word = wording.words[position]
            if word.is_stop_word:
                continue
            keys |= {f"{'>' if step > 0 else '<'}{key}" if word.kind == PLAIN else key for key in word.keys}
            break
    following = fold(wording.text[number.end : number.end + 1])
    if following and is_cjk(following):
        keys.add(following)
    if CURRENCY_BEFORE.search(read_beside(wording, number)[0]):
        keys.add("money")
    if _PERCENT_AFTER.match(wording.text, number.end):
        keys.add("percent")
    return frozenset(keys)


def _key_types(word: KeyedWord) -> str:
    return "".join(sorted({key[0] for key in word.keys} - {EQUAL}))


def _find_opposites(claim: Wording, source: Wording) -> Iterator[Contrast]:
    source_words = {word.main_key: word for word in source.words}
    order = {key: position for position, key in enumerate(source_words)}
    claim_keys = {word.main_key for word in claim.words}
    exchanged = [
        (kind, claim_texts, source_word)
        for kind, claim_texts, source_texts in _EXCHANGEABLE_WORDS
        if (source_word := next((word for word in source.words if word.text in source_texts), None))
        and not any(word.text in claim_texts for word in source.words)
    ]
    for word in claim.words:
        key = word.main_key
        if key in source_words:
            continue
        for opposite in find_opposites(key):
            if opposite in source_words and opposite not in claim_keys:
                yield _make_contrast(OPPOSITE, claim, word, source, source_words[opposite])
        opposites = (
            opposite for opposite in _toggle_prefixes(key) if opposite in source_words and opposite not in claim_keys
        )
        for opposite in sorted(opposites, key=order.__getitem__):
            if len(min(key, opposite)) > 3:
                yield _make_contrast(OPPOSITE, claim, word, source, source_words[opposite])
        for kind, claim_texts, source_word in exchanged:
            if word.text in claim_texts:
                yield _make_contrast(kind, claim, word, source, source_word)
    yield from _find_cjk_opposites(claim, source)


def _find_cjk_opposites(claim: Wording, source: Wording) -> Iterator[Contrast]:
    claim_text, source_text = fold(claim.text), fold(source.text)
    for first, second in _CJK_OPPOSITES:
        for claim_character, source_character in ((first, second), (second, first)):
            if (
                claim_character in claim_text
                and source_character not in claim_text
                and source_character in source_text
                and claim_character not in source_text
            ):
                offset = claim_text.index(claim_character)
                yield Contrast(OPPOSITE, f"“{claim_character}”", f"“{source_character}”", offset, offset + 1)


def _toggle_prefixes(word: str) -> set[str]:
    """Return the word with each negating prefix, and without the prefix that it has."""
    return {prefix + word for prefix in NEGATING_PREFIXES} | {
        word.removeprefix(prefix) for prefix in NEGATING_PREFIXES if word.startswith(prefix)
    }


def _find_negation(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """Yield a contrast if one side negates what both are about; the rest of a long sentence may negate something else."""
    claim_text, source_text = remove_equal_bounds(claim, source)
    claim_negations = count_negations(claim_text)
    if not claim_negations:
        source_text = blank_local_negations(claim, source, source_text)
    shared_positions = [
        position for position, word in enumerate(source.words) if not word.is_stop_word and word.keys & claim.keys
    ]
    if not shared_positions:
        return
    first, last = source.words[shared_positions[0]], source.words[shared_positions[-1]]
    before = source.words[max(shared_positions[0] - NEGATION_WORDS_BEFORE, 0)].start
    after = source.words[min(shared_positions[-1] + NEGATION_WORDS_AFTER, len(source.words) - 1)].end
    start, end = find_clause(source_text, first.start, last.end, MARKS)
    clause = source_text[max(start, before) : min(end, after)]
    source_negations = count_negations(clause)
    is_equal = has_equal_denials(fold(claim_text), fold(clause), claim_negations, source_negations)
    if claim_negations % 2 != source_negations % 2 and not is_equal:
        yield Contrast(
            NEGATION,
            "“not”" if claim_negations > source_negations else "",
            "“not”" if source_negations > claim_negations else "",
            0,
            len(claim.text),
        )


def _first_typed_word(words: tuple[KeyedWord, ...]) -> KeyedWord | None:
    return next((word for word in words if word.kind != PLAIN), None)


def _make_contrast(
    kind: str, claim: Wording, claim_word: KeyedWord, source: Wording, source_word: KeyedWord
) -> Contrast:
    return Contrast(
        kind, _quote_word(claim, claim_word), _quote_word(source, source_word), claim_word.start, claim_word.end
    )


def _quote_word(wording: Wording, word: KeyedWord) -> str:
    """Return a number with its sign and unit, a date whole, and another word in quotation marks."""
    if word.kind == NUMBER:
        return quote_number(wording, word)
    if word.kind == DATE:
        return quote_date(wording, word)
    return f"“{wording.text[word.start : word.end]}”"
