"""Runs as Markdown: style by stars and backticks, everything else escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from highlighter.answer_text.markdown_syntax import get_strict_parser
from highlighter.answer_text.styled_characters import InlineContent, read_inline_characters
from highlighter.answer_text.tree import CODE, HEADING, ITEM, LIST, QUOTE, RULE, TABLE, AnswerBlock, AnswerRun

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&])")
# What begins a list, a heading, a rule or a footnote where a line begins.
_LEADING_SIGN = re.compile(r"^((?=[-+=])|\d{1,9}(?=[.)](?:\s|$))|\[\^\d+\](?=:))(.)", re.MULTILINE)
_LINE_BREAK = re.compile(r"[^\S\n]*\n\s*")
BOLD_DELIMITER, ITALIC_DELIMITER = "**", "*"
MAX_STYLE_TRIALS = 50  # of runs of one paragraph, each with its style


def escape_markdown(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text)


class InlineWriter:
    """`marker` returns the Markdown of a run that is a marker."""

    def __init__(self, marker: Callable[[AnswerRun], str]):
        self._marker = marker

    def write_lines(self, runs: Sequence[AnswerRun]) -> str:
        """Return runs as a paragraph, whose line breaks stay."""
        text = _LINE_BREAK.sub("\n", self._write_runs(runs).strip())
        return _LEADING_SIGN.sub(r"\1\\\2", text).replace("\n", "\\\n")

    def write_line(self, runs: Sequence[AnswerRun]) -> str:
        return " ".join(self._write_runs(runs).split())

    def write_cell(self, runs: Sequence[AnswerRun]) -> str:
        """Return runs as a table's cell, in which a pipe is escaped in code, too."""
        return re.sub(r"(?<!\\)\|", r"\\|", self.write_line(runs))

    def _write_runs(self, runs: Sequence[AnswerRun]) -> str:
        return _join_runs(_drop_unreadable_styles(runs), self._marker)


def _drop_unreadable_styles(runs: Sequence[AnswerRun]) -> list[AnswerRun]:
    """Return runs less the styles that stars cannot say, as between two words that nothing parts."""
    if not any(run.bold or run.italic for run in runs) or _can_round_trip(runs):
        return list(runs)
    kept = [replace(run, bold=False, italic=False) for run in runs]
    styled = [at for at, run in enumerate(runs) if run.bold or run.italic]
    for at in styled[:MAX_STYLE_TRIALS]:
        trial = [*kept[:at], runs[at], *kept[at + 1 :]]
        kept = trial if _can_round_trip(trial) else kept
    return kept


def _can_round_trip(runs: Sequence[AnswerRun]) -> bool:
    """Return whether the Markdown of the runs is read as the same letters in the same styles."""
    written = _join_runs(runs, lambda run: escape_markdown("[]"))
    (parsed,) = get_strict_parser().parseInline(written)
    letters = read_inline_characters(parsed.children or (), InlineContent(written, tuple(range(len(written)))))
    read = [(one.text, one.style.bold, one.style.italic, one.style.code) for one in letters]
    meant = [
        (letter, run.bold, run.italic, run.code and not run.marker)
        for run in runs
        for letter in ("[]" if run.marker else run.text)
    ]
    return [one for one in read if one[0].strip()] == [one for one in meant if one[0].strip()]


def _join_runs(runs: Sequence[AnswerRun], marker: Callable[[AnswerRun], str]) -> str:
    """Return runs with their stars, which stand beside words, not beside spaces."""
    written, space = "", ""
    open_styles: list[str] = []
    for body, styles in _styled_parts(runs, marker):
        words = body.strip()
        space += body[: len(body) - len(body.lstrip())]
        if not words:
            continue
        shared = 0
        while shared < len(open_styles) and open_styles[shared] in styles:
            shared += 1
        opened = [style for style in styles if style not in open_styles[:shared]]
        written += "".join(reversed(open_styles[shared:])) + space + "".join(opened) + words
        open_styles[shared:] = opened
        space = body[len(body.rstrip()) :]
    return written + "".join(reversed(open_styles)) + space


def _styled_parts(runs: Sequence[AnswerRun], marker: Callable[[AnswerRun], str]) -> Iterator[tuple[str, list[str]]]:
    """Yield Markdown with its styles; runs that only differ in their claim are one."""
    for (marked, code, bold, italic), group in groupby(runs, _run_style):
        styles = [BOLD_DELIMITER] * bold + [ITALIC_DELIMITER] * italic
        if marked:
            yield from ((marker(run), styles) for run in group)
            continue
        text = "".join(run.text for run in group)
        if code:
            yield from ((_write_code(part), styles) for part in re.split("(\n)", text) if part)
        else:
            yield escape_markdown(text), styles


def _run_style(run: AnswerRun) -> tuple[bool, bool, bool, bool]:
    return run.marker is not None, run.code, run.bold, run.italic


def _write_code(text: str) -> str:
    if not text.strip():
        return text
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    padding = " " if "`" in (text[0], text[-1]) or text[0] == text[-1] == " " else ""
    return f"{fence}{padding}{text}{padding}{fence}"


# Blocks as Markdown that reads the same in CommonMark, GitHub and Pandoc.


HIGHEST_HEADING_LEVEL = 2  # the highest is the question


class MarkdownWriter:
    """`marker` returns the Markdown of a run that is a marker."""

    def __init__(self, marker: Callable[[AnswerRun], str]):
        self._inline = InlineWriter(marker)

    def write(self, blocks: Sequence[AnswerBlock]) -> str:
        return "\n\n".join(written for written in self._write_blocks(blocks) if written)

    def _write_blocks(self, blocks: Sequence[AnswerBlock]) -> list[str]:
        written, alternate = [], False
        for number, block in enumerate(blocks):
            # Two lists in a row are one list to a reader of Markdown if their signs are the same.
            alternate = number > 0 and block.kind == blocks[number - 1].kind == LIST and not alternate
            written.append(self._write_block(block, alternate))
        return written

    def _write_block(self, block: AnswerBlock, alternate: bool) -> str:
        if block.kind == HEADING:
            return f"{'#' * (HIGHEST_HEADING_LEVEL + block.level - 1)} {self._inline.write_line(block.runs)}"
        if block.kind == LIST:
            return self._write_list(block, alternate)
        if block.kind == TABLE:
            return self._write_table(block)
        if block.kind == CODE:
            return self._write_code(block)
        if block.kind == QUOTE:
            return _indent_lines(self.write(block.children), "> ", "> ")
        return "---" if block.kind == RULE else self._inline.write_lines(block.runs)

    def _write_list(self, block: AnswerBlock, alternate: bool) -> str:
        items = []
        for number, item in enumerate(block.children, block.first or 0):
            sign = ("*" if alternate else "-") if block.first is None else f"{number}{')' if alternate else '.'}"
            items.append(_indent_lines(self._write_item(item), f"{sign} ", " " * (len(sign) + 1)))
        return "\n".join(items)

    def _write_item(self, item: AnswerBlock) -> str:
        """Return an item; a list in it follows its text without a blank line, as in most Markdown."""
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
        """Return code between fences; code with markers, which lead nowhere there, as lines of code."""
        if any(run.marker for run in block.runs):
            return self._inline.write_lines(block.runs)
        fence = "`" * max(3, count_longest_backticks(block.text) + 1)
        return f"{fence}\n{block.text}\n{fence}"


def count_longest_backticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _indent_lines(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    return "\n".join(((others if number else first) + line).rstrip() for number, line in enumerate(lines))
