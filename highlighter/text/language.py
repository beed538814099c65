"""Which Chinese a text is in, so that a browser takes the right fonts and a voice the right sounds."""

from __future__ import annotations

import re

MAX_SAMPLE_CHARACTERS = 2000  # characters looked at
_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
# Common characters that are written in only one of the two ways.
_SIMPLIFIED, _TRADITIONAL = (re.compile(f"[{letters}]") for letters in (
    "们这国时说会为来个对学发经应员业务", "們這國時說會為來個對學發經應員業務"
))  # fmt: skip


def detect_chinese_script(text: str) -> str:
    """ "zh-Hans" or "zh-Hant" where at least a third of the text is Chinese, else ""."""
    sample = text[:MAX_SAMPLE_CHARACTERS]
    if 3 * len(_IDEOGRAPH.findall(sample)) <= len(sample):
        return ""
    return "zh-Hans" if len(_SIMPLIFIED.findall(sample)) > len(_TRADITIONAL.findall(sample)) else "zh-Hant"
