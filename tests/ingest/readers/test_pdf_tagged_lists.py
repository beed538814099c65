"""The bullet of an item of a tagged list stands before its text, whenever it is painted."""

from __future__ import annotations

from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.structure_tree import ITEM, PARAGRAPH, PageStructure, StructureBlock
from ingest.readers.pdf.tagged_layout import build_tagged_blocks


def _fragment(text: str, x: float, base: float, block: int) -> Fragment:
    pieces = ((0, len(text), 0, len(text)),)
    return Fragment(1, text, pieces, x, base - 8, x + 5 * len(text), base + 2, base, 10.0, False, False, 0, block=block)


def test_bullet_painted_after_the_text_of_its_item_stands_before_it():
    fragments = []
    for block, marker in enumerate(("•", "d.")):
        fragments += [
            _fragment("The contractor gives notice of a", 90, 100 + 40 * block, block),
            _fragment("delay as soon as it is known.", 90, 112 + 40 * block, block),
            _fragment(marker, 76, 100 + 40 * block, block),
        ]
    blocks = build_tagged_blocks(PageStructure([StructureBlock(ITEM), StructureBlock(ITEM)]), fragments)
    texts = [" ".join(line.text for line in item[0]) for block in blocks for item in block.items]
    sentence = "The contractor gives notice of a delay as soon as it is known."
    assert texts == [f"• {sentence}", f"d. {sentence}"]


def test_item_that_fills_its_last_line_may_continue_on_the_next_page_and_a_short_line_may_not():
    fragments = [
        _fragment("Rules of the harbour", 76, 80, 0),
        _fragment("The contractor gives notice of a delay", 76, 100, 1),
        _fragment("as soon as it is known.", 76, 112, 1),
        _fragment("The employer keeps a record of every", 90, 130, 2),
        _fragment("•", 76, 130, 2),
    ]
    structure = PageStructure([StructureBlock(PARAGRAPH), StructureBlock(PARAGRAPH), StructureBlock(ITEM)])
    assert [block.is_full for block in build_tagged_blocks(structure, fragments)] == [False, False, True]
