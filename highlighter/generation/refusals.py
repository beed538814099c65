"""The one sentence by which an answer is refused, and whether an answer is a refusal in other words."""

from __future__ import annotations

import re
from functools import lru_cache

from highlighter.folding import fold
from highlighter.generation.refusal_wordings import (
    ABOUT,
    CHINESE,
    COURTESY,
    ENGLISH,
    NAMES_THE_SOURCES,
    OFFER,
    TURN,
    TURN_WITHIN,
)

REFUSAL = "The sources do not answer this question."
# By the language of the question, where the built-in answerer writes; a model is only told the one above.
REFUSALS = {"": REFUSAL, "zh-Hant": "資料來源沒有回答這個問題。", "zh-Hans": "资料来源没有回答这个问题。"}

# A refusal is short: what goes on for longer has something to say.
LONGEST = 700

_MARK = re.compile(r"\[\[?[^\[\]\n]{1,200}\]?\]|【[^【】\n]{1,200}】|[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_DRESS = re.compile(r"[*_`>#\"]+|(?m:^\s*(?:[-•]|\d+[.)])\s+)")
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？!?])|\n+")


def is_refusal(text: str) -> bool:
    """Whether nothing is answered. A part that is answered, or a sentence that only speaks of what is not found, is none."""
    if not text.strip():
        return True
    if len(text) > LONGEST:
        return False
    sentences = _sentences(text)
    while sentences and COURTESY.fullmatch(sentences[0][0]):
        del sentences[0]
    if not sentences or not _refuses(*sentences[0]):
        return False
    return all(_adds_nothing(said, cited) for said, cited in sentences[1:])


def _sentences(text: str) -> list[tuple[str, bool]]:
    """Without marks, dress and punctuation at the ends; and whether there was a mark of a citation."""
    parts = (part for part in _END.split(_DRESS.sub("", fold(text))))
    bare = ((_bare(part), _MARK.search(part) is not None) for part in parts)
    return [(said, cited) for said, cited in bare if said]


def _bare(sentence: str) -> str:
    return " ".join(_MARK.sub("", sentence).split()).strip(" .!?。！？,，:：;；'()（）「」『』")


def _refuses(said: str, cited: bool) -> bool:
    if said in _constants():
        return True
    found = ENGLISH.match(said) or CHINESE.match(said)
    if found is None or (cited and not NAMES_THE_SOURCES.search(said)):
        return False
    turned = TURN_WITHIN.search(said, found.end())
    return turned is None or bool(OFFER.search(turned[1]) or ENGLISH.match(turned[1].strip()))


def _adds_nothing(said: str, cited: bool) -> bool:
    if _refuses(said, cited):
        return True
    return not cited and (OFFER.search(said) or (not TURN.match(said) and ABOUT.match(said))) is not None


@lru_cache(maxsize=1)
def _constants() -> frozenset[str]:
    return frozenset(_bare(fold(phrase)) for phrase in REFUSALS.values())
