"""Runs as Markdown: style by stars and backticks, everything else escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from highlighter.answer_text.inline import Content, inline_letters
from highlighter.answer_text.parsers import strict_parser
from highlighter.answer_text.tree import Run

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&])")
# What begins a list, a heading, a rule or a footnote where a line begins.
_LEADING_SIGN = re.compile(r"^((?=[-+=])|\d{1,9}(?=[.)](?:\s|$))|\[\^\d+\](?=:))(.)", re.MULTILINE)
_LINE_BREAK = re.compile(r"[^\S\n]*\n\s*")
BOLD, ITALIC = "**", "*"
MAX_TRIALS = 50  # of runs of one paragraph, each with its style


def escape_markdown(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text)


class InlineWriter:
    """`marker` returns the Markdown of a run that is a marker."""

    def __init__(self, marker: Callable[[Run], str]):
        self._marker = marker

    def lines(self, runs: Sequence[Run]) -> str:
        """Return runs as a paragraph, whose line breaks stay."""
        text = _LINE_BREAK.sub("\n", self._written(runs).strip())
        return _LEADING_SIGN.sub(r"\1\\\2", text).replace("\n", "\\\n")

    def one_line(self, runs: Sequence[Run]) -> str:
        return " ".join(self._written(runs).split())

    def cell(self, runs: Sequence[Run]) -> str:
        """Return runs as a table's cell, in which a pipe is escaped in code, too."""
        return re.sub(r"(?<!\\)\|", r"\\|", self.one_line(runs))

    def _written(self, runs: Sequence[Run]) -> str:
        return _joined(_readable(runs), self._marker)


def _readable(runs: Sequence[Run]) -> list[Run]:
    """Return runs less the styles that stars cannot say, as between two words that nothing parts."""
    if not any(run.bold or run.italic for run in runs) or _reads_back(runs):
        return list(runs)
    kept = [replace(run, bold=False, italic=False) for run in runs]
    styled = [at for at, run in enumerate(runs) if run.bold or run.italic]
    for at in styled[:MAX_TRIALS]:
        trial = [*kept[:at], runs[at], *kept[at + 1 :]]
        kept = trial if _reads_back(trial) else kept
    return kept


def _reads_back(runs: Sequence[Run]) -> bool:
    """Return whether the Markdown of the runs is read as the same letters in the same styles."""
    written = _joined(runs, lambda run: escape_markdown("[]"))
    (parsed,) = strict_parser().parseInline(written)
    letters = inline_letters(parsed.children or (), Content(written, tuple(range(len(written)))))
    read = [(one.text, one.style.bold, one.style.italic, one.style.code) for one in letters]
    meant = [
        (letter, run.bold, run.italic, run.code and not run.marker)
        for run in runs
        for letter in ("[]" if run.marker else run.text)
    ]
    return [one for one in read if one[0].strip()] == [one for one in meant if one[0].strip()]


def _joined(runs: Sequence[Run], marker: Callable[[Run], str]) -> str:
    """Return runs with their stars, which stand beside words, not beside spaces."""
    written, space = "", ""
    open_styles: list[str] = []
    for body, styles in _parts(runs, marker):
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


def _parts(runs: Sequence[Run], marker: Callable[[Run], str]) -> Iterator[tuple[str, list[str]]]:
    """Yield Markdown with its styles; runs that only differ in their claim are one."""
    for (marked, code, bold, italic), group in groupby(runs, _look):
        styles = [BOLD] * bold + [ITALIC] * italic
        if marked:
            yield from ((marker(run), styles) for run in group)
            continue
        text = "".join(run.text for run in group)
        if code:
            yield from ((_code(part), styles) for part in re.split("(\n)", text) if part)
        else:
            yield escape_markdown(text), styles


def _look(run: Run) -> tuple[bool, bool, bool, bool]:
    return run.marker is not None, run.code, run.bold, run.italic


def _code(text: str) -> str:
    if not text.strip():
        return text
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    padding = " " if "`" in (text[0], text[-1]) or text[0] == text[-1] == " " else ""
    return f"{fence}{padding}{text}{padding}{fence}"
