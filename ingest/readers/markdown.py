"""Read Markdown as the page that it describes: CommonMark with tables, strikethrough, tasks and footnotes, and HTML within it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, list_block
from markdown_it.token import Token

from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.html import read_html_blocks
from ingest.readers.markdown_footnotes import enable_footnotes, write_note_marks
from ingest.readers.text_blocks import build_document, read_limited_bytes
from ingest.readers.txt_encoding import decode_text

# Of lists (two levels each) and quotations; each level takes Python frames. What is deeper is read as text of the deepest one.
_MAX_NESTING = 60
_PARSED_NESTING = _MAX_NESTING + 10  # what is nested deeper than that the parser leaves out; nothing is
_TASK = re.compile(r"\[([ xX])\](?=\s)")  # at the start of an item
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)

BlockRule = Callable[[StateBlock, int, int, bool], bool]


def read(path: Path) -> ExtractedDocument:
    """Read a Markdown file into its canonical text."""
    text, encoding, warnings = decode_text(read_limited_bytes(path))
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _PARSED_NESTING}).enable(["table", "strikethrough"])
    _limit_nesting(parser)
    enable_footnotes(parser)
    environment: dict[str, Any] = {}
    tokens = parser.parse(_fence_front_matter(text), environment)
    _write_task_boxes(tokens)
    write_note_marks(tokens, environment)
    blocks = read_html_blocks(parser.renderer.render(tokens, parser.options, environment))
    return replace(build_document(blocks), warnings=warnings, meta={"encoding": encoding})


def _limit_nesting(parser: MarkdownIt) -> None:
    """Let a parser begin no list and no quotation that is nested too deeply."""
    alternatives = ["paragraph", "reference", "blockquote"]  # the rules of what a list or a quotation ends
    parser.block.ruler.at("list", _limit_rule(list_block), {"alt": alternatives})
    parser.block.ruler.at("blockquote", _limit_rule(blockquote), {"alt": [*alternatives, "list"]})


def _limit_rule(rule: BlockRule) -> BlockRule:
    def apply(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
        return state.level < _MAX_NESTING and rule(state, line, end_line, silent)

    return apply


def _write_task_boxes(tokens: list[Token]) -> None:
    """Write the boxes of tasks as the checkboxes of forms are read: else an open task reads as a done one."""
    for item, paragraph, content in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (item.type, paragraph.type) == ("list_item_open", "paragraph_open") and content.children:
            first = content.children[0]
            if task := _TASK.match(first.content):
                first.content = ("☐" if task[1] == " " else "☑") + first.content[task.end() :]


def _fence_front_matter(text: str) -> str:
    """Return the text with the metadata at its beginning as code, which would else be read as a heading."""
    front_matter = _FRONT_MATTER.match(text)
    return f"~~~~~\n{front_matter[1]}\n~~~~~\n\n{text[front_matter.end() :]}" if front_matter else text
