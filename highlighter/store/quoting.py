"""Whether somebody's words repeat a document's: a run of them, such as nobody hits upon by chance."""

from __future__ import annotations

import re

from highlighter.folding import fold

# Fewer words in a row, or fewer Chinese characters, are a name or a turn of phrase.
WORDS, CHARACTERS = 6, 10
_IDEOGRAPH = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])")


def quotes(said: str, text: str) -> bool:
    words, held = _words(said), f" {' '.join(_words(text))} "
    for at in range(len(words)):
        for most in (WORDS, CHARACTERS):
            run = words[at : at + most]
            enough = len(run) == most and (most == CHARACTERS or not any(map(_IDEOGRAPH.match, run)))
            if enough and f" {' '.join(run)} " in held:
                return True
    return False


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", _IDEOGRAPH.sub(r" \1 ", fold(text)))
