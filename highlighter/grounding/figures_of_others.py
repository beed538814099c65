"""Figures of a sentence that belong to something else than its subject: to the year before, to a state that has ended, to a
part, to the end of a change ("fell to 40").

A model takes "26 cents" for the dividend of this year where the source says "24 cents (2023: 26 cents)".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise

from highlighter.grounding.rounded_numbers import find_largest_value
from highlighter.grounding.wording import NUMBER, KeyedWord, Wording
from highlighter.text.characters import fold
from highlighter.text.clauses import CLAUSES, COLON, MARKS, list_clauses
from highlighter.text.lazy_pattern import compile_later

# Brackets and "of which" in a sentence that are looked at: a text with more is no sentence.
MAX_FIGURES = 20
MAX_BEFORE = 32  # characters before a number
_PREVIOUS_YEAR = r"(?:prior|previous|preceding|last) (?:financial )?year|vorjahr|(?:année|exercice) précédente?|año anterior|上年(?:同期)?|去年|前年度?"
_COMPARISON = compile_later(
    rf"[(（](?:in |im |en )?(?P<period>(?:fy ?)?\d{{4}}(?:/\d{{2,4}})?|{_PREVIOUS_YEAR})\s?[:：]?\s?(?P<value>[^()（）]*\d[^()（）]*)[)）]"
)
_YEARS = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
# In a claim that speaks of another time itself.
_OTHER_TIME = compile_later(
    rf"\b(?:{_PREVIOUS_YEAR}|earlier|before|previous(?:ly)?|prior|formerly|former|compared|from|until|zuvor|davor|früher|vorher|von|bis"
    r"|auparavant|avant|précédemment|anterior(?:mente)?|antes|hasta)\b|\bjusqu|上年|去年|此前|原来|曾"
)
_PAST = compile_later(r"\b(?:was|were|had|war|waren|betrug|galt|était|étaient|era|eran|fue)\b|原|曾|过去")
_UNTIL = compile_later(
    r"\b(?:until|till|formerly|previously|bis|früher|bisher|jusqu'(?:en|au|à)|auparavant|hasta|anteriormente)\b|此前|原为"
)
_NOW = compile_later(
    r"\b(?:now|since then|currently|today|jetzt|nunmehr|seither|seitdem|désormais|maintenant|depuis|ahora|actualmente|desde entonces)\b"
    r"|现在|现为|如今"
)
_MONEY = r"(?:[£$€¥]\s?|(?:eur|usd|gbp|chf|rmb|cny|hkd)\s)?$"
# By how much something changes; and where the two ends of a change stand.
_BY = compile_later(
    r"(?:\b(?:(?:r[io]se[sn]?|rising|f[ae]ll(?:s|en|ing)?|increas\w+|decreas\w+|reduc\w+|gr[eo]w[ns]?|growing|dropp?\w*|declin\w+|cut|rais\w+|lower\w+|up|down|climb\w+|shr[aiu]nk|changed) by|um"
    r"|(?:augment|progress|baiss|diminu|recul|chut|accr[uû]|cr[uû]|croî|hauss|rédui)\w* (?:de|d')|(?:aument|subi|crec|baj|disminu|redu[jc]|cay|caíd?)\w* en"
    r"|(?:aument|cresc|cresciut|diminu|calat|ridott|sces)\w* (?:di|del)|(?:aument|subi|cresc|caí|caiu|diminu|baix|redu[zç])\w* (?:em|de)|(?:steeg|daalde|stegen|daalden|toe|af) met"
    rf"|(?:вырос|увелич|сниз|упал|сократ|уменьш)\w* на)\s?|[加长升涨高少降跌]了?){_MONEY}"
)
_FROM = compile_later(rf"(?:\b(?:from|von|de|du|da|dal|van|с)\s|[从由自]){_MONEY}")
_TO = compile_later(rf"[^,;.，；。]{{0,30}}?(?:\b(?:to|auf|à|a|ad|al|para|naar|до)\s|(?<=\S)[到至]){_MONEY}")
_OF_WHICH = compile_later(r"\b(?:of (?:which|whom|these|them)|davon|von denen|dont|de (?:los|las) cuales)\b|其中")


def find_figures_of_others(claim: Wording, source: Wording) -> Iterator[tuple[KeyedWord, KeyedWord]]:
    """Yield each number of a claim that the source has of something else, with the number that it has of the claim's subject."""
    numbers = [word for word in source.words if word.kind == NUMBER]
    counts = Counter(key for word in numbers for key in word.keys)
    for figure, of_subject in (
        *_find_comparison_figures(claim, source, numbers),
        *_find_ended_figures(claim, source, numbers),
        *_find_totals(claim, source, numbers),
        *_find_ends_of_change(claim, source, numbers),
    ):
        is_said_once = all(counts[key] == 1 for key in figure.keys)
        claimed = [word for word in claim.words if word.kind == NUMBER and word.keys & figure.keys]
        if is_said_once and claimed and not of_subject.keys & claim.keys:
            yield claimed[0], of_subject


