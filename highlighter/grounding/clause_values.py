"""Values of a sentence that stand in the clause of something else than the claim names: "A 120, B 85" and "B has 120".

A small model takes any value of such a sentence for that of any of its subjects. There is no parser: a clause ends at a
punctuation mark or an "and", and what it speaks of are the words that only it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, permutations, takewhile
from typing import NamedTuple

from highlighter.grounding.calculations import FOLLOWING_DAY
from highlighter.grounding.claim_reading import ClaimReading
from highlighter.grounding.contrasts import explain_other_words
from highlighter.grounding.entailment import MIN_DECIDING_PROBABILITY
from highlighter.grounding.quantities import OTHER, classify_number, quote_date, quote_number
from highlighter.grounding.wording import DATE, NUMBER, KeyedWord, Wording, join_keys, parse_wording
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.clauses import AND, BUT, BUT_ALONE, COMMA, LISTING, SEMICOLON, list_clauses
from highlighter.text.function_words import ALL_FUNCTION_WORDS, FUNCTION_WORDS
from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.terms import STOP_WORDS, is_cjk, stem_word

# Clauses of a sentence that are looked at: a text with more is a list or no sentence.
MAX_CLAUSES = 8
MAX_NAME_WORDS, MAX_END_WORDS = 3, 4
_FREQUENCY = compile_later(
    r"\b(?:daily|weekly|monthly|quarterly|yearly|annually|hourly|(?:once|twice) (?:a|per|every) \w+|(?:every|each) (?:day|week|month|quarter|year|hour|evening|morning)"
    r"|(?:stünd|täg|wöchent|monat|jähr)lich\w*|(?:jede[nsr]?) (?:tag|woche|monat|jahr|abend|morgen)|(?:einmal|zweimal) (?:am|pro|in der|im) \w+"
    r"|chaque (?:jour|semaine|mois|année)|tous les (?:jours|mois|ans)|toutes les semaines|(?:une|deux) fois par \w+"
    r"|(?:todos los|cada) (?:días|día|semanas?|mes(?:es)?|años?)|todas las semanas|(?:una vez|dos veces) (?:al|por|a la) \w+"
    r"|(?:todos os|cada) (?:dias?|meses|mês|anos?)|todas as semanas|(?:uma vez|duas vezes) por \w+|diariamente|semanalmente|mensalmente|mensualmente"
    r"|ogni (?:giorno|settimana|mese|anno)|tutti i (?:giorni|mesi)|(?:una volta|due volte) (?:al|alla|all')\s?\w+"
    r"|(?:elke|iedere) (?:dag|week|maand)|elk jaar|dagelijks|wekelijks|maandelijks|jaarlijks|(?:eenmaal|tweemaal|één keer|een keer|twee keer) per \w+"
    r"|ежедневно|еженедельно|ежемесячно|ежегодно|(?:каждый день|каждую неделю|каждый месяц)|раз в \w+)\b"
    r"|[每毎](?:天|日|周|週|月|年)|매일|매주|매월|매년"
)
_ENTRY = compile_later(r"\W{0,3}[^:：.\n]{1,60}\s?[:：]\s?[^:：\n]{0,40}\d[^:：\n]{0,40}")
_UNIT = compile_later(r"[\s-]?(?P<unit>[\u3040-\u9fff\uac00-\ud7af]|[^\W\d_]+)")
_MINUTES = compile_later(r"\d[:：]$")


class ClauseValue(NamedTuple):
    """A number, a date or a frequency at `[start, end)`."""

    start: int
    end: int
    kind: str
    keys: frozenset[str]
    text: str  # for users
    unit: str = ""  # what a number counts; "" at the end of a clause

    def can_replace(self, other: ClauseValue) -> bool:
        """Return whether this value can stand in the place of another one: "85" for "120 spaces"."""
        return self.kind == other.kind and (self.unit == other.unit or not self.unit)

    def is_of_date(self, other: ClauseValue) -> bool:
        """Return whether both are parts of dates."""
        return self.kind.startswith(DATE) and other.kind.startswith(DATE)


@dataclass(frozen=True)
class SourceClause:
    """A clause of a source; its content words and its values."""

    source: Wording
    words: tuple[KeyedWord, ...]
    content_words: tuple[KeyedWord, ...]
    values: tuple[ClauseValue, ...]

    @property
    def start(self) -> int:
        return self.words[0].start

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset().union(*(word.keys for word in self.words), *(value.keys for value in self.values))

    def list_other_parts(self, value: ClauseValue) -> list[KeyedWord | ClauseValue]:
        """Return the content words, and the values that cannot stand in the place of one: "room 2: 78"."""
        inside = {word for other in self.values for word in self.words if other.start <= word.start < other.end}
        words = [word for word in self.content_words if word not in inside]
        return [*words, *(other for other in self.values if not (other.can_replace(value) or other.is_of_date(value)))]

    def read_before(self, word: KeyedWord) -> frozenset[str]:
        """Return the keys of the function words right before a word."""
        before = reversed(self.words[: self.words.index(word)])
        glue = takewhile(lambda other: other not in self.content_words, before)
        return join_keys(glue)


class ExchangedValue(NamedTuple):
    """A value of a claim, and the one that a source has of what the claim speaks of, for users."""

    keys: frozenset[str]
    claimed: str
    stated: str


def explain_value_of_other_clause(reading: ClaimReading) -> str:
    """Return which value the deciding sentence has of what a claim speaks of, for users; "" where it may have the claim's."""
    return next(filter(None, map(_explain_value_of_statement, reading.statements or (reading,))), "")


