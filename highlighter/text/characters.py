"""One character for the many ways it is written, so that words meet. Always as long as what came in: offsets stay true."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

# Typographic marks that NFKC keeps apart and readers do not.
_TYPOGRAPHIC_MARKS = {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
_TYPOGRAPHIC_MARKS |= dict.fromkeys("‐‑‒–—―−", "-")


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
    return _load_folding_table().get(ord(plain), plain)


@lru_cache(maxsize=1)
def _load_folding_table() -> dict[int, str]:
    simplified = {}
    for line in _find_opencc_table().read_text(encoding="utf-8").splitlines():
        traditional, _, choices = line.partition("\t")
        if len(traditional) == 1 and choices:
            simplified[ord(traditional)] = choices.split(" ")[0]
    return simplified | {ord(mark): plain for mark, plain in _TYPOGRAPHIC_MARKS.items()}


def _find_opencc_table() -> Path:
    """OpenCC's table of characters, as its Python port carries it; the port itself converts phrases, changing lengths."""
    return Path(find_spec("opencc").origin).parent / "dictionary" / "TSCharacters.txt"


# Half a character, of which no text is made: an emoji cut in two by a stream, or an escape in JSON that is none.


_SURROGATE = re.compile("[\ud800-\udfff]")


def repair_surrogates(text: str) -> str:
    """Halves that belong together as one; any other as the sign for what cannot be read: it can be neither sent nor shown."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
