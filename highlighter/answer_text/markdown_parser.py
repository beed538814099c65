"""Markdown as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from highlighter.answer_text.inline import Content, inline_letters
from highlighter.answer_text.letters import CODE_STYLE, Letter, LetterBlock, join_lines, split_lines, text_of
from highlighter.answer_text.parsers import answer_parser
from highlighter.answer_text.tables import cell_spans
from highlighter.answer_text.tree import CELL, CODE, HEADING, ITEM, LIST, PARAGRAPH, QUOTE, ROW, RULE, TABLE

_CONTAINERS = {"bullet_list": LIST, "ordered_list": LIST, "list_item": ITEM, "blockquote": QUOTE}


def parse_markdown(text: str, titles: Set[str]) -> tuple[LetterBlock, ...]:
    """Return the blocks of Markdown; a line that is bold as a whole, or equals one of `titles`, is a heading."""
    blocks = _Reader(text).blocks(SyntaxTreeNode(answer_parser().parse(text)))
    return tuple(_with_levels([part for block in blocks for part in _split_titles(block, titles)]))


class _Reader:
    def __init__(self, text: str):
        self.text = text
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def blocks(self, node: SyntaxTreeNode) -> tuple[LetterBlock, ...]:
        return tuple(self._block(child) for child in node.children)

    def _block(self, node: SyntaxTreeNode) -> LetterBlock:
        if node.type in _CONTAINERS:
            first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
            return LetterBlock(_CONTAINERS[node.type], children=self.blocks(node), first=first)
        if node.type == "heading":
            return LetterBlock(HEADING, self._inline(node), level=int(node.tag[1:]))
        if node.type == "table":
            rows = (row for part in node.children for row in part.children)
            return LetterBlock(TABLE, children=tuple(map(self._row, rows)))
        if node.type == "fence":
            lines = self._content(node.content.removesuffix("\n"), node.map[0] + 1)
            return LetterBlock(CODE, tuple(Letter(letter, at, CODE_STYLE) for letter, at in lines.letters()))
        if node.type == "hr":
            return LetterBlock(RULE)
        return LetterBlock(PARAGRAPH, self._inline(node))

    def _inline(self, node: SyntaxTreeNode) -> tuple[Letter, ...]:
        inline, line = node.children[0], node.map[0]
        tokens: Sequence[Token] = inline.token.children or ()
        while node.map[1] - line > len(inline.content.split("\n")) and not self._line(line).strip():
            line += 1  # the parser strips lines of spaces that it does not take for blank ones
        return inline_letters(tokens, self._content(inline.content, line))

    def _line(self, number: int) -> str:
        return self.text[self._starts[number] : self._starts[number + 1]]

    def _content(self, content: str, line: int) -> Content:
        """Return what the parser read from `line` on, with the offset of each letter."""
        offsets: list[int] = []
        for number, part in enumerate(content.split("\n"), line):
            end = self._starts[min(number + 1, len(self._starts) - 1)] - 1
            offsets += [*_aligned(self.text, self._starts[number], end, part), end]
        return Content(content, tuple(offsets[:-1]))

    def _row(self, node: SyntaxTreeNode) -> LetterBlock:
        start, end = node.meta["span"]
        return LetterBlock(ROW, children=tuple(_cell(self.text, *span) for span in cell_spans(self.text, start, end)))


def _cell(text: str, start: int, end: int) -> LetterBlock:
    offsets = tuple(at for at in range(start, end) if text[at : at + 2] != "\\|")
    content = Content("".join(text[at] for at in offsets), offsets)
    (parsed,) = answer_parser().parseInline(content.text)
    return LetterBlock(CELL, inline_letters(parsed.children or (), content))


def _aligned(text: str, start: int, end: int, content: str) -> list[int]:
    """Return the offset of each letter of `content`, which ends `text[start:end]` but for spaces and hashes."""
    offsets = []
    for letter in reversed(content):
        found = text.rfind(letter, start, end)
        end = found if found >= 0 else end
        offsets.append(end)
    return offsets[::-1]


def _split_titles(block: LetterBlock, titles: Set[str]) -> Iterator[LetterBlock]:
    """Yield a paragraph in parts: its lines that are titles as headings, and what stands between them."""
    if block.kind != PARAGRAPH:
        yield block
        return
    gathered: list[tuple[Letter, ...]] = []
    for line in split_lines(block.letters):
        if not _is_title(line, titles):
            gathered.append(line)
            continue
        if gathered:
            yield LetterBlock(PARAGRAPH, join_lines(gathered))
        gathered = []
        yield LetterBlock(HEADING, tuple(Letter(letter.text, letter.offset) for letter in line), level=1)
    if gathered:
        yield LetterBlock(PARAGRAPH, join_lines(gathered))


def _is_title(line: Sequence[Letter], titles: Set[str]) -> bool:
    words = [letter for letter in line if letter.text.strip()]
    return bool(words) and (all(letter.style.bold for letter in words) or text_of(line).strip() in titles)


def _with_levels(blocks: Sequence[LetterBlock]) -> Iterator[LetterBlock]:
    """Yield the blocks with the highest heading on level 1, and all below it on level 2."""
    top = min((block.level for block in blocks if block.kind == HEADING), default=1)
    for block in blocks:
        level = min(block.level - top, 1) + 1 if block.kind == HEADING else 0
        yield LetterBlock(block.kind, block.letters, block.children, level, block.first)
