"""The pages' blocks into one text: paragraphs joined over columns and pages, footnotes after them, headings marked."""

from __future__ import annotations

import re

from highlighter.store.source_map import SourceRun
from ingest.readers.extracted_document import Heading, HiddenSpan
from ingest.readers.pdf.blocks import HIDDEN, TEXT, BlockItem, PdfBlock, PdfLine, is_item_start, is_sentence_end
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.line_joining import HYPHENS, choose_joint

_LOOKBACK_BLOCKS = 6  # blocks of text in which an unfinished paragraph is looked for
_MAX_BLOCKS_TO_EDGE = 3  # blocks from its column's end or start that it may stand

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def collect_vocabulary(texts) -> set[str]:
    """The words and hyphenated words that stand inside lines, where no line break can have touched them."""
    words: set[str] = set()
    for text in texts:
        found = _WORD.findall(text.lower())
        words.update(found[:-1] if text[-1:] in HYPHENS else found)
    return words


def join_split_paragraphs(blocks: list[PdfBlock]) -> list[PdfBlock]:
    """Paragraphs that a column's or page's end breaks are joined; what stood between them comes after."""
    done: list[PdfBlock] = []
    recent: list[PdfBlock] = []  # text that may go on, the latest last
    for block in blocks:
        found = next((other for other in reversed(recent) if _is_continued_by(other, block, other is recent[-1])), None)
        if found is None:
            done.append(block)
            if block.kind == TEXT:
                recent = [*recent[1 - _LOOKBACK_BLOCKS :], block]
            continue
        found.items[-1][0].extend(block.items[0][0])
        found.items += block.items[1:]
        found.is_full, found.region, found.blocks_below = block.is_full, block.region, block.blocks_below
    return done


def _is_continued_by(block: PdfBlock, following: PdfBlock, latest: bool) -> bool:
    """Whether a paragraph that a column's end cuts goes on in this block of another column or page."""
    if following.kind != TEXT or block.region == following.region:
        return False
    last, first = block.last, following.first
    if last.fragments[0].turn != first.fragments[0].turn:
        return False
    small = first.text[:1].islower()
    if abs(last.size - first.size) > 0.06 * last.size or (is_item_start(first.text) and not small):
        return False
    if not latest and not (
        small
        and block.is_full
        and block.blocks_below < _MAX_BLOCKS_TO_EDGE
        and following.blocks_above < _MAX_BLOCKS_TO_EDGE
    ):
        return False  # with a caption or a stamp between them, only what is plainly one sentence
    if last.text[-1:] in HYPHENS and first.text[:1].isalpha():
        return True
    if is_sentence_end(last.text):
        return False
    if small and last.bold == first.bold:
        return True
    alike = (last.bold, last.italic, last.face) == (first.bold, first.italic, first.face)
    return block.is_full and alike and not first.bold and not _is_title(first)


def _is_title(line: PdfLine) -> bool:
    return line.text.isupper()


def write_blocks(
    blocks: list[PdfBlock], words: set[str]
) -> tuple[CanonicalTextWriter, list[Heading], list[HiddenSpan]]:
    writer = CanonicalTextWriter()
    headings: list[Heading] = []
    hidden: list[HiddenSpan] = []
    for block in blocks:
        if writer.length:
            writer.add("\n\n")
        start = writer.length
        heads = {number: (length, level) for number, length, level in block.headings}
        for number, item in enumerate(block.items):
            if number:
                writer.add("\n")
            begins = writer.length
            _write_item(writer, item, words)
            if number in heads:
                length, level = heads[number]
                headings.append(Heading(begins, begins + length if length else writer.length, level))
        if block.kind == HIDDEN:
            hidden.append(HiddenSpan(start, writer.length, block.hidden_reason))
    return writer, headings, hidden


def _write_item(writer: CanonicalTextWriter, item: BlockItem, words: set[str]) -> None:
    for number, cell in enumerate(item):
        if number:
            writer.add("\t")
        for at, line in enumerate(cell):
            off, between = choose_joint(line.text, cell[at + 1].text, words) if at + 1 < len(cell) else (0, "")
            for place, fragment in enumerate(line.fragments):
                if place:
                    writer.add(line.joints[place - 1])
                writer.add_fragment(fragment, off if place == len(line.fragments) - 1 else 0)
            writer.add(between)


# The canonical text and its source map, grown together so that they cannot disagree.


class CanonicalTextWriter:
    """Appends text that comes from a page, and text (spaces, breaks) that comes from nowhere on paper."""

    def __init__(self):
        self.length = 0
        self._parts: list[str] = []
        self._runs: list[SourceRun] = []

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def runs(self) -> tuple[SourceRun, ...]:
        return tuple(self._runs)

    def add(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)

    def add_fragment(self, fragment: Fragment, dropped_characters: int = 0) -> None:
        """All of a fragment but the last `without` characters."""
        stop = len(fragment.text) - dropped_characters
        for offset, length, raw, raw_length in fragment.pieces:
            if length != raw_length and offset + length > stop:
                break
            kept = min(length, stop - offset)
            if kept <= 0:
                break
            self._add_run(offset, kept, fragment.page, raw, raw_length if length != raw_length else kept)
        self.add(fragment.text[:stop])

    def _add_run(self, offset: int, length: int, page: int, raw: int, raw_length: int) -> None:
        start = self.length + offset
        if self._runs and length == raw_length:
            last = self._runs[-1]
            exact = last.end - last.start == last.raw_end - last.raw_start
            if exact and last.end == start and last.raw_end == raw and last.page == page:
                self._runs[-1] = last._replace(end=start + length, raw_end=raw + raw_length)
                return
        self._runs.append(SourceRun(start, start + length, page, raw, raw + raw_length))
