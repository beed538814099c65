"""Whether somebody's words repeat a document's: a run of them, such as nobody hits upon by chance."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from highlighter.folding import fold

# Fewer words in a row, or fewer Chinese characters, are a name or a turn of phrase.
WORDS, CHARACTERS = 6, 10
_IDEOGRAPH = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])")
# A deletion holds one passage against many questions.
PASSAGES_KEPT = 256


def quotes(said: str, texts: Iterable[str]) -> bool:
    """Whether it repeats any of them; they are not looked at when nothing said is long enough."""
    runs = _runs(_words(said))
    return bool(runs) and any(run in held for held in map(_spelled, texts) for run in runs)


def _runs(words: list[str]) -> list[str]:
    """Those long enough to be a quotation; where there are Chinese characters among them, each counts as a word."""
    found = []
    for at in range(len(words)):
        some = words[at : at + WORDS]
        most = CHARACTERS if any(map(_IDEOGRAPH.match, some)) else WORDS
        if len(some := words[at : at + most]) == most:
            found.append(_joined(some))
    return found


@lru_cache(maxsize=PASSAGES_KEPT)
def _spelled(text: str) -> str:
    return _joined(_words(text))


def _joined(words: list[str]) -> str:
    return f" {' '.join(words)} "


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", _IDEOGRAPH.sub(r" \1 ", fold(text)))
