"""One character for the many ways it is written, so that words meet. Always as long as what came in: offsets stay true."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

# Typographic marks that NFKC keeps apart and readers do not.
_MARKS = {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
_MARKS |= dict.fromkeys("‐‑‒–—―−", "-")


def fold(text: str) -> str:
    """Lower case, half width, plain quotes and dashes, Simplified for Traditional; one character for one."""
    return text.lower() if text.isascii() else "".join(map(_fold_character, text))


@lru_cache(maxsize=65_536)
def _fold_character(character: str) -> str:
    if "\ud800" <= character <= "\udfff":
        return "\ufffd"  # half a character: no program that reads words takes it
    plain = unicodedata.normalize("NFKC", character)
    if len(plain) != 1:
        plain = character
    lowered = plain.lower()
    plain = lowered if len(lowered) == 1 else plain
    return _table().get(ord(plain), plain)


@lru_cache(maxsize=1)
def _table() -> dict[int, str]:
    simplified = {}
    for line in _characters().read_text(encoding="utf-8").splitlines():
        traditional, _, choices = line.partition("\t")
        if len(traditional) == 1 and choices:
            simplified[ord(traditional)] = choices.split(" ")[0]
    return simplified | {ord(mark): plain for mark, plain in _MARKS.items()}


def _characters() -> Path:
    """OpenCC's table of characters, as its Python port carries it; the port itself converts phrases, changing lengths."""
    return Path(find_spec("opencc").origin).parent / "dictionary" / "TSCharacters.txt"
