"""The Chinese script of a text, so that a browser chooses the right fonts and a voice the right sounds."""

from __future__ import annotations

import re

MAX_SAMPLE_CHARACTERS = 2000
_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
# Common characters that differ between the two scripts.
_SIMPLIFIED, _TRADITIONAL = (re.compile(f"[{letters}]") for letters in (
    "们这国时说会为来个对学发经应员业务", "們這國時說會為來個對學發經應員業務"
))  # fmt: skip


def detect_chinese_script(text: str) -> str:
    """Return "zh-Hans" or "zh-Hant" where at least a third of the text is Chinese, else an empty string."""
    sample = text[:MAX_SAMPLE_CHARACTERS]
    if 3 * len(_IDEOGRAPH.findall(sample)) <= len(sample):
        return ""
    return "zh-Hans" if len(_SIMPLIFIED.findall(sample)) > len(_TRADITIONAL.findall(sample)) else "zh-Hant"
