"""Write blocks and runs as Markdown: styles become stars and backticks, everything else is escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from highlighter.answer_text.markdown_syntax import get_strict_parser
from highlighter.answer_text.styled_characters import InlineContent, read_inline_characters
from highlighter.answer_text.tree import CODE, HEADING, ITEM, LIST, QUOTE, RULE, TABLE, AnswerBlock, AnswerRun

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&])")
# Signs that begin a list, a heading, a rule or a footnote at the start of a line.
_LEADING_SIGN = re.compile(r"^((?=[-+=])|\d{1,9}(?=[.)](?:\s|$))|\[\^\d+\](?=:))(.)", re.MULTILINE)
_LINE_BREAK = re.compile(r"[^\S\n]*\n\s*")
BOLD_DELIMITER, ITALIC_DELIMITER = "**", "*"
MAX_STYLE_TRIALS = 50  # styled runs of a paragraph that are tried one by one


def escape_markdown(text: str) -> str:
    """Return the text escaped, so that Markdown shows it literally."""
    return _SPECIAL.sub(r"\\\1", text)


class InlineWriter:
    """A writer of runs; `render_marker` returns the Markdown of a run that is a marker."""

    def __init__(self, render_marker: Callable[[AnswerRun], str]):
        self._render_marker = render_marker

    def write_lines(self, runs: Sequence[AnswerRun]) -> str:
        """Return runs as a paragraph that keeps its line breaks."""
        text = _LINE_BREAK.sub("\n", self._write_runs(runs).strip())
        return _LEADING_SIGN.sub(r"\1\\\2", text).replace("\n", "\\\n")

    def write_line(self, runs: Sequence[AnswerRun]) -> str:
        """Return runs as a single line."""
        return " ".join(self._write_runs(runs).split())

    def write_cell(self, runs: Sequence[AnswerRun]) -> str:
        """Return runs as a table cell, in which pipes are escaped even in code."""
        return re.sub(r"(?<!\\)\|", r"\\|", self.write_line(runs))

    def _write_runs(self, runs: Sequence[AnswerRun]) -> str:
        return _join_runs(_drop_unreadable_styles(runs), self._render_marker)


def _drop_unreadable_styles(runs: Sequence[AnswerRun]) -> list[AnswerRun]:
    """Return the runs without the styles that stars cannot express, such as bold within a word."""
    if not any(run.bold or run.italic for run in runs) or _can_round_trip(runs):
        return list(runs)
    readable = [replace(run, bold=False, italic=False) for run in runs]
    styled_positions = [position for position, run in enumerate(runs) if run.bold or run.italic]
    for position in styled_positions[:MAX_STYLE_TRIALS]:
        trial = [*readable[:position], runs[position], *readable[position + 1 :]]
        readable = trial if _can_round_trip(trial) else readable
    return readable


def _can_round_trip(runs: Sequence[AnswerRun]) -> bool:
    """Return whether the Markdown of the runs is read as the same characters in the same styles."""
    markdown = _join_runs(runs, lambda run: escape_markdown("[]"))
    (parsed,) = get_strict_parser().parseInline(markdown)
    characters = read_inline_characters(parsed.children or (), InlineContent(markdown, tuple(range(len(markdown)))))
    actual = [(item.text, item.style.bold, item.style.italic, item.style.code) for item in characters]
    expected = [
        (character, run.bold, run.italic, run.code and not run.marker)
        for run in runs
        for character in ("[]" if run.marker else run.text)
    ]
    return [item for item in actual if item[0].strip()] == [item for item in expected if item[0].strip()]


def _join_runs(runs: Sequence[AnswerRun], render_marker: Callable[[AnswerRun], str]) -> str:
    """Return runs with their stars, which must be adjacent to words, not to spaces."""
    written, pending_space = "", ""
    open_styles: list[str] = []
    for content, styles in _styled_parts(runs, render_marker):
        trimmed = content.strip()
        pending_space += content[: len(content) - len(content.lstrip())]
        if not trimmed:
            continue
        shared_count = 0
        while shared_count < len(open_styles) and open_styles[shared_count] in styles:
            shared_count += 1
        opened = [style for style in styles if style not in open_styles[:shared_count]]
        written += "".join(reversed(open_styles[shared_count:])) + pending_space + "".join(opened) + trimmed
        open_styles[shared_count:] = opened
        pending_space = content[len(content.rstrip()) :]
    return written + "".join(reversed(open_styles)) + pending_space


def _styled_parts(
    runs: Sequence[AnswerRun], render_marker: Callable[[AnswerRun], str]
) -> Iterator[tuple[str, list[str]]]:
    """Yield Markdown with its styles; runs that differ only in their claim are joined."""
    for (is_marker, code, bold, italic), group in groupby(runs, _run_style):
        styles = [BOLD_DELIMITER] * bold + [ITALIC_DELIMITER] * italic
        if is_marker:
            yield from ((render_marker(run), styles) for run in group)
            continue
        text = "".join(run.text for run in group)
        if code:
            yield from ((_write_code(piece), styles) for piece in re.split("(\n)", text) if piece)
        else:
            yield escape_markdown(text), styles


def _run_style(run: AnswerRun) -> tuple[bool, bool, bool, bool]:
    return run.marker is not None, run.code, run.bold, run.italic


def _write_code(text: str) -> str:
    if not text.strip():
        return text
    fence = "`" * (count_longest_backticks(text) + 1)
    padding = " " if "`" in (text[0], text[-1]) or text[0] == text[-1] == " " else ""
    return f"{fence}{padding}{text}{padding}{fence}"


# Blocks as Markdown that CommonMark, GitHub and Pandoc read alike.


HIGHEST_HEADING_LEVEL = 2  # level 1 is the question


class MarkdownWriter:
    """A writer of blocks; `render_marker` returns the Markdown of a run that is a marker."""

    def __init__(self, render_marker: Callable[[AnswerRun], str]):
        self._inline = InlineWriter(render_marker)

    def write(self, blocks: Sequence[AnswerBlock]) -> str:
        return "\n\n".join(written for written in self._write_blocks(blocks) if written)

    def _write_blocks(self, blocks: Sequence[AnswerBlock]) -> list[str]:
        written, is_alternate = [], False
        for number, block in enumerate(blocks):
            # Markdown joins two adjacent lists that have the same signs.
            is_alternate = number > 0 and block.kind == blocks[number - 1].kind == LIST and not is_alternate
            written.append(self._write_block(block, is_alternate))
        return written

    def _write_block(self, block: AnswerBlock, is_alternate: bool) -> str:
        if block.kind == HEADING:
            return f"{'#' * (HIGHEST_HEADING_LEVEL + block.level - 1)} {self._inline.write_line(block.runs)}"
        if block.kind == LIST:
            return self._write_list(block, is_alternate)
        if block.kind == TABLE:
            return self._write_table(block)
        if block.kind == CODE:
            return self._write_code(block)
        if block.kind == QUOTE:
            return _indent_lines(self.write(block.children), "> ", "> ")
        return "---" if block.kind == RULE else self._inline.write_lines(block.runs)

    def _write_list(self, block: AnswerBlock, is_alternate: bool) -> str:
        items = []
        for number, item in enumerate(block.children, block.first or 0):
            sign = ("*" if is_alternate else "-") if block.first is None else f"{number}{')' if is_alternate else '.'}"
            items.append(_indent_lines(self._write_item(item), f"{sign} ", " " * (len(sign) + 1)))
        return "\n".join(items)

    def _write_item(self, item: AnswerBlock) -> str:
        """Return an item; a nested list follows the item's text without a blank line, as in most Markdown."""
        first, *rest = item.children or (AnswerBlock(ITEM),)
        if len(rest) == 1 and rest[0].kind == LIST:
            return f"{self._write_block(first, False)}\n{self._write_block(rest[0], False)}"
        return self.write(item.children)

    def _write_table(self, block: AnswerBlock) -> str:
        columns = max(len(row.children) for row in block.children)
        rows = [
            [self._inline.write_cell(cell.runs) for cell in row.children] + [""] * (columns - len(row.children))
            for row in block.children
        ]
        lines = [rows[0], ["---"] * columns, *rows[1:]]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

    def _write_code(self, block: AnswerBlock) -> str:
        """Return code between fences; code with markers, which would not work there, as plain lines."""
        if any(run.marker for run in block.runs):
            return self._inline.write_lines(block.runs)
        fence = "`" * max(3, count_longest_backticks(block.text) + 1)
        return f"{fence}\n{block.text}\n{fence}"


def count_longest_backticks(text: str) -> int:
    """Return the length of the longest run of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)


def _indent_lines(text: str, first_prefix: str, prefix: str) -> str:
    lines = text.split("\n")
    return "\n".join(((prefix if number else first_prefix) + line).rstrip() for number, line in enumerate(lines))
