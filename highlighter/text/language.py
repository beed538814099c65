"""The Chinese script of a text, so that a browser chooses the right fonts and a voice the right sounds."""

from __future__ import annotations

import re
from functools import lru_cache

MAX_SAMPLE_CHARACTERS = 2000
_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")


def detect_chinese_script(text: str) -> str:
    """Return "zh-Hans" or "zh-Hant" where at least a third of the text is Chinese, else an empty string."""
    sample = text[:MAX_SAMPLE_CHARACTERS]
    ideographs = _IDEOGRAPH.findall(sample)
    if 3 * len(ideographs) <= len(sample):
        return ""
    return "zh-Hans" if sum(map(_weigh_script, ideographs)) > 0 else "zh-Hant"


@lru_cache(maxsize=10_000)
def _weigh_script(ideograph: str) -> int:
    """Return 1 for a character of only the simplified character set, -1 for one of only the traditional, else 0."""
    return _is_encodable(ideograph, "gb2312") - _is_encodable(ideograph, "big5")


def _is_encodable(character: str, character_set: str) -> bool:
    try:
        return bool(character.encode(character_set))
    except UnicodeEncodeError:
        return False
