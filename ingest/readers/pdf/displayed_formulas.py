"""Join the paragraphs of a column that a displayed formula, white or a line break of the writer cuts within a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from ingest.list_markers import is_pdf_item_start
from ingest.readers.pdf.blocks import TABLE, TEXT, PdfBlock, PdfLine, is_sentence_end
from ingest.readers.pdf.captions import CAPTION_WORD
from ingest.readers.pdf.line_joining import CHINESE_OR_JAPANESE, has_open_end
from ingest.readers.pdf.listings import is_line_of_listing

_MAX_FORMULA_BLOCKS = 8  # one after the other: rows of fractions, limits of sums
_MAX_FORMULA_CHARACTERS, _MAX_FORMULA_WORDS = 240, 3
_MIN_LEAD_IN_CHARACTERS, _MIN_LEAD_IN_WORDS = 24, 3  # of a paragraph; shorter text is a label
_MIN_CHARACTERS_BEFORE_FORMULA = (
    12  # of a lead-in of at least so many words, all in all, such as "Let p be prime, then"
)
_MAX_ROW_GAP, _MAX_ROW_PITCH_EMS = 0.75, 0.9  # between rows of one formula: closer than lines of text
_MIN_SPREAD_EMS = 3.0
_MAX_SIZE_DIFFERENCE = 0.06

_LEAD_IN = re.compile(r"(?=.*[^\W\d_]{4})[A-ZÀ-ÞΑ-Ω].*\s\S*(?:[a-zß-ÿα-ωа-я]|[a-zß-ÿα-ωа-я],)$")
_LEAD_IN_END = re.compile(r"[a-zß-ÿα-ωа-я],?$")  # looked at first: to find no lead-in in a long paragraph takes long
_MAX_BROKEN_GAP = 1.15  # in lines, between two lines of one sentence that the writer broke
_LOWER_CASE_WORDS = re.compile(r"[a-zß-ÿ]+ [a-zß-ÿ]{2}")
_CONNECTIVE = re.compile(
    r"(?:where|with|and|or|so that|such that|that is|wobei|mit|und|où|avec|et)[,:]?", re.IGNORECASE
)
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_RELATION = re.compile("[=<>≤≥≠≈≡∼≃≅∝∈∉⊂⊆⊃⊇→↦⇒⇔←↔≔≪≫]")
_SIGN = re.compile(r"[=<>+−×÷±/|^*·∗\u0370-\u03ff\u2190-\u22ff\u27e8-\u27ef\uf8e5-\uf8ff\U0001d400-\U0001d7ff]|\(\d")
_ROW_SIGN = re.compile(r"[=<>+−×÷\u2190-\u22ff\u27e8-\u27ef\uf8e5-\uf8ff\U0001d400-\U0001d7ff]|\| ?\{")
# A word, no symbols, also if these have several indices: "Vijk = ...".
_SENTENCE_START = re.compile(
    r"(?=\w*[AEIOUYÄÖÜaeiouyäöüàâèéêíîóôúû])[A-ZÀ-Þ][a-zß-ÿ]{2,}(?:[:,]|\s(?![=<>≤≥≠≈≡∼≃≅∝∈→↦]))"
)
_TIGHT_MARKER = re.compile(r"(?:[a-z]|[ivx]{1,4})[.)]\S")  # of an item, without white after it
_FORMULA_NUMBER = re.compile(r"\(\d{1,3}(?:\.\d{1,3})*[a-z]?\)$")
_CAPTION = re.compile(rf"{CAPTION_WORD}\s*\d")


def join_cut_paragraphs(blocks: list[PdfBlock]) -> list[PdfBlock]:
    """Join each unfinished paragraph with the formulas below it and with the text that continues its sentence."""
    blocks = _join_runs(_join_formula_rows(blocks), _find_broken_end)
    return _join_runs(blocks, _find_continuation_end)


def _join_runs(blocks: list[PdfBlock], find_end: Callable[[PdfBlock, list[PdfBlock], int], int]) -> list[PdfBlock]:
    """Join each block with those that follow, as long as `find_end` finds some: the index of the first that stays apart."""
    joined: list[PdfBlock] = []
    index = 0
    while index < len(blocks):
        block = blocks[index]
        joined.append(block)
        index += 1
        while (stop := find_end(block, blocks, index)) > index:
            for following in blocks[index:stop]:
                _append(block, following)
            index = stop
    return joined


def _join_formula_rows(blocks: list[PdfBlock]) -> list[PdfBlock]:
    """Join the rows of a formula that stand closer than lines of text: what is under a brace or over an arrow."""
    joined: list[PdfBlock] = []
    for block in blocks:
        if joined and _is_next_row(joined[-1], block):
            _append(joined[-1], block)
        else:
            joined.append(block)
    return joined


def _is_next_row(block: PdfBlock, following: PdfBlock) -> bool:
    if block.kind != TEXT or following.kind != TEXT or following.region != block.region:
        return False
    last, first = block.last, following.first
    pitch = first.base - last.base
    is_close = 0 < following.gap < _MAX_ROW_GAP and pitch < _MAX_ROW_PITCH_EMS * max(last.size, first.size)
    overlaps = first.x0 < last.x1 and first.x1 > last.x0
    if not (is_close and overlaps) or is_pdf_item_start(first.text):
        return False
    if _may_go_on(block) and _is_formula(following, block):
        return False  # a formula and the sentence that leads to it, which goes on below it
    return any(_is_formula_row(one) for one in (block, following))


def _is_formula_row(block: PdfBlock) -> bool:
    text = " ".join(line.text for line in block.lines)
    return len(text) <= _MAX_FORMULA_CHARACTERS and bool(_ROW_SIGN.search(text)) and not is_pdf_item_start(text)


def _find_broken_end(_block: PdfBlock, blocks: list[PdfBlock], start: int) -> int:
    """Return where a sentence of Chinese or Japanese ends whose lines were broken by hand; `start` where none goes on."""
    stop = start
    while stop < len(blocks) and _is_broken_off(blocks[stop - 1], blocks[stop]):
        stop += 1
    return stop if is_sentence_end(blocks[stop - 1].last.text) else start


def _is_broken_off(block: PdfBlock, following: PdfBlock) -> bool:
    """Return whether a paragraph of several lines ends without a stop, and the next line follows as one of it."""
    if not (block.kind == following.kind == TEXT) or following.region != block.region:
        return False
    last, first = block.last, following.first
    paragraph = block.items[-1][0]
    return (
        len(paragraph) > 1
        and not is_sentence_end(last.text)
        and bool(CHINESE_OR_JAPANESE.match(last.text[-1:]) and CHINESE_OR_JAPANESE.match(first.text))
        and not is_pdf_item_start(first.text)
        and following.gap <= _MAX_BROKEN_GAP
        and abs(first.x0 - last.x0) < 0.5 * first.size
        and (first.size, first.bold, first.face) == (last.size, last.bold, last.face)
    )


def _may_go_on(block: PdfBlock) -> bool:
    """Return whether a block ends within a sentence of running text, or is a short lead-in to a formula."""
    return is_unfinished(block) or _is_lead_in(block)


def _is_lead_in(block: PdfBlock) -> bool:
    if block.kind == TEXT and _CONNECTIVE.fullmatch(block.last.text) and len(block.lines) == 1:
        return True
    if block.kind != TEXT or not _LEAD_IN_END.search(block.last.text[-2:]):
        return False
    text = " ".join(line.text for line in block.items[-1][0])
    return (
        len(text) >= _MIN_CHARACTERS_BEFORE_FORMULA
        and len(text.split()) >= _MIN_LEAD_IN_WORDS
        and _LEAD_IN.match(text) is not None
        and not (block.last.bold or _CAPTION.match(text))
    )


def is_unfinished(block: PdfBlock) -> bool:
    """Return whether a block ends within a sentence of running text."""
    last = block.last
    if block.kind != TEXT or is_sentence_end(last.text) or (len(block.lines) == 1 and _is_spread(last)):
        return False
    text = " ".join(line.text for line in block.items[-1][0])
    return (
        len(text) >= _MIN_LEAD_IN_CHARACTERS
        and len(_LONG_WORD.findall(text)) >= _MIN_LEAD_IN_WORDS
        and not (last.bold or text.isupper() or _CAPTION.match(text))
    )


def _is_spread(line: PdfLine) -> bool:
    """Return whether the parts of a line stand far apart, as the title and the page number above a page."""
    is_apart = any(b.x0 - a.x1 > _MIN_SPREAD_EMS * line.size for a, b in pairwise(line.fragments))
    return is_apart and not _FORMULA_NUMBER.search(line.text)


def _find_continuation_end(block: PdfBlock, blocks: list[PdfBlock], start: int) -> int:
    """Return the end of the blocks that belong to the sentence that a block leaves unfinished."""
    if not _may_go_on(block):
        return start
    stop = start
    while stop < min(len(blocks), start + _MAX_FORMULA_BLOCKS) and _is_formula(blocks[stop], block):
        stop += 1
    has_text = stop < len(blocks) and _is_continuation(block, blocks[stop])
    if not is_unfinished(block):
        has_text &= stop > start
    if stop == start:
        is_cut = block.is_full or has_open_end(block.last.text)
        is_cut |= has_text and _ends_with_formula(block) and blocks[stop].first.text[:2].isalpha()
        return stop + (has_text and is_cut)
    has_relation = any(_RELATION.search(line.text) for formula in blocks[start:stop] for line in formula.lines)
    return stop + has_text if has_text or has_relation else start


def _ends_with_formula(block: PdfBlock) -> bool:
    last = block.last
    is_indented = last.x0 > block.column[0] + last.size
    return (
        is_indented and bool(_RELATION.search(last.text)) and len(_LONG_WORD.findall(last.text)) <= _MAX_FORMULA_WORDS
    )


def _is_formula(formula: PdfBlock, block: PdfBlock) -> bool:
    text = " ".join(line.text for line in formula.lines)
    return (
        formula.kind in (TEXT, TABLE)
        and formula.region == block.region
        and len(text) <= _MAX_FORMULA_CHARACTERS
        and len(_LONG_WORD.findall(text)) <= _MAX_FORMULA_WORDS
        and (bool(_SIGN.search(text)) or len(text) < 4)
        and not (is_pdf_item_start(text) or _SENTENCE_START.match(text))
        and not any(line.bold for line in formula.lines)
        and min(line.x0 for line in formula.lines) > block.column[0] + block.last.size
    )


def _is_continuation(block: PdfBlock, following: PdfBlock) -> bool:
    if following.kind != TEXT or following.region != block.region:
        return False
    last, first = block.last, following.first
    size = max(line.size for line in block.items[-1][0])
    return (
        (first.text[:1].islower() or _begins_with_formula(following, block))
        and not is_line_of_listing(first, last)
        and not (is_pdf_item_start(first.text) or _TIGHT_MARKER.match(first.text))
        and abs(size - first.size) <= _MAX_SIZE_DIFFERENCE * size
        and last.bold == first.bold
    )


def _begins_with_formula(following: PdfBlock, block: PdfBlock) -> bool:
    """Return whether the lines of a block are a formula and, close below it, the rest of a sentence."""
    lines = following.items[0][0]
    start = next((index for index, line in enumerate(lines) if _LOWER_CASE_WORDS.match(line.text)), 0)
    if not start:
        return False
    text = " ".join(line.text for line in lines[:start])
    is_worded = len(_LONG_WORD.findall(text)) > _MAX_FORMULA_WORDS or _SENTENCE_START.match(text)
    return (
        not is_worded
        and _RELATION.search(text) is not None
        and min(line.x0 for line in lines[:start]) > block.column[0] + block.last.size
        and lines[start].x0 < block.column[0] + block.last.size
    )


def _append(block: PdfBlock, following: PdfBlock) -> None:
    if following.kind == TABLE:
        block.items[-1][0].extend(following.lines)
        return
    block.items[-1][0].extend(following.items[0][0])
    block.items += following.items[1:]
    block.is_full, block.blocks_below = following.is_full, following.blocks_below
