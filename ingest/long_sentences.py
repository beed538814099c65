"""A sentence longer than the embedder reads is cut into pieces, or its end would count for nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from highlighter.embedder import Embedder
from highlighter.models import Sentence

# The best places to cut, in falling order: after a clause, after a comma, at a space, anywhere.
_BREAKS = (re.compile(r"[;:；：]\s*"), re.compile(r"[,，、]\s*"), re.compile(r"\s+"))


def cut_long(sentences: Sequence[tuple[int, Sentence]], embedder: Embedder) -> tuple[tuple[int, Sentence], ...]:
    """The same sentences, (chunk, sentence) each, with long ones in pieces and all numbered anew."""
    limit = None
    found: list[tuple[int, Sentence]] = []
    suspects = _suspects(sentences, embedder)
    for position, (chunk, sentence) in enumerate(sentences):
        if position in suspects:
            limit = limit or embedder.max_tokens
            found.extend((chunk, piece) for piece in _pieces(sentence, embedder, limit))
        else:
            found.append((chunk, sentence))
    return tuple((chunk, replace(sentence, index=index)) for index, (chunk, sentence) in enumerate(found))


def _suspects(sentences: Sequence[tuple[int, Sentence]], embedder: Embedder) -> set[int]:
    # A word piece is at least one character, so short sentences need no counting, and a store of them no model.
    could_be = [at for at, (_, sentence) in enumerate(sentences) if len(sentence.text) > SURELY_SHORT]
    if not could_be:
        return set()
    counts = embedder.count_tokens([sentences[at][1].text for at in could_be])
    return {at for at, count in zip(could_be, counts, strict=True) if count > embedder.max_tokens}


SURELY_SHORT = 250


def _pieces(sentence: Sentence, embedder: Embedder, limit: int) -> Iterable[Sentence]:
    spans = list(_halves(sentence.text, 0, len(sentence.text), embedder, limit))
    for start, end in spans:
        words = sentence.text[start:end]
        start += len(words) - len(words.lstrip())
        end -= len(words) - len(words.rstrip())
        if start < end:
            yield replace(
                sentence, start=sentence.start + start, end=sentence.start + end, text=sentence.text[start:end]
            )


def _halves(text: str, start: int, end: int, embedder: Embedder, limit: int) -> Iterator[tuple[int, int]]:
    """Cuts near the middle until each part is read whole."""
    if end - start <= SURELY_SHORT or embedder.count_tokens([text[start:end]])[0] <= limit:
        yield start, end
        return
    middle = _near_middle(text, start, end)
    yield from _halves(text, start, middle, embedder, limit)
    yield from _halves(text, middle, end, embedder, limit)


def _near_middle(text: str, start: int, end: int) -> int:
    centre, reach = (start + end) // 2, (end - start) // 4
    for pattern in _BREAKS:
        places = [found.end() for found in pattern.finditer(text, centre - reach, centre + reach)]
        if places:
            return min(places, key=lambda place: abs(place - centre))
    return centre
