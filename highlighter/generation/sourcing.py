"""Sources as a model is shown them: each between two lines that no source can write."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from highlighter.models import Source

# Characters of all sources together: about 25,000 tokens, which every model of today takes.
ROOM = 100_000
# What is not seen but read: control characters, and the tag characters in which orders can be hidden.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b\u2060\ufeff\U000e0000-\U000e007f]")
_BRACKETS = str.maketrans("[]", "()")  # they would end a label early


def framed(sources: Sequence[Source], beside: str = "", room: int = ROOM) -> tuple[str, str]:
    """The mark of this request, and its sources between lines that hold it. `beside`: what else will be said.

    Whoever wrote a source cannot know the mark: it is made of all sources and the question, and stands in none of them.
    The same request has the same mark.
    """
    labels = [label_of(source) for source in sources]
    if len({label.casefold() for label in labels}) < len(labels) or not all(labels):
        raise ValueError("Each source needs a label of its own.")
    texts = [_fitting(source, room // max(len(sources), 1)) for source in sources]
    mark = _mark([*labels, *texts, beside])
    blocks = (
        f"===== SOURCE {mark} =====\nLabel: [{label}]\n{text}\n===== END {mark} ====="
        for label, text in zip(labels, texts, strict=True)
    )
    return mark, "\n\n".join(blocks)


def label_of(source: Source) -> str:
    """On one line, and without brackets of its own."""
    return " ".join(_UNSEEN.sub("", source.label).translate(_BRACKETS).split())


def shortened(sources: Sequence[Source], room: int = ROOM) -> list[str]:
    """The labels of those that are too long to be shown whole."""
    share = room // max(len(sources), 1)
    return [source.label for source in sources if len(source.text) > share]


def _fitting(source: Source, share: int) -> str:
    text = _UNSEEN.sub("", source.text[:share].replace("\r\n", "\n").replace("\r", "\n"))
    return text if len(source.text) <= share else f"{text.rstrip()} ..."


def _mark(said: Sequence[str]) -> str:
    every = "\0".join(said)
    mark = hashlib.sha256(every.encode(errors="surrogatepass")).hexdigest()[:12]
    while mark in every:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:12]
    return mark
