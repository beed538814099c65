"""Blocks as Markdown that reads the same in CommonMark, GitHub and Pandoc."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from highlighter.answer_text.inline_writer import InlineWriter
from highlighter.answer_text.tree import CODE, HEADING, ITEM, LIST, QUOTE, RULE, TABLE, Block, Run

HIGHEST_HEADING = 2  # the highest is the question


class MarkdownWriter:
    """`marker` returns the Markdown of a run that is a marker."""

    def __init__(self, marker: Callable[[Run], str]):
        self._inline = InlineWriter(marker)

    def write(self, blocks: Sequence[Block]) -> str:
        return "\n\n".join(written for written in self._blocks(blocks) if written)

    def _blocks(self, blocks: Sequence[Block]) -> list[str]:
        written, alternate = [], False
        for number, block in enumerate(blocks):
            # Two lists in a row are one list to a reader of Markdown if their signs are the same.
            alternate = number > 0 and block.kind == blocks[number - 1].kind == LIST and not alternate
            written.append(self._block(block, alternate))
        return written

    def _block(self, block: Block, alternate: bool) -> str:
        if block.kind == HEADING:
            return f"{'#' * (HIGHEST_HEADING + block.level - 1)} {self._inline.one_line(block.runs)}"
        if block.kind == LIST:
            return self._list(block, alternate)
        if block.kind == TABLE:
            return self._table(block)
        if block.kind == CODE:
            return self._code(block)
        if block.kind == QUOTE:
            return _indented(self.write(block.children), "> ", "> ")
        return "---" if block.kind == RULE else self._inline.lines(block.runs)

    def _list(self, block: Block, alternate: bool) -> str:
        items = []
        for number, item in enumerate(block.children, block.first or 0):
            sign = ("*" if alternate else "-") if block.first is None else f"{number}{')' if alternate else '.'}"
            items.append(_indented(self._item(item), f"{sign} ", " " * (len(sign) + 1)))
        return "\n".join(items)

    def _item(self, item: Block) -> str:
        """Return an item; a list in it follows its text without a blank line, as in most Markdown."""
        first, *rest = item.children or (Block(ITEM),)
        if len(rest) == 1 and rest[0].kind == LIST:
            return f"{self._block(first, False)}\n{self._block(rest[0], False)}"
        return self.write(item.children)

    def _table(self, block: Block) -> str:
        columns = max(len(row.children) for row in block.children)
        rows = [
            [self._inline.cell(cell.runs) for cell in row.children] + [""] * (columns - len(row.children))
            for row in block.children
        ]
        lines = [rows[0], ["---"] * columns, *rows[1:]]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

    def _code(self, block: Block) -> str:
        """Return code between fences; code with markers, which lead nowhere there, as lines of code."""
        if any(run.marker for run in block.runs):
            return self._inline.lines(block.runs)
        fence = "`" * max(3, longest_backticks(block.text) + 1)
        return f"{fence}\n{block.text}\n{fence}"


def longest_backticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _indented(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    return "\n".join(((others if number else first) + line).rstrip() for number, line in enumerate(lines))