def _explain_value_of_statement(reading: ClaimReading) -> str:
    deciding = reading.deciding_sentence
    if deciding is None or deciding.row:
        return ""
    read = reading.read_sentences
    entries = join_entries([sentence.wording for sentence in read], read.index(deciding))
    exchanged = find_value_of_other_clause(reading.claim, parse_wording(entries) if entries else deciding.wording)
    if exchanged is None:
        return ""
    for sentence, probability in zip(read, reading.entailment.deciding, strict=False):
        is_another = sentence != deciding and probability >= MIN_DECIDING_PROBABILITY and not entries
        if is_another and exchanged.keys & sentence.wording.keys:
            return ""
    return explain_other_words(exchanged.claimed, exchanged.stated)


def find_value_of_other_clause(claim: Wording, source: Wording) -> ExchangedValue | None:
    """Return the value that a claim takes from the clause of something else, if the clause of its own subject has another.

    The claim names what only one clause speaks of, and not all of what the clause of the value speaks of.
    """
    if has_negation(fold(claim.text)):
        return None
    clauses = split_clauses(source)
    pairs = list(permutations(clauses, 2))
    values = (_find_exchanged_value(claim, *pair, clauses) for pair in pairs)
    return next(filter(None, chain(values, (_find_exchanged_end(claim, *pair) for pair in pairs))), None)


def _find_exchanged_value(
    claim: Wording, of_value: SourceClause, of_subject: SourceClause, clauses: Sequence[SourceClause]
) -> ExchangedValue | None:
    """Return a number, a date or a frequency of a clause that a claim has of what another one speaks of."""
    keys = claim.keys.union(*(value.keys for value in _find_frequencies(claim)))
    elsewhere, rest = (_join_keys(clauses, without=clause) for clause in (of_value, of_subject))
    for value in of_value.values:
        own = [other for other in of_subject.values if other.can_replace(value)]
        if not value.keys & keys or value.keys & elsewhere or not own or any(other.keys & keys for other in own):
            continue
        own_parts = [part for part in of_subject.list_other_parts(value) if not part.keys & rest]
        parts = [part for part in of_value.list_other_parts(value) if not part.keys & of_subject.keys]
        named = [part for part in own_parts if part.keys & keys]
        unnamed = [part for part in parts if not part.keys & keys]
        # Later clauses leave out words of the first one: what the claim names there may be said of this value, too.
        is_later = of_value.start > of_subject.start
        before_own = [part for part in own_parts if part.start < own[0].start]
        may_be_left_out = len(unnamed) < len(parts) or not before_own or any(part not in named for part in before_own)
        if named and unnamed and not (is_later and may_be_left_out):
            return ExchangedValue(value.keys, value.text, own[0].text)
    return None


