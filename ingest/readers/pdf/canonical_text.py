"""Write the pages' blocks as one text: join split paragraphs, put footnotes after them, mark headings."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property

from highlighter.models import DocumentTable
from highlighter.store.source_map import SourceRun
from ingest.list_markers import is_pdf_item_start
from ingest.readers.extracted_document import Heading
from ingest.readers.pdf.blocks import TABLE, TEXT, BlockItem, PdfBlock, PdfLine, is_sentence_end
from ingest.readers.pdf.captions import CAPTION_WORD
from ingest.readers.pdf.continued_tables import WrittenTable, join_continued_tables
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.line_joining import HYPHENS, UNSPACED_SCRIPT, choose_joint, has_open_end
from ingest.readers.pdf.listings import is_in_listing, is_line_of_listing
from ingest.readers.table_structure import SourceCell, SourceRow

_LOOKBACK_BLOCKS = 6  # searched for an unfinished paragraph
_MAX_BLOCKS_TO_EDGE = 3  # between an unfinished paragraph and its column's end or start
_MIN_RISE_EMS = 0.5  # from the last line of a short column to the first line of the one beside it
_MIN_FILLED_SHARE = 0.75  # of the width of a short column, by its last line
_MIN_WORDS_TO_GO_ON = 6  # in the paragraph, before a capital in another column
_MIN_REST_WORDS = 3  # of the rest of a sentence after drawings
_MIN_REST_WIDTH_SHARE = 0.85  # of its first line, of the widest line before the drawings
_MIN_NOTE_CHARACTERS, _MIN_NOTE_PAGES = 40, 3  # of a note that is repeated

_OPENING_SIGNS = "([“‘«\"'"
_LETTERED_ITEM = re.compile(r"[a-z]{1,4}[.)]\s+[^\W\d_]*[A-Z“\"]")  # "b. The Contractor ..."
_CAPTION = re.compile(rf"{CAPTION_WORD}\s\d+(?:\.\d+)*([.:])\s")
_NAMED_CLAUSE = re.compile(r"(?:§|Article|Section|Clause|Chapter|Schedule)\s*[\dIVXLC]")
_PLAIN_WORD = re.compile(r"(?<![\w.$])[^\W\d_]+(?![\w$]|\.\w)")  # no part of a name such as "lex.dur"
_WORD, _LONG_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*"), re.compile(r"[^\W\d_]{3}")


class LineWords:
    """The words and hyphenated words inside lines, where no line break can have changed them.

    They are collected when the first is looked up: many documents break no word.
    """

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts

    def __contains__(self, word: object) -> bool:
        return word in self._words

    @cached_property
    def _words(self) -> set[str]:
        unbroken = " ".join(text for text in self._texts if text[-1:] not in HYPHENS)
        words = set(_WORD.findall(" ".join(set(unbroken.lower().split()))))  # most stand in the text many times
        for text in self._texts:
            if text[-1:] in HYPHENS:
                words.update(_WORD.findall(text.lower())[:-1])
        return words


def join_split_paragraphs(blocks: list[PdfBlock]) -> list[PdfBlock]:
    """Join paragraphs that the end of a column or page breaks; what stood between comes after them."""
    joined: list[PdfBlock] = []
    recent: list[PdfBlock] = []  # text that may continue, the latest last
    cut_block: PdfBlock | None = None  # the last running text, if its column's end cuts it
    repeated_ids = _find_repeated(blocks)
    for block in blocks:
        unfinished = next(
            (other for other in reversed(recent) if _is_continued_by(other, block, other is recent[-1])), None
        )
        is_running = (cut_block is not None or _is_cut(block)) and _is_running_text(block)
        if (
            unfinished is None
            and cut_block
            and (is_running or _is_short_rest(cut_block, block))
            and _is_rest(cut_block, block)
        ):
            unfinished = cut_block
        if is_running or unfinished is cut_block is not None:
            cut_block = (unfinished or block) if _is_cut(block) else None
        elif cut_block and cut_block is joined[-1] and has_open_end(cut_block.last.text) and is_in_listing(block.first):
            cut_block = None  # "... can be obtained by", and code
        if unfinished is None:
            joined.append(block)
            if block.kind == TEXT and id(block) not in repeated_ids:
                recent = [*recent[1 - _LOOKBACK_BLOCKS :], block]
            continue
        unfinished.items[-1][0].extend(block.items[0][0])
        unfinished.items += block.items[1:]
        unfinished.is_full, unfinished.region, unfinished.blocks_below = block.is_full, block.region, block.blocks_below
    return joined


def _find_repeated(blocks: list[PdfBlock]) -> set[int]:
    """Return the ids of notes that stand on page after page with the same words: the text runs on past them."""
    by_text: dict[str, list[PdfBlock]] = defaultdict(list)
    for block in blocks:
        if block.kind == TEXT:
            by_text[" ".join(line.text for line in block.lines)].append(block)
    return {
        id(block)
        for text, same in by_text.items()
        if len(text) >= _MIN_NOTE_CHARACTERS and len({block.first.page for block in same}) >= _MIN_NOTE_PAGES
        for block in same
    }


def _is_continued_by(block: PdfBlock, following: PdfBlock, is_latest: bool) -> bool:
    """Return whether a paragraph that the end of a column cuts continues in a block of another column or page."""
    if following.kind != TEXT:
        return False
    if block.region == following.region:
        return is_latest and _is_continued_beside(block, following)
    first = following.first
    text = first.text if is_pdf_item_start(first.text) else first.text.lstrip(_OPENING_SIGNS)
    is_lowercase = text[:1].islower() and not _LETTERED_ITEM.match(text)
    if not is_latest and not (
        is_lowercase
        and block.is_full
        and block.blocks_below < _MAX_BLOCKS_TO_EDGE
        and following.blocks_above < _MAX_BLOCKS_TO_EDGE
    ):
        return False  # with a caption or stamp between, only what is clearly one sentence
    last = block.last
    if last.fragments[0].turn != first.fragments[0].turn:
        return False
    caption = _CAPTION.match(first.text)
    if caption and (caption[1] == ":" or not has_open_end(last.text)):
        return False  # else "... as shown in" | "Table 3. The next ..."
    if is_in_listing(last) != is_in_listing(first) or is_line_of_listing(first, last):
        return False
    if abs(last.size - first.size) > 0.06 * last.size:
        return False
    if is_pdf_item_start(first.text) and not (is_lowercase or _is_reference_cut(last, first)):
        return False
    if last.text[-1:] in HYPHENS and first.text[:1].isalpha():
        return True
    if is_sentence_end(last.text):
        return False
    if is_lowercase and last.bold == first.bold:
        return True
    has_same_style = (last.bold, last.italic, last.face) == (first.bold, first.italic, first.face)
    if has_same_style and is_latest and has_open_end(last.text):
        return True
    may_go_on = not (first.bold or _is_title(first)) and _WORD.search(first.text) is not None
    return block.is_full and has_same_style and _is_prose(block) and may_go_on


def _is_running_text(block: PdfBlock) -> bool:
    """Return whether a block is of the running text: no caption, no code, and no label of a drawing."""
    if block.kind != TEXT or _CAPTION.match(block.first.text) or is_in_listing(block.last):
        return False
    return _is_prose(block) and any(_LONG_WORD.search(line.text) for line in block.items[-1][0])


def _is_cut(block: PdfBlock) -> bool:
    return block.is_full and block.blocks_below == 0 and not is_sentence_end(block.last.text)


def _is_short_rest(block: PdfBlock, following: PdfBlock) -> bool:
    """Return whether a block is some words, and the text before it ends with a word that ends no sentence."""
    is_text = following.kind == TEXT and not is_in_listing(following.first)
    return (
        is_text and has_open_end(block.last.text) and len(_PLAIN_WORD.findall(following.first.text)) >= _MIN_REST_WORDS
    )


def _is_rest(block: PdfBlock, following: PdfBlock) -> bool:
    """Return whether a block is the rest of the last running text, which drawings, code and tables on its page cut."""
    last, first = block.last, following.first
    return (
        first.text[:1].islower()
        and first.page > last.page
        and not is_pdf_item_start(first.text)
        and (last.size, last.bold, last.face) == (first.size, first.bold, first.face)
        and (_is_as_wide(block, following) or (has_open_end(last.text) and _is_one_line_to_end(following)))
    )


def _is_as_wide(block: PdfBlock, following: PdfBlock) -> bool:
    """Return whether the first line of a block is about as wide as the lines of the text before it."""
    width = max(line.x1 - line.x0 for line in block.items[-1][0])
    return following.first.x1 - following.first.x0 > _MIN_REST_WIDTH_SHARE * width


def _is_one_line_to_end(block: PdfBlock) -> bool:
    """Return whether a paragraph of one line ends a sentence, or announces what follows."""
    paragraph = block.items[0][0]
    return len(paragraph) == 1 and (is_sentence_end(paragraph[0].text) or paragraph[0].text.endswith(":"))


def _is_reference_cut(last: PdfLine, first: PdfLine) -> bool:
    """Return whether a line begins with the clause that the unfinished line before it names: "in this", "Section 10"."""
    return has_open_end(last.text) and _NAMED_CLAUSE.match(first.text) is not None


def _is_continued_beside(block: PdfBlock, following: PdfBlock) -> bool:
    """Return whether a sentence that fills a short column goes on in the column beside it, which begins higher."""
    last, first = block.last, following.first
    if not first.text[:1].islower() or is_sentence_end(last.text) or _LETTERED_ITEM.match(first.text):
        return False
    if block.first.text[:1].islower() or not _is_prose(block):
        return False  # items side by side
    right_edge = max(line.x1 for line in block.items[-1][0])
    is_filled = last.x1 - last.x0 > _MIN_FILLED_SHARE * (right_edge - last.x0)
    is_beside = first.x0 > right_edge and first.base < last.base - _MIN_RISE_EMS * last.size
    has_same_style = (last.page, last.size, last.bold, last.face) == (first.page, first.size, first.bold, first.face)
    return is_filled and is_beside and has_same_style


def _is_prose(block: PdfBlock) -> bool:
    """Return whether a paragraph has words enough for a sentence that goes on elsewhere; an address or a label has not."""
    text = " ".join(line.text for line in block.items[-1][0])
    return len(_PLAIN_WORD.findall(text)) >= _MIN_WORDS_TO_GO_ON or UNSPACED_SCRIPT.search(text) is not None


def _is_title(line: PdfLine) -> bool:
    return line.text.isupper()


def write_blocks(
    blocks: list[PdfBlock], vocabulary: LineWords
) -> tuple[CanonicalTextWriter, list[Heading], list[DocumentTable]]:
    """Write the blocks, and return the writer with the headings and tables."""
    writer = CanonicalTextWriter()
    written_tables: list[WrittenTable] = []
    headings: list[Heading] = []
    for index, block in enumerate(blocks):
        if writer.length:
            writer.add("\n\n")
        start = writer.length
        heading_by_item = {number: (length, level) for number, length, level in block.headings}
        for number, item in enumerate(block.items):
            if number:
                writer.add("\n")
            item_start = writer.length
            is_heading = heading_by_item.get(number, (1, 0))[0] == 0
            _write_item(writer, item, vocabulary, is_heading=is_heading)
            if number in heading_by_item:
                length, level = heading_by_item[number]
                headings.append(Heading(item_start, item_start + length if length else writer.length, level))
        if block.kind == TABLE:
            written_tables.append(WrittenTable(index, start, writer.length, _list_source_rows(block)))
    return writer, headings, join_continued_tables(blocks, written_tables)


def _list_source_rows(block: PdfBlock) -> list[SourceRow]:
    return [
        SourceRow(
            tuple(
                SourceCell(
                    column,
                    " ".join(line.text for line in cell),
                    *block.cell_spans.get((number, column), (1, 1)),
                    is_header=(number, column) in block.header_cells,
                    is_bold=bool(cell) and all(line.bold for line in cell),
                )
                for column, cell in enumerate(item)
            )
        )
        for number, item in enumerate(block.items)
    ]


def _write_item(writer: CanonicalTextWriter, item: BlockItem, vocabulary: LineWords, *, is_heading: bool) -> None:
    for number, cell in enumerate(item):
        if number:
            writer.add("\t")
        for index, line in enumerate(cell):
            dropped, separator = (
                choose_joint(line.text, cell[index + 1].text, vocabulary, is_heading=is_heading)
                if index + 1 < len(cell)
                else (0, "")
            )
            for position, fragment in enumerate(line.fragments):
                if position:
                    writer.add(line.joints[position - 1])
                writer.add_fragment(fragment, dropped if position == len(line.fragments) - 1 else 0)
            writer.add(separator)


# The canonical text and its source map are written together, so that they cannot disagree.


class CanonicalTextWriter:
    """A writer of text from a page, and of spaces and breaks that are on no page."""

    def __init__(self) -> None:
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
        """Add a fragment without its last `dropped_characters`."""
        stop = len(fragment.text) - dropped_characters
        for offset, length, raw, raw_length in fragment.pieces:
            if length != raw_length and offset + length > stop:
                break
            added = min(length, stop - offset)
            if added <= 0:
                break
            self._add_run(offset, added, fragment.page, raw, raw_length if length != raw_length else added)
        self.add(fragment.text[:stop])

    def _add_run(self, offset: int, length: int, page: int, raw: int, raw_length: int) -> None:
        start = self.length + offset
        if self._runs and length == raw_length:
            last = self._runs[-1]
            is_exact = last.end - last.start == last.raw_end - last.raw_start
            if is_exact and last.end == start and last.raw_end == raw and last.page == page:
                self._runs[-1] = last._replace(end=start + length, raw_end=raw + raw_length)
                return
        self._runs.append(SourceRun(start, start + length, page, raw, raw + raw_length))
