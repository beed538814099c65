"""Join the paragraphs of a column that a displayed formula or white cuts within a sentence."""

from __future__ import annotations

import re

from ingest.list_markers import is_pdf_item_start
from ingest.readers.pdf.blocks import TABLE, TEXT, PdfBlock, is_sentence_end
from ingest.readers.pdf.line_joining import has_open_end

_MAX_FORMULA_BLOCKS = 8  # one after the other: rows of fractions, limits of sums
_MAX_FORMULA_CHARACTERS, _MAX_FORMULA_WORDS = 240, 3
_MIN_LEAD_IN_CHARACTERS, _MIN_LEAD_IN_WORDS = 24, 3  # of a paragraph; shorter text is a label
_MAX_SIZE_DIFFERENCE = 0.06

_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_RELATION = re.compile("[=<>≤≥≠≈≡∼≃≅∝∈∉⊂⊆⊃⊇→↦⇒⇔←↔≔≪≫]")
_SIGN = re.compile(r"[=<>+−×÷±/|^*·∗\u0370-\u03ff\u2190-\u22ff\u27e8-\u27ef\uf8e5-\uf8ff\U0001d400-\U0001d7ff]|\(\d")
_TIGHT_MARKER = re.compile(r"(?:[a-z]|[ivx]{1,4})[.)]\S")  # of an item, without white after it
_CAPTION = re.compile(r"(?:Figure|Fig\.|Table|Tab\.|Abbildung|Abb\.|Tabelle|Algorithm)\s*\d")


def join_cut_paragraphs(blocks: list[PdfBlock]) -> list[PdfBlock]:
    """Join each unfinished paragraph with the formulas below it and with the text that continues its sentence."""
    joined: list[PdfBlock] = []
    index = 0
    while index < len(blocks):
        block = blocks[index]
        joined.append(block)
        index += 1
        while is_unfinished(block) and (stop := _find_continuation_end(block, blocks, index)) > index:
            for following in blocks[index:stop]:
                _append(block, following)
            index = stop
    return joined


def is_unfinished(block: PdfBlock) -> bool:
    """Return whether a block ends within a sentence of running text."""
    last = block.last
    text = " ".join(line.text for line in block.items[-1][0])
    return (
        block.kind == TEXT
        and not is_sentence_end(last.text)
        and len(text) >= _MIN_LEAD_IN_CHARACTERS
        and len(_LONG_WORD.findall(text)) >= _MIN_LEAD_IN_WORDS
        and not (last.bold or text.isupper() or _CAPTION.match(text))
    )


def _find_continuation_end(block: PdfBlock, blocks: list[PdfBlock], start: int) -> int:
    """Return the end of the blocks that belong to the sentence that a block leaves unfinished."""
    stop = start
    while stop < min(len(blocks), start + _MAX_FORMULA_BLOCKS) and _is_formula(blocks[stop], block):
        stop += 1
    has_text = stop < len(blocks) and _is_continuation(block, blocks[stop])
    if stop == start:
        return stop + (has_text and (block.is_full or has_open_end(block.last.text)))
    has_relation = any(_RELATION.search(line.text) for formula in blocks[start:stop] for line in formula.lines)
    return stop + has_text if has_text or has_relation else start


def _is_formula(formula: PdfBlock, block: PdfBlock) -> bool:
    text = " ".join(line.text for line in formula.lines)
    return (
        formula.kind in (TEXT, TABLE)
        and formula.region == block.region
        and len(text) <= _MAX_FORMULA_CHARACTERS
        and len(_LONG_WORD.findall(text)) <= _MAX_FORMULA_WORDS
        and (bool(_SIGN.search(text)) or len(text) < 4)
        and not is_pdf_item_start(text)
        and not any(line.bold for line in formula.lines)
        and min(line.x0 for line in formula.lines) > block.column[0] + block.last.size
    )


def _is_continuation(block: PdfBlock, following: PdfBlock) -> bool:
    if following.kind != TEXT or following.region != block.region:
        return False
    last, first = block.last, following.first
    size = max(line.size for line in block.items[-1][0])
    return (
        first.text[:1].islower()
        and not (is_pdf_item_start(first.text) or _TIGHT_MARKER.match(first.text))
        and abs(size - first.size) <= _MAX_SIZE_DIFFERENCE * size
        and last.bold == first.bold
    )


def _append(block: PdfBlock, following: PdfBlock) -> None:
    if following.kind == TABLE:
        block.items[-1][0].extend(following.lines)
        return
    block.items[-1][0].extend(following.items[0][0])
    block.items += following.items[1:]
    block.is_full, block.blocks_below = following.is_full, following.blocks_below
