"""Phrases that mean the same wherever they stand, so that a quote may have one in place of the other."""

from __future__ import annotations

from functools import lru_cache

_GROUPS = (
    "always/at all times",
    "before/prior to",
    "after/subsequent to/following",
    "if/in the event that/in the event of",
    "at least/not less than/no less than/no fewer than",
    "at most/not more than/no more than/up to",
    "to/in order to",
    "promptly/without delay/without undue delay",
    "under/pursuant to/in accordance with",
    "about/regarding/concerning/with respect to/in respect of",
    "because/due to the fact that",
    "during/in the course of",
    "every year/annually/each year",
    "每年/每一年",
    "随时/任何时候",
    "必须/务必",
)


def are_synonyms(words: str, other_words: str) -> bool:
    """Return whether two phrases mean the same in any sentence."""
    groups = _index_groups()
    group = groups.get(_normalise(words))
    return group is not None and group == groups.get(_normalise(other_words))


def _normalise(words: str) -> str:
    return " ".join(words.lower().split()).strip(".,;:，。；：、")


@lru_cache(maxsize=1)
def _index_groups() -> dict[str, int]:
    return {phrase: number for number, group in enumerate(_GROUPS) for phrase in group.split("/")}
