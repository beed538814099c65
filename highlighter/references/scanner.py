"""Where in a text its references stand: "[NEC4 ACC, p.3]", "【文件, 第3頁】", "(quote) [[label]]", "Source 2", "text¹".

A scanner that is fed pieces, so that a whole text and a stream are read by the same rules. It decides at each place by
what stands up to `BEHIND` characters before it and by a bounded run after it, and waits while more of that run may
still change the answer: so where a text is cut changes nothing. Code, links and footnotes' definitions are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from highlighter.references import markers, non_citations
from highlighter.references.markers import LOOKBEHIND_CHARACTERS, NEED_MORE_TEXT, CitationMarker

# Where anything may begin.
_MARKER_START = re.compile(r"[\[［【〔〖⟦(（《<`~\\¹²³⁰⁴-⁹⁽]|(?<![^\W_])S(?=[Oo]|\Z)|[来來出资資]")


@dataclass(slots=True)
class MarkerScanner:
    """Gives back what it is fed, in order: strings, and Marks in the place of their own text."""

    _buffer: str = ""  # what is not given back yet, after up to BEHIND characters of what is
    _emitted_characters: int = 0  # how much of it is
    _discarded_characters: int = 0  # how many characters went by before it
    _code_fence: str = ""  # that of the block of code it is in
    _last_marker: CitationMarker | None = None

    def feed(self, text: str) -> list[str | CitationMarker]:
        self._buffer += text
        return list(self._scan(is_final=False))

    def finish(self) -> list[str | CitationMarker]:
        return list(self._scan(is_final=True))

    def _scan(self, is_final: bool) -> Iterator[str | CitationMarker]:
        text, at = self._buffer, self._emitted_characters
        while at < len(text):
            if self._code_fence:
                at, ended = non_citations.find_block_end(text, at, self._code_fence, is_final)
                if not ended:
                    break
                self._code_fence = ""
                continue
            begins = _MARKER_START.search(text, at)
            at = begins.start() if begins else len(text)
            step = markers.scan_at(text, at, is_final) if begins else at
            if step is NEED_MORE_TEXT:
                break
            if isinstance(step, non_citations.CodeBlock):
                self._code_fence, at = step.fence, step.content_start
            elif isinstance(step, CitationMarker):
                yield from self._emit_text_before(at)
                yield self._with_text_offsets(step)
                at = self._emitted_characters = step.end
            else:
                at = step
        yield from self._emit_text_before(at)
        self._trim_buffer()

    def _emit_text_before(self, end: int) -> Iterator[str]:
        if self._emitted_characters < end:
            yield self._buffer[self._emitted_characters : end]
        self._emitted_characters = end

    def _with_text_offsets(self, marker: CitationMarker) -> CitationMarker:
        """By the whole text's offsets. A quotation is also that of a mark that follows right on its first: `"q" [1][2]`."""
        placed = replace(
            marker, start=marker.start + self._discarded_characters, end=marker.end + self._discarded_characters
        )
        last = self._last_marker
        near = last is not None and last.quote and last.end <= placed.start <= last.end + 2
        if near and not marker.quote and not self._buffer[last.end - self._discarded_characters : marker.start].strip():
            placed = replace(placed, quote=last.quote)
        self._last_marker = placed
        return placed

    def _trim_buffer(self) -> None:
        gone = max(self._emitted_characters - LOOKBEHIND_CHARACTERS, 0)
        self._buffer, self._emitted_characters, self._discarded_characters = (
            self._buffer[gone:],
            self._emitted_characters - gone,
            self._discarded_characters + gone,
        )


def find_markers(text: str) -> list[CitationMarker]:
    scanner = MarkerScanner()
    return [found for found in [*scanner.feed(text), *scanner.finish()] if isinstance(found, CitationMarker)]


# What a text itself says that its numbers mean: "[^1]: NEC4 ACC, p.3", or a list of references at its end.
#
# Whoever numbers his own notes does not number our sources: his "1" is the first he cites. So what he says of it counts,
# and not its place in our list.


MAX_DEFINITIONS = 1_000
_DEFINITION_LINE = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+)?(?:\*\*)?[\[［【]\^?(?P<number>\d{1,3})[\]］】](?:\*\*)?(?P<colon>[:：])?[ \t]*(?P<says>\S.{0,400})$",
    re.MULTILINE,
)
_REFERENCE_LIST_HEADING = re.compile(
    r"^[ \t#>*_]*(?:sources?|references?|citations?|footnotes?|notes|bibliography|参考文献|參考文獻|参考资料|參考資料|来源|來源|出处|出處|注释|註釋)"
    r"[ \t*_]*[:：]?[ \t*_]*$",
    re.MULTILINE | re.IGNORECASE,
)
_NUMBERED_ITEM = re.compile(r"[ \t>]*(?P<number>\d{1,3})[.)、．][ \t]*(?P<says>\S.{0,400})")
_URL = re.compile(r"<?(?:https?:|www\.|mailto:|[/#])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FootnoteDefinition:
    content: str  # empty: an address, so the number is a link
    is_certain: (
        bool  # "[1]: ..." can be nothing else; "[1] The Contractor ..." may be a sentence with its mark in front
    )
    start: int
    end: int


def find_definitions(text: str) -> dict[int, FootnoteDefinition]:
    """By number; a number that is defined twice is not in it."""
    found: dict[int, list[FootnoteDefinition]] = {}
    for line in _DEFINITION_LINE.finditer(text):
        _add_definition(found, line, text, line["colon"] is not None)
    headings = list(_REFERENCE_LIST_HEADING.finditer(text))
    if headings:
        _add_list_items(found, text, headings[-1].end())
    return {number: defined[0] for number, defined in list(found.items())[:MAX_DEFINITIONS] if len(defined) == 1}


def _add_list_items(found: dict[int, list[FootnoteDefinition]], text: str, at: int) -> None:
    """ "1. NEC4 ACC, p.3" under a heading that says what the list is."""
    for line in re.compile(r"[^\n]+").finditer(text, at):
        item = _NUMBERED_ITEM.fullmatch(text, *line.span())
        if item:
            _add_definition(found, item, text, False)
        elif not line[0].isspace():
            return


def _add_definition(found: dict[int, list[FootnoteDefinition]], line: re.Match[str], text: str, certain: bool) -> None:
    says = "" if _URL.match(line["says"]) else line["says"].strip()
    found.setdefault(int(line["number"]), []).append(FootnoteDefinition(says, certain, line.start(), line.end()))
