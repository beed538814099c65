"""Days that a source tells by the day before them: "arrived on 29 June and left the following day" says 30 June."""

from __future__ import annotations

import re
from collections.abc import Iterable

from highlighter.grounding.wording import DATE, Wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

FOLLOWING_DAY = compile_later(
    r"\b(?:(?:the )?(?:following|next) day|the day after|(?:am )?(?:folgenden|nächsten) tag|tags darauf|le lendemain|(?:al )?día siguiente"
    r"|(?:il )?giorno (?:dopo|seguente|successivo)|(?:no )?dia seguinte|de volgende dag|на следующий день)\b|翌日|次日|第二天|다음 ?날"
)
_DAY = re.compile(r"#(\d{1,2})")


def find_following_days(claim: Wording, sentences: Iterable[Wording]) -> frozenset[int]:
    """Return the offsets of the days of a claim that follow on a day of a sentence which speaks of the following day."""
    days = {
        int(day) + 1
        for sentence in sentences
        if FOLLOWING_DAY.search(fold(sentence.text))
        for word in sentence.words
        for day in _read_day(word.keys) * (word.kind == DATE)
    }
    return frozenset(
        word.start for word in claim.words if word.kind == DATE and not days.isdisjoint(map(int, _read_day(word.keys)))
    )


def _read_day(keys: Iterable[str]) -> list[str]:
    return [match[1] for key in keys if (match := _DAY.fullmatch(key))]
