"""Quotation marks of languages: “ opens in English and closes in German, and « and » do both."""

from __future__ import annotations

from typing import Final

from highlighter.text.lazy_pattern import compile_later

CLOSING_MARKS: Final = {
    "“": "”", "„": "“”", "«": "»", "»": "«", "‹": "›", "›": "‹", "”": "”", "「": "」", "『": "』", "﹁": "﹂", "﹃": "﹄", "〝": "〞〟",
}  # fmt: skip
# Each of them opens or closes a quotation somewhere.
QUOTATION_MARKS: Final = '"＂' + "".join(dict.fromkeys("".join([*CLOSING_MARKS, *CLOSING_MARKS.values()])))
# These more often close a quotation; after a word or a stop they never open one.
_CLOSING_ELSEWHERE = "»›”"
# An apostrophe is written like a single mark: shorter words between two of them are seldom a quotation.
_CLOSING_SINGLE_MARKS = {"‘": "’", "‚": "‘"}
_MIN_CHARACTERS_IN_SINGLE_MARKS = 12


def _build_pattern(opening: str, closing: str) -> str:
    border = r"(?<![^\s(\[])" if opening in _CLOSING_ELSEWHERE else ""
    return rf"{border}{opening}\s*+([^{opening}{closing}]*[^{opening}{closing}\s])\s*+[{closing}]"


# The words that are quoted are the one group of a match that is not None.
QUOTATION = compile_later(
    "|".join([
        r"[\"＂]([^\"＂\n]+)[\"＂]",
        *(_build_pattern(opening, closing) for opening, closing in CLOSING_MARKS.items()),
        *(
            rf"(?<!\w){opening}([^{opening}{closing}]{{{_MIN_CHARACTERS_IN_SINGLE_MARKS},}}){closing}(?!\w)"
            for opening, closing in _CLOSING_SINGLE_MARKS.items()
        ),
    ])
)  # fmt: skip
_MARKS_THAT_ONLY_OPEN = tuple("“„«「『")


def is_in_quotation(before: str) -> bool:
    """Return whether a quotation is open at the end of a text."""
    rest = QUOTATION.sub("", before)
    return rest.count('"') % 2 == 1 or any(mark in rest for mark in _MARKS_THAT_ONLY_OPEN)