def list_comparisons(source: Wording) -> list[tuple[int, int]]:
    """Return where the other years stand to which figures belong that are there for comparison: "(2023: 26 cents)"."""
    return [match.span("period") for match in islice(_COMPARISON.finditer(fold(source.text)), MAX_FIGURES)]


def _find_comparison_figures(
    claim: Wording, source: Wording, numbers: list[KeyedWord]
) -> Iterator[tuple[KeyedWord, KeyedWord]]:
    """Yield the figures in brackets of another year, with the one before them: "24 cents (2023: 26 cents)"."""
    claim_text = fold(claim.text)
    for match in islice(_COMPARISON.finditer(fold(source.text)), MAX_FIGURES):
        year = re.search(r"\d{4}", match["period"])
        before = [word for word in numbers if word.end <= match.start()]
        inside = [word for word in numbers if match.start("value") <= word.start < match.end("value")]
        if year and year[0] in claim_text and len(_YEARS.findall(claim_text)) == 1 and before and len(inside) == 1:
            yield before[-1], inside[0]
        if _OTHER_TIME.search(claim_text) or (year and year[0] in claim_text):
            continue
        if before:
            yield from ((word, before[-1]) for word in inside)


def _find_ended_figures(
    claim: Wording, source: Wording, numbers: list[KeyedWord]
) -> Iterator[tuple[KeyedWord, KeyedWord]]:
    """Yield the figure of a state that has ended, with that of today: "Until 2023 it was 50 mg; it is now 40 mg"."""
    claim_text, source_text = fold(claim.text), fold(source.text)
    if not _NOW.search(source_text) or any(pattern.search(claim_text) for pattern in (_OTHER_TIME, _PAST)):
        return
    clauses = list_clauses(source_text, CLAUSES - {COLON})  # "rate until June: 5 per cent; rate now: 4 per cent"
    ended = [span for span in clauses if _UNTIL.search(source_text, *span)]
    present = [span for span in clauses if _NOW.search(source_text, *span) and span not in ended]
    if len(ended) == len(present) == 1:
        old, new = ([word for word in numbers if start <= word.start < end] for start, end in (ended[0], present[0]))
        if len(old) == len(new) == 1:
            yield old[0], new[0]


def _find_totals(claim: Wording, source: Wording, numbers: list[KeyedWord]) -> Iterator[tuple[KeyedWord, KeyedWord]]:
    """Yield a whole with its part, if the claim says of it what the source says of the part: "80 rooms, of which 12 have ..."."""
    for match in islice(_OF_WHICH.finditer(fold(source.text)), MAX_FIGURES):
        before = [word for word in numbers if word.end <= match.start()]
        after = [word for word in numbers if match.end() <= word.start]
        is_part_first = bool(before) and not source.text[before[-1].end : match.start()].strip()
        if len(before) < 1 + is_part_first or not (is_part_first or after):
            continue
        total, part = (before[-2], before[-1]) if is_part_first else (before[-1], after[0])
        said_before = frozenset[str]().union(
            *(word.keys for word in source.words if word.start < total.end or word.end <= match.start())
        )
        start, end = max(match.start(), part.start), _find_end_of_parts(source, max(match.start(), part.start))
        said_of_part = [word for word in source.content_words if start < word.start < end and word.kind != NUMBER]
        if any(word.keys & claim.keys and not word.keys & said_before for word in said_of_part):
            yield total, part


def _find_end_of_parts(source: Wording, start: int) -> int:
    """Return where the clauses end that give a part, and further ones with numbers: the next clause speaks of something else."""
    clauses = [span for span in list_clauses(fold(source.text), MARKS) if span[1] > start]
    for (_, end), next_clause in pairwise(clauses):
        if not any(word.kind == NUMBER for word in source.words_between(*next_clause)):
            return end
    return len(source.text)


def _find_ends_of_change(
    claim: Wording, source: Wording, numbers: list[KeyedWord]
) -> Iterator[tuple[KeyedWord, KeyedWord]]:
    """Yield an end of a change, with the other one, if a claim has it as the amount: "fell by 40" for "from 60 to 40"."""
    text, claim_text = fold(source.text), fold(claim.text)
    amounts = [word for word in claim.words if word.kind == NUMBER and _BY.search(_read_before(claim_text, word))]
    for first, last in pairwise(numbers) if amounts else ():
        is_change = _FROM.search(_read_before(text, first)) and _TO.fullmatch(text[first.end : last.start])
        difference = abs(find_largest_value(first) - find_largest_value(last))
        for figure, other in ((first, last), (last, first)) if is_change else ():
            if difference != find_largest_value(figure) and any(word.keys & figure.keys for word in amounts):
                yield figure, other


def _read_before(folded: str, word: KeyedWord) -> str:
    return folded[max(word.start - MAX_BEFORE, 0) : word.start]
