"""Where in a text its references stand: "[NEC4 ACC, p.3]", "【文件, 第3頁】", "(quote) [[label]]", "Source 2", "text¹".

A scanner that is fed pieces, so that a whole text and a stream are read by the same rules. It decides at each place by
what stands up to `BEHIND` characters before it and by a bounded run after it, and waits while more of that run may
still change the answer: so where a text is cut changes nothing. Code, links and footnotes' definitions are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from highlighter.citations import code, shapes
from highlighter.citations.shapes import BEHIND, WAIT, Mark

# Where anything may begin.
_BEGINNING = re.compile(r"[\[［【〔〖⟦(（《<`~\\¹²³⁰⁴-⁹⁽]|(?<![^\W_])S(?=[Oo]|\Z)|[来來出资資]")


@dataclass(slots=True)
class Scanner:
    """Gives back what it is fed, in order: strings, and Marks in the place of their own text."""

    _text: str = ""  # what is not given back yet, after up to BEHIND characters of what is
    _given: int = 0  # how much of it is
    _before: int = 0  # how many characters went by before it
    _fence: str = ""  # that of the block of code it is in
    _last: Mark | None = None

    def feed(self, piece: str) -> list[str | Mark]:
        self._text += piece
        return list(self._scan(final=False))

    def finish(self) -> list[str | Mark]:
        return list(self._scan(final=True))

    def _scan(self, final: bool) -> Iterator[str | Mark]:
        text, at = self._text, self._given
        while at < len(text):
            if self._fence:
                at, ended = code.out_of_block(text, at, self._fence, final)
                if not ended:
                    break
                self._fence = ""
                continue
            begins = _BEGINNING.search(text, at)
            at = begins.start() if begins else len(text)
            step = shapes.at(text, at, final) if begins else at
            if step is WAIT:
                break
            if isinstance(step, code.Block):
                self._fence, at = step.fence, step.begins
            elif isinstance(step, Mark):
                yield from self._text_before(at)
                yield self._placed(step)
                at = self._given = step.end
            else:
                at = step
        yield from self._text_before(at)
        self._forget()

    def _text_before(self, at: int) -> Iterator[str]:
        if self._given < at:
            yield self._text[self._given : at]
        self._given = at

    def _placed(self, mark: Mark) -> Mark:
        """By the whole text's offsets. A quotation is also that of a mark that follows right on its first: `"q" [1][2]`."""
        placed = replace(mark, start=mark.start + self._before, end=mark.end + self._before)
        last = self._last
        near = last is not None and last.quote and last.end <= placed.start <= last.end + 2
        if near and not mark.quote and not self._text[last.end - self._before : mark.start].strip():
            placed = replace(placed, quote=last.quote)
        self._last = placed
        return placed

    def _forget(self) -> None:
        gone = max(self._given - BEHIND, 0)
        self._text, self._given, self._before = self._text[gone:], self._given - gone, self._before + gone


def marks(text: str) -> list[Mark]:
    scanner = Scanner()
    return [found for found in [*scanner.feed(text), *scanner.finish()] if isinstance(found, Mark)]
