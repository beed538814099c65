"""The spans that vendors give in their answers: in characters, UTF-8 bytes or UTF-16 units, converted to code points.

The cited text decides: a span that does not contain it is tried in the other units, and then the text itself is found.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from highlighter.cpu_budget import check_cpu
from highlighter.native_formats.native_response import check_answer_length

CHARACTERS, UTF8_BYTES, UTF16_UNITS = "characters", "utf-8", "utf-16"

Span = tuple[int, int]


class AnswerOffsets:
    """An answer with the offsets of its characters in every unit, computed once."""

    def __init__(self, text: str):
        check_answer_length(text)
        self.text = text
        self._reversed = text[::-1]
        self._offsets: dict[str, list[int]] = {}

    def find_span(
        self, start: int | None, end: int | None, cited_text: str = "", unit: str = CHARACTERS
    ) -> Span | tuple[None, None]:
        """Return the span in characters; (None, None) where the numbers and the cited text lead nowhere."""
        check_cpu()
        if end is None:
            return self._find_text(cited_text, 0) if cited_text else (None, None)
        spans = list(self._list_readings(start or 0, end, unit))
        if cited_text:
            exact = (span for span in spans if self.text[slice(*span)].strip() == cited_text.strip())
            return next(exact, None) or self._find_text(cited_text, start or 0)
        return spans[0] if spans else (None, None)

    def _list_readings(self, start: int, end: int, unit: str) -> Iterator[Span]:
        """Yield the span in the given unit, in the others, and with an end that is the last character's."""
        for reading in dict.fromkeys((unit, CHARACTERS, UTF8_BYTES, UTF16_UNITS)):
            first, last = self._to_characters(start, reading), self._to_characters(end, reading)
            if first is not None and last is not None and first < last:
                yield first, last
                yield first, min(last + 1, len(self.text))

    def _to_characters(self, offset: int, unit: str) -> int | None:
        """Return an offset in characters; None beyond the text. Within a character, it is where the character begins."""
        if unit == CHARACTERS:
            return offset if offset <= len(self.text) else None
        offsets = self._offsets.get(unit) or self._offsets.setdefault(unit, list(_measure_offsets(self.text, unit)))
        if offset > offsets[-1]:
            return None
        index = bisect_left(offsets, offset)
        return index if offsets[index] == offset else index - 1

    def _find_text(self, cited_text: str, near: int) -> Span | tuple[None, None]:
        """Return where the text is nearest to an offset."""
        cited_text = cited_text.strip()
        size, length = len(self.text), len(cited_text)
        # `rfind` may compare every character of one text with every one of the other; `find` does not.
        distance = self._reversed.find(cited_text[::-1], max(size - near - length, 0))
        starts = [start for start in (self.text.find(cited_text, near),) if start >= 0]
        if distance >= 0:
            starts.insert(0, size - distance - length)
        if not cited_text or not starts:
            return None, None
        start = min(starts, key=lambda found: abs(found - near))
        return start, start + len(cited_text)


def _measure_offsets(text: str, unit: str) -> Iterator[int]:
    sizes = (len(character.encode("utf-8", "surrogatepass")) for character in text)
    if unit == UTF16_UNITS:
        sizes = (1 + (character > "\uffff") for character in text)
    return accumulate(sizes, initial=0)
