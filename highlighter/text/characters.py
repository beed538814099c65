"""Folding characters that are written in several ways, so that words match. Folded text keeps its length and its
offsets.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

# Typographic marks that NFKC keeps apart although readers do not distinguish them.
_TYPOGRAPHIC_MARKS = {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
_TYPOGRAPHIC_MARKS |= dict.fromkeys("‐‑‒–—―−", "-")
_ARABIC_NUMBER_MARKS = {"٪": "%", "٫": ".", "٬": ","}


def fold(text: str) -> str:
    """Return a text in lower case, half width, with plain quotes, dashes and digits, and Simplified for Traditional characters.

    Each character is replaced by exactly one.
    """
    return text.lower() if text.isascii() else "".join(map(_fold_character, text))


@lru_cache(maxsize=65_536)
def _fold_character(character: str) -> str:
    if "\ud800" <= character <= "\udfff":
        return "\ufffd"  # a lone surrogate: no tokenizer accepts it
    folded = unicodedata.normalize("NFKC", character)
    if len(folded) != 1:
        folded = character
    if folded.isdecimal():
        return str(unicodedata.decimal(folded))
    lower = folded.lower()
    folded = lower if len(lower) == 1 else folded
    return _load_folding_table().get(ord(folded), folded)


@lru_cache(maxsize=1)
def _load_folding_table() -> dict[int, str]:
    table = {}
    for line in _find_opencc_table().read_text(encoding="utf-8").splitlines():
        traditional, _, choices = line.partition("\t")
        if len(traditional) == 1 and choices:
            table[ord(traditional)] = choices.split(" ")[0]
    return table | {ord(mark): plain for mark, plain in (_TYPOGRAPHIC_MARKS | _ARABIC_NUMBER_MARKS).items()}


def _find_opencc_table() -> Path:
    """Return the path of OpenCC's table of characters in its Python package.

    The package itself converts phrases, which changes lengths.
    """
    package = find_spec("opencc")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("No module named 'opencc'", name="opencc")
    return Path(package.origin).parent / "dictionary" / "TSCharacters.txt"


# Lone surrogates come from an emoji that a stream cut in two, or from a wrong escape in JSON.
_SURROGATE = re.compile("[\ud800-\udfff]")


def repair_surrogates(text: str) -> str:
    """Return a text with surrogate pairs joined and each lone surrogate replaced, since it can be neither sent nor
    shown.
    """
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
