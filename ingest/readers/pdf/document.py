"""The pages' blocks into one text: paragraphs joined over columns and pages, footnotes after them, headings marked."""

from __future__ import annotations

import re

from ingest.readers.pdf.blocks import HIDDEN, TEXT, Block, Item, Line
from ingest.readers.pdf.joining import HYPHENS, joint
from ingest.readers.pdf.paragraphs import ends_sentence, starts_item
from ingest.readers.pdf.writer import Writer
from ingest.readers.reading import Heading, Hidden

_LOOK_BACK = 6  # blocks of text in which an unfinished paragraph is looked for
_NEAR = 3  # blocks from its column's end or start that it may stand

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def vocabulary(texts) -> set[str]:
    """The words and hyphenated words that stand inside lines, where no line break can have touched them."""
    words: set[str] = set()
    for text in texts:
        found = _WORD.findall(text.lower())
        words.update(found[:-1] if text[-1:] in HYPHENS else found)
    return words


def in_sequence(blocks: list[Block]) -> list[Block]:
    """Paragraphs that a column's or page's end breaks are joined; what stood between them comes after."""
    done: list[Block] = []
    recent: list[Block] = []  # text that may go on, the latest last
    for block in blocks:
        found = next((other for other in reversed(recent) if _goes_on(other, block, other is recent[-1])), None)
        if found is None:
            done.append(block)
            if block.kind == TEXT:
                recent = [*recent[1 - _LOOK_BACK :], block]
            continue
        found.items[-1][0].extend(block.items[0][0])
        found.items += block.items[1:]
        found.full, found.leaf, found.after = block.full, block.leaf, block.after
    return done


def _goes_on(block: Block, following: Block, latest: bool) -> bool:
    """Whether a paragraph that a column's end cuts goes on in this block of another column or page."""
    if following.kind != TEXT or block.leaf == following.leaf:
        return False
    last, first = block.last, following.first
    if last.fragments[0].turn != first.fragments[0].turn:
        return False
    small = first.text[:1].islower()
    if abs(last.size - first.size) > 0.06 * last.size or (starts_item(first.text) and not small):
        return False
    if not latest and not (small and block.full and block.after < _NEAR and following.before < _NEAR):
        return False  # with a caption or a stamp between them, only what is plainly one sentence
    if last.text[-1:] in HYPHENS and first.text[:1].isalpha():
        return True
    if ends_sentence(last.text):
        return False
    if small and last.bold == first.bold:
        return True
    alike = (last.bold, last.italic, last.face) == (first.bold, first.italic, first.face)
    return block.full and alike and not first.bold and not _is_title(first)


def _is_title(line: Line) -> bool:
    return line.text.isupper()


def write(blocks: list[Block], words: set[str]) -> tuple[Writer, list[Heading], list[Hidden]]:
    writer = Writer()
    headings: list[Heading] = []
    hidden: list[Hidden] = []
    for block in blocks:
        if writer.length:
            writer.add("\n\n")
        start = writer.length
        heads = {number: (length, level) for number, length, level in block.heads}
        for number, item in enumerate(block.items):
            if number:
                writer.add("\n")
            begins = writer.length
            _write_item(writer, item, words)
            if number in heads:
                length, level = heads[number]
                headings.append(Heading(begins, begins + length if length else writer.length, level))
        if block.kind == HIDDEN:
            hidden.append(Hidden(start, writer.length, block.why))
    return writer, headings, hidden


def _write_item(writer: Writer, item: Item, words: set[str]) -> None:
    for number, cell in enumerate(item):
        if number:
            writer.add("\t")
        for at, line in enumerate(cell):
            off, between = joint(line.text, cell[at + 1].text, words) if at + 1 < len(cell) else (0, "")
            for place, fragment in enumerate(line.fragments):
                if place:
                    writer.add(line.joints[place - 1])
                writer.add_fragment(fragment, off if place == len(line.fragments) - 1 else 0)
            writer.add(between)
