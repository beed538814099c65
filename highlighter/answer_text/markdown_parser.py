"""Parse Markdown into blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from highlighter.answer_text.markdown_syntax import find_cell_spans, get_answer_parser
from highlighter.answer_text.styled_characters import (
    CODE_STYLE,
    CharacterBlock,
    InlineContent,
    StyledCharacter,
    join_lines,
    join_text,
    read_inline_characters,
    split_lines,
)
from highlighter.answer_text.tree import CELL, CODE, HEADING, ITEM, LIST, PARAGRAPH, QUOTE, ROW, RULE, TABLE

_CONTAINERS = {"bullet_list": LIST, "ordered_list": LIST, "list_item": ITEM, "blockquote": QUOTE}


def parse_markdown(text: str, titles: Set[str]) -> tuple[CharacterBlock, ...]:
    """Return the blocks of Markdown; a line that is bold as a whole, or equals one of `titles`, is a heading."""
    blocks = _BlockReader(text).read_blocks(SyntaxTreeNode(get_answer_parser().parse(text)))
    return tuple(_normalise_levels([part for block in blocks for part in _split_titles(block, titles)]))


class _BlockReader:
    """A reader of the parser's syntax tree that keeps the offset of each character in the text."""

    def __init__(self, text: str):
        self.text = text
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def read_blocks(self, node: SyntaxTreeNode) -> tuple[CharacterBlock, ...]:
        return tuple(self._read_block(child) for child in node.children)

    def _read_block(self, node: SyntaxTreeNode) -> CharacterBlock:
        if node.type in _CONTAINERS:
            first_number = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
            return CharacterBlock(_CONTAINERS[node.type], children=self.read_blocks(node), first=first_number)
        if node.type == "heading":
            return CharacterBlock(HEADING, self._read_inline(node), level=int(node.tag[1:]))
        if node.type == "table":
            rows = (row for section in node.children for row in section.children)
            return CharacterBlock(TABLE, children=tuple(map(self._read_row, rows)))
        if node.type == "fence":
            lines = self._read_content(node.content.removesuffix("\n"), _line_range(node)[0] + 1)
            return CharacterBlock(
                CODE,
                tuple(
                    StyledCharacter(character, offset, CODE_STYLE) for character, offset in lines.iterate_characters()
                ),
            )
        if node.type == "hr":
            return CharacterBlock(RULE)
        return CharacterBlock(PARAGRAPH, self._read_inline(node))

    def _read_inline(self, node: SyntaxTreeNode) -> tuple[StyledCharacter, ...]:
        inline, (line, end_line) = node.children[0], _line_range(node)
        tokens: Sequence[Token] = (inline.token.children if inline.token else None) or ()
        first, *others = inline.content.split("\n")
        while end_line - line > len(others) + 1 and first not in self._line_text(line):
            line += (
                1  # the parser strips lines of spaces that it does not treat as blank, before its content and after it
            )
        return read_inline_characters(tokens, self._read_content(inline.content, line))

    def _line_text(self, number: int) -> str:
        return self.text[self._starts[number] : self._starts[number + 1]]

    def _read_content(self, content: str, first_line: int) -> InlineContent:
        """Return the content that the parser read from `line` on, with the offset of each character."""
        offsets: list[int] = []
        for line_number, line_content in enumerate(content.split("\n"), first_line):
            end = self._starts[min(line_number + 1, len(self._starts) - 1)] - 1
            offsets += [*_align_offsets(self.text, self._starts[line_number], end, line_content), end]
        return InlineContent(content, tuple(offsets[:-1]))

    def _read_row(self, node: SyntaxTreeNode) -> CharacterBlock:
        start, end = node.meta["span"]
        return CharacterBlock(
            ROW, children=tuple(_read_cell(self.text, *span) for span in find_cell_spans(self.text, start, end))
        )


def _line_range(node: SyntaxTreeNode) -> tuple[int, int]:
    """Return the first line of a block and the line after it."""
    assert node.map is not None  # only inline nodes have no lines
    return node.map


def _read_cell(text: str, start: int, end: int) -> CharacterBlock:
    offsets = tuple(offset for offset in range(start, end) if text[offset : offset + 2] != "\\|")
    content = InlineContent("".join(text[offset] for offset in offsets), offsets)
    (parsed,) = get_answer_parser().parseInline(content.text)
    return CharacterBlock(CELL, read_inline_characters(parsed.children or (), content))


def _align_offsets(text: str, start: int, end: int, content: str) -> list[int]:
    """Return the offset of each character of `content`, which ends `text[start:end]` except for spaces and hashes."""
    offsets = []
    for character in reversed(content):
        offset = text.rfind(character, start, end)
        end = offset if offset >= 0 else end
        offsets.append(end)
    return offsets[::-1]


def _split_titles(block: CharacterBlock, titles: Set[str]) -> Iterator[CharacterBlock]:
    """Yield a paragraph in parts: lines that are titles as headings, and the lines between them as paragraphs."""
    if block.kind != PARAGRAPH:
        yield block
        return
    lines: list[tuple[StyledCharacter, ...]] = []
    for line in split_lines(block.characters):
        if not _is_title(line, titles):
            lines.append(line)
            continue
        if lines:
            yield CharacterBlock(PARAGRAPH, join_lines(lines))
        lines = []
        yield CharacterBlock(
            HEADING, tuple(StyledCharacter(character.text, character.offset) for character in line), level=1
        )
    if lines:
        yield CharacterBlock(PARAGRAPH, join_lines(lines))


def _is_title(line: Sequence[StyledCharacter], titles: Set[str]) -> bool:
    """Return whether a line is bold as a whole, or is one of the titles."""
    visible_characters = [character for character in line if character.text.strip()]
    return bool(visible_characters) and (
        all(character.style.bold for character in visible_characters) or join_text(line).strip() in titles
    )


def _normalise_levels(blocks: Sequence[CharacterBlock]) -> Iterator[CharacterBlock]:
    """Yield the blocks with the highest heading on level 1 and all lower headings on level 2."""
    top = min((block.level for block in blocks if block.kind == HEADING), default=1)
    for block in blocks:
        level = min(block.level - top, 1) + 1 if block.kind == HEADING else 0
        yield CharacterBlock(block.kind, block.characters, block.children, level, block.first)
