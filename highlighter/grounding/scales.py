"""Words of one scale, of which a claim has another one than its source: each day and each week, often and rarely, mean and median.

The words are those of English, German, French, Spanish, Chinese, Japanese and Arabic. A model overlooks such words in most
of them. Texts are folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from highlighter.grounding.wording import NUMBER, Wording
from highlighter.quotes.significance import NEGATION_SIGN, count_facts
from highlighter.text.characters import fold
from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.modal_verbs import DUTY_VERBS, PERMISSION_VERBS
from highlighter.text.terms import is_cjk

MUST, MAY = "must", "may"
_ENGLISH_EACH = r"(?:per|each|every|an?) (?:calendar |working |business )?"
_PERIODS = {
    "hour": rf"{_ENGLISH_EACH}hour|hourly|(?:pro|je|jede) stunde|stündlich|(?:par|chaque) heure|(?:por|cada) hora",
    "day": rf"{_ENGLISH_EACH}day|daily|(?:pro|je|jeden|am) tag|täglich|(?:par|chaque) jour|quotidien\w*|(?:por|cada|al) día|diari[oa]s?"
    r"|diariamente|كل يوم|يوميا",
    "week": rf"{_ENGLISH_EACH}week|weekly|(?:pro|je|jede) woche|wöchentlich|(?:par|chaque) semaine|hebdomadaire\w*|(?:por|cada) semana"
    r"|semanal\w*|كل أسبوع|أسبوعيا",
    "month": rf"{_ENGLISH_EACH}month|monthly|(?:pro|je|jeden|im) monat|monatlich|(?:par|chaque) mois|mensuel\w*|(?:por|cada|al) mes"
    r"|mensual\w*|كل شهر|شهريا",
    "quarter": rf"{_ENGLISH_EACH}quarter|quarterly|(?:pro|je|jedes) quartal|vierteljährlich|(?:par|chaque) trimestre|trimestriel\w*"
    r"|(?:por|cada|al) trimestre|trimestral\w*",
    "year": rf"{_ENGLISH_EACH}year|yearly|annual|annually|(?:pro|je|jedes) jahr|jährlich|par an|chaque année|annuel\w*|(?:por|cada|al) año"
    r"|anual\w*|كل (?:سنة|عام)|سنويا",
}  # fmt: skip
_CHINESE_PERIODS = {
    "hour": "小时|时间",
    "day": "[日天]|工作日",
    "week": "周|星期|週",
    "month": "月",
    "quarter": "季",
    "year": "年",
}
_FREQUENCIES = {
    "often": r"often|frequent(?:ly)?|commonly|common|häufig\w*|oft|souvent|(?<!peu )fréquent(?:e?s?|e)|fréquemment"
    r"|(?<!poco )frecuentes?|frecuentemente|a menudo|غالبا|شائعة?",
    "rarely": r"rarely|rare|seldom|selten\w*|rarement|rares?|peu fréquent\w*|rar[ao]s?|raramente|poco frecuentes?|نادرا|نادرة?",
}  # fmt: skip
_AVERAGES = {
    "mean": r"mean(?! that)|mittelwert\w*|durchschnitt\w*|moyen(?:ne)?s?|edad media|promedio",
    "median": r"median\w*|médian\w*",
}
_DUTIES = {
    MUST: rf"{DUTY_VERBS}|(?:is|are) (?:required|obliged) to|deberán?|يجب",
    MAY: rf"{PERMISSION_VERBS}|podrán?|يجوز",
}
_CHINESE = {
    "often": "经常|常见|频繁", "rarely": "罕见|很少|偶见", "mean": "平均", "median": "中位|中央值", MUST: "必须|应当", MAY: "可以",
}  # fmt: skip


def _compile(name: str, words: str) -> re.Pattern[str]:
    chinese = rf"[每毎逐按]个?(?:{_CHINESE_PERIODS[name]})" if name in _CHINESE_PERIODS else _CHINESE.get(name, "")
    return compile_later(rf"(?<!\w)(?:{words})(?!\w)" + (f"|{chinese}" if chinese else ""))


_SCALES = [
    {name: _compile(name, words) for name, words in scale.items()}
    for scale in (_PERIODS, _FREQUENCIES, _AVERAGES, _DUTIES)
]
_OF_PERIODS = _SCALES[0]


class OtherDegree(NamedTuple):
    """A word of a claim at `[start, end)`, and the word of the source that stands for another place on the same scale."""

    start: int
    end: int
    source_words: str


def find_other_degrees(claim: Wording, source: Wording) -> Iterator[OtherDegree]:
    """Yield the words of a claim on whose scale the source has others. What is denied is left out, and that the claim allows
    what the source demands; other periods are compared where the numbers are the same.
    """
    claim_text, source_text = fold(claim.text), fold(source.text)
    is_denied = bool(count_facts(claim_text)[NEGATION_SIGN] or count_facts(source_text)[NEGATION_SIGN])
    has_other_numbers = any(word.kind == NUMBER and not word.keys & source.keys for word in claim.words)
    for scale in _SCALES:
        if has_other_numbers if scale is _OF_PERIODS else is_denied:
            continue
        claimed = {name: match for name, pattern in scale.items() if (match := pattern.search(claim_text))}
        stated = {name: match for name, pattern in scale.items() if (match := pattern.search(source_text))}
        if len(claimed) == 1 and stated and not claimed.keys() & stated.keys() and MAY not in claimed:
            (match,), first = claimed.values(), next(iter(stated.values()))
            yield OtherDegree(*match.span(), source.text[first.start() : first.end()])


# Of the words for periods, those that stand before a noun: another word in their place needs another sentence.
_ADJECTIVE = compile_later(r"annual|.*(?:ien|el|al|aire|diari[oa])(?:ne|le|mente)?s?")


def unify_periods(claim: str, sentences: Sequence[str]) -> list[str]:
    """Return the sentences with the claim's words for the same period: "monthly" for "each month"."""
    claimed = {name: match for name, pattern in _OF_PERIODS.items() if (match := pattern.search(fold(claim)))}
    if len(claimed) != 1 or any(_ADJECTIVE.fullmatch(match[0]) for match in claimed.values()):
        return list(sentences)
    ((name, match),) = claimed.items()
    words = claim[match.start() : match.end()]
    words = words[0].lower() + words[1:]
    return [
        _write_period(sentence, name, words) if _may_be_in_one_language(claim, sentence) else sentence
        for sentence in sentences
    ]


def _may_be_in_one_language(text: str, other: str) -> bool:
    languages = {detect_language(text), detect_language(other)} - {""}
    return any(map(is_cjk, text)) == any(map(is_cjk, other)) and len(languages) < 2


def _write_period(sentence: str, name: str, words: str) -> str:
    matches = list(_OF_PERIODS[name].finditer(fold(sentence)))
    if len(matches) != 1 or _ADJECTIVE.fullmatch(matches[0][0]):
        return sentence
    start, end = matches[0].span()
    words = words[0].upper() + words[1:] if sentence[start].isupper() else words
    return sentence[:start] + words + sentence[end:]
