"""Scan a text for citation markers: "[NEC4 ACC, p.3]", "【文件, 第3頁】", "(quote) [[label]]", "Source 2", "text¹".

The scanner is fed pieces, so that whole texts and streams follow the same rules. It decides at each offset by up to
LOOKBEHIND_CHARACTERS before it and a bounded run after it, and waits while more of that run may change the result: so
the division into pieces changes nothing. Code, links and footnote definitions are skipped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from highlighter.references import markers, non_citations
from highlighter.references.markers import LOOKBEHIND_CHARACTERS, CitationMarker

# Characters at which a marker, code or a link may begin.
_MARKER_START = re.compile(r"[\[［【〔〖⟦(（《<`~\\¹²³⁰⁴-⁹⁽]|(?<![^\W_])S(?=[Oo]|\Z)|[来來出资資]")


@dataclass(slots=True)
class MarkerScanner:
    """A scanner that returns the text it is fed, in order, with markers in place of their own text."""

    _buffer: str = ""  # text not emitted yet, after up to LOOKBEHIND_CHARACTERS of emitted text
    _emitted_characters: int = 0  # in the buffer
    _discarded_characters: int = 0  # before the buffer
    _code_fence: str = ""  # of the code block at the current offset
    _last_marker: CitationMarker | None = None

    def feed(self, text: str) -> list[str | CitationMarker]:
        """Return what can be decided after more text."""
        self._buffer += text
        return list(self._scan(is_final=False))

    def finish(self) -> list[str | CitationMarker]:
        """Return the rest at the end of the text."""
        return list(self._scan(is_final=True))

    def _scan(self, is_final: bool) -> Iterator[str | CitationMarker]:
        text, offset = self._buffer, self._emitted_characters
        while offset < len(text):
            if self._code_fence:
                offset, is_closed = non_citations.find_block_end(text, offset, self._code_fence, is_final)
                if not is_closed:
                    break
                self._code_fence = ""
                continue
            start = _MARKER_START.search(text, offset)
            offset = start.start() if start else len(text)
            step = markers.scan_at(text, offset, is_final) if start else offset
            if isinstance(step, non_citations.NeedMoreText):
                break
            if isinstance(step, non_citations.CodeBlock):
                self._code_fence, offset = step.fence, step.content_start
            elif isinstance(step, CitationMarker):
                yield from self._emit_text_before(offset)
                yield self._with_text_offsets(step)
                offset = self._emitted_characters = step.end
            else:
                offset = step
        yield from self._emit_text_before(offset)
        self._trim_buffer()

    def _emit_text_before(self, end: int) -> Iterator[str]:
        if self._emitted_characters < end:
            yield self._buffer[self._emitted_characters : end]
        self._emitted_characters = end

    def _with_text_offsets(self, marker: CitationMarker) -> CitationMarker:
        """Return the marker by offsets of the whole text.

        A marker that directly follows another gets the quotation of that one: `"q" [1][2]`.
        """
        placed = replace(
            marker, start=marker.start + self._discarded_characters, end=marker.end + self._discarded_characters
        )
        last = self._last_marker
        if last and last.quote and not marker.quote and last.end <= placed.start <= last.end + 2:
            between = self._buffer[last.end - self._discarded_characters : marker.start]
            placed = placed if between.strip() else replace(placed, quote=last.quote)
        self._last_marker = placed
        return placed

    def _trim_buffer(self) -> None:
        discarded = max(self._emitted_characters - LOOKBEHIND_CHARACTERS, 0)
        self._buffer, self._emitted_characters, self._discarded_characters = (
            self._buffer[discarded:],
            self._emitted_characters - discarded,
            self._discarded_characters + discarded,
        )


def find_markers(text: str) -> list[CitationMarker]:
    """Return the citation markers of a complete text."""
    scanner = MarkerScanner()
    return [item for item in [*scanner.feed(text), *scanner.finish()] if isinstance(item, CitationMarker)]


# Footnote definitions: "[^1]: NEC4 ACC, p.3", "¹ NEC4 ACC, p.3", or a list of references at the end of the text.
#
# A text that numbers its own notes does not number our sources: its "1" is the first source that it cites. So its
# definition counts, and not the position in our list.


MAX_DEFINITIONS = 1_000
_DEFINITION_LINE = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+)?(?:\*\*)?(?:[\[［【]\^?(?P<number>\d{1,3})[\]］】]|<sup>(?P<tagged>\d{1,3})</sup>|(?P<raised>[¹²³⁰⁴-⁹]{1,3}))"
    r"(?:\*\*)?(?P<colon>[:：])?[ \t]*(?P<says>\S.{0,400})$",
    re.MULTILINE | re.IGNORECASE,
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
    """The meaning that a text gives one of its numbers."""

    content: str  # empty for a URL: the number is a link
    # "[1]: ..." is certain; "[1] The Contractor ..." may be a sentence with its marker in front.
    is_certain: bool
    start: int
    end: int


def find_definitions(text: str) -> dict[int, FootnoteDefinition]:
    """Return the definitions of a text by number; a number that is defined twice is left out."""
    definitions: dict[int, list[FootnoteDefinition]] = {}
    for line in _DEFINITION_LINE.finditer(text):
        number = unicodedata.normalize("NFKC", line["number"] or line["tagged"] or line["raised"])
        _add_definition(definitions, int(number), line, line["colon"] is not None)
    headings = list(_REFERENCE_LIST_HEADING.finditer(text))
    if headings:
        _add_list_items(definitions, text, headings[-1].end())
    return {number: entries[0] for number, entries in list(definitions.items())[:MAX_DEFINITIONS] if len(entries) == 1}


def _add_list_items(definitions: dict[int, list[FootnoteDefinition]], text: str, start: int) -> None:
    """Add the items of a list under a heading such as "References": "1. NEC4 ACC, p.3"."""
    for line in re.compile(r"[^\n]+").finditer(text, start):
        item = _NUMBERED_ITEM.fullmatch(text, *line.span())
        if item:
            _add_definition(definitions, int(item["number"]), item, False)
        elif not line[0].isspace():
            return


def _add_definition(
    definitions: dict[int, list[FootnoteDefinition]], number: int, line: re.Match[str], is_certain: bool
) -> None:
    content = "" if _URL.match(line["says"]) else line["says"].strip()
    definitions.setdefault(number, []).append(FootnoteDefinition(content, is_certain, line.start(), line.end()))