def _find_exchanged_end(claim: Wording, of_value: SourceClause, of_subject: SourceClause) -> ExchangedValue | None:
    """Return the last words of a clause that a claim has of what another one speaks of: "Appeals go to the registrar,
    complaints to the ombudsman". Both clauses share a word, or the one before their ends.
    """
    words, own_words = of_value.content_words, of_subject.content_words
    end = list(takewhile(lambda word: word.keys & claim.keys and not word.keys & of_subject.keys, reversed(words)))
    own_end = list(takewhile(lambda word: not word.keys & (claim.keys | of_value.keys), reversed(own_words)))
    named = [word for word in own_words if word.keys & claim.keys and not word.keys & of_value.keys]
    unnamed = [word for word in words if not word.keys & (claim.keys | of_subject.keys)]
    if not (end and own_end and named and unnamed) or max(len(end), len(own_end)) > MAX_END_WORDS:
        return None
    if any(word.kind in (NUMBER, DATE) for word in (*end, *own_end)):  # values, which are compared with their kind
        return None
    places = [min(word.start for word in claim.words if word.keys & part.keys) for part in (named[0], end[0])]
    has_order = named[-1].start < own_end[-1].start and places[0] < places[1]
    is_all_named = all(word.keys & (claim.keys | of_value.keys) for word in own_words if word not in own_end)
    before_own_end = of_subject.read_before(own_end[-1])
    is_parallel = any(word.keys & of_subject.keys for word in words) or any(
        of_value.read_before(word) & before_own_end for word in end
    )
    # In Chinese and Japanese, each pair of characters is a word.
    if not (has_order and is_all_named and is_parallel) or any(map(is_cjk, of_value.source.text)):
        return None
    quoted = (f"“{of_value.source.text[part[-1].start : part[0].end]}”" for part in (end, own_end))
    return ExchangedValue(end[0].keys, *quoted)


def _join_keys(clauses: Sequence[SourceClause], without: SourceClause) -> frozenset[str]:
    return join_keys(clause for clause in clauses if clause is not without)


def join_entries(sentences: Sequence[Wording], position: int) -> str:
    """Return an entry of a list ("Price: 45 %") with those beside it as clauses of one sentence; "" for another sentence."""
    first = last = position
    if not _ENTRY.fullmatch(sentences[position].text):
        return ""
    while first > 0 and _ENTRY.fullmatch(sentences[first - 1].text):
        first -= 1
    while last + 1 < len(sentences) and _ENTRY.fullmatch(sentences[last + 1].text):
        last += 1
    return "; ".join(sentence.text.rstrip(" .。;") for sentence in sentences[first : last + 1])


def split_clauses(source: Wording) -> list[SourceClause]:
    """Return the clauses of a sentence: at its semicolons if it has one, "the red lamp, a fault" being one of them."""
    folded, values = fold(source.text), list(_find_values(source))
    function_words = FUNCTION_WORDS.get(language := detect_language(source.text), ALL_FUNCTION_WORDS)
    function_words |= STOP_WORDS if language in ("", "en") else frozenset()
    spans = list_clauses(folded, {SEMICOLON})
    clauses: list[SourceClause] = []
    for start, end in spans if len(spans) > 1 else list_clauses(folded, {COMMA, LISTING, AND, BUT, BUT_ALONE}):
        words = source.words_between(start, end)
        # "the north has 120 places and the south, 85"
        is_value_of_last = bool(words) and words[0].kind == NUMBER and bool(clauses) and not clauses[-1].values
        if is_value_of_last and len(clauses[-1].words) <= MAX_NAME_WORDS:
            words = (*clauses.pop().words, *words)
        if words:
            content = tuple(word for word in words if len(word.text) > 1 and word.text not in function_words)
            own = tuple(value for value in values if words[0].start <= value.start < end)
            clauses.append(SourceClause(source, words, content, own))
    return clauses if 1 < len(clauses) <= MAX_CLAUSES else []


def _find_values(wording: Wording) -> Iterator[ClauseValue]:
    for word in wording.words:
        if (
            word.kind == NUMBER
            and word.text not in ALL_FUNCTION_WORDS
            and not _MINUTES.search(wording.text, 0, word.start)
        ):
            kind = classify_number(wording, word)
            unit = _read_unit(wording, word) if kind == OTHER else ""
            yield ClauseValue(word.start, word.end, f"{NUMBER} {kind}", word.keys, quote_number(wording, word), unit)
        elif word.kind == DATE and any(key[0] in "#m" for key in word.keys):
            types = "".join(sorted({key[0] for key in word.keys}))
            yield ClauseValue(word.start, word.end, f"{DATE} {types}", word.keys, quote_date(wording, word))
    for match in FOLLOWING_DAY.finditer(fold(wording.text)):
        yield ClauseValue(*match.span(), f"{DATE} #", frozenset({"next day"}), wording.text[slice(*match.span())])
    yield from _find_frequencies(wording)


def _read_unit(wording: Wording, word: KeyedWord) -> str:
    unit = _UNIT.match(fold(wording.text), word.end)
    return stem_word(unit["unit"]) if unit and unit["unit"] not in ALL_FUNCTION_WORDS else ""


def _find_frequencies(wording: Wording) -> Iterator[ClauseValue]:
    for match in _FREQUENCY.finditer(fold(wording.text)):
        yield ClauseValue(*match.span(), "frequency", frozenset({match[0]}), wording.text[slice(*match.span())])
