"""An answer's text as paragraphs of runs, so that a page, a Word file and Markdown set the same marks in their own way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from highlighter.generation.answer import Answer

TEXT, ITEM, HEADING = "text", "item", "heading"
_BEGINS = re.compile(r"(?P<item>[-*•] +)|(?P<heading>#{1,6} +)")
_BOLD = re.compile(r"\*\*")


@dataclass(frozen=True, slots=True)
class Run:
    """Words, or a mark. `citation` and `unresolved` are indexes into those of the answer."""

    text: str
    citation: int | None = None
    unresolved: int | None = None
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    kind: str
    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


def paragraphs(answer: Answer) -> tuple[Paragraph, ...]:
    lines: list[list[Run]] = [[]]
    for run in _runs(answer):
        first, *others = run.text.split("\n")
        lines[-1].append(replace(run, text=first))
        lines.extend([replace(run, text=other)] for other in others)
    return tuple(_paragraph(line) for line in lines if any(run.text.strip() or _is_mark(run) for run in line))


def without_list(answer: Answer, laid: tuple[Paragraph, ...]) -> tuple[Paragraph, ...]:
    """Less the list that footnotes and endnotes end with: for whoever sets notes of their own."""
    marks = {one.label for one in answer.citations} | {str(one.number) for one in answer.citations}
    kept = list(laid)
    while kept and not any(map(_is_mark, kept[-1].runs)) and kept[-1].text.partition(" ")[0] in marks:
        kept.pop()
    return tuple(kept)


def _runs(answer: Answer) -> Iterator[Run]:
    """The text cut at its marks. A mark inside another's span stands after it, without words."""
    marks = [(one.start, one.end, Run("", citation=at)) for at, one in enumerate(answer.citations)]
    marks += [(one.start, one.end, Run("", unresolved=at)) for at, one in enumerate(answer.unresolved)]
    at, text = 0, answer.text
    for start, end, run in sorted(marks, key=lambda mark: mark[:2]):
        if start > at:
            yield Run(text[at:start])
        yield replace(run, text=text[max(start, at) : end])
        at = max(at, end)
    yield Run(text[at:])


def _paragraph(line: list[Run]) -> Paragraph:
    whole = "".join(run.text for run in line).strip()
    if found := _BEGINS.match(line[0].text):
        kind = ITEM if found["item"] else HEADING
        line = [replace(line[0], text=line[0].text[found.end() :]), *line[1:]]
    elif len(whole) > 4 and whole.startswith("**") and whole.endswith("**") and whole.count("**") == 2:
        kind, line = HEADING, [replace(run, text=_BOLD.sub("", run.text)) for run in line]
    else:
        kind = TEXT
    if whole.count("**") % 2 == 0:
        line = list(_in_bold(line))
    return Paragraph(kind, tuple(run for run in line if run.text or _is_mark(run)))


def _in_bold(line: list[Run]) -> Iterator[Run]:
    bold = False
    for run in line:
        for number, piece in enumerate(_BOLD.split(run.text)):
            bold ^= bool(number)
            yield replace(run, text=piece, bold=bold)


def _is_mark(run: Run) -> bool:
    return run.citation is not None or run.unresolved is not None
