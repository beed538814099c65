"""An answer's text as it grows: what is said, the marks of what is cited, and their list at the end."""

from __future__ import annotations

from collections.abc import Iterator

from highlighter.generation.ask import ENDNOTE, FOOTNOTE, Ask
from highlighter.generation.citing import Citer
from highlighter.generation.events import Cited, Event, Token
from highlighter.generation.extractive import Quoted, in_quotation_marks
from highlighter.generation.gather import page_label
from highlighter.models import Citation, Resolved, Source, Unresolved

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Composer:
    def __init__(self, ask: Ask, citer: Citer):
        self.ask = ask
        self.citer = citer
        self.text = ""
        self.citations: list[Citation] = []
        self.unresolved: list[Unresolved] = []
        self._claim = 0  # where the sentence being written began

    def say(self, text: str) -> Iterator[Event]:
        if text:
            self.text += text
            yield Token(text)

    def quote(self, quoted: Quoted) -> Iterator[Event]:
        """A sentence of a source, word for word, and its mark."""
        piece = self.citer.pieces[quoted.piece]
        label = label_at(piece.source, quoted.scored.sentence.page)
        if self.ask.require_grounding:
            yield from self.say(f"({quoted.text}) ")
            mark = f"[[{label}]]"
        else:
            yield from self.say(in_quotation_marks(quoted.text) + (" " if self._mark(quoted.piece, label) else ""))
            mark = self._mark(quoted.piece, label)
        citation = self.citer.quoted(quoted, mark, len(self.text))
        yield from self.say(mark)
        yield from self._cited(citation)

    def resolved(self, found: Resolved) -> Iterator[Event]:
        """A mark that a model wrote, and that means one of the sources."""
        start = len(self.text)
        claim = self.text[self._claim : start]
        mark = found.label if self.ask.include_citations and self._inline else self._mark(found.source, found.label)
        citation = self.citer.resolved(found, claim, start, start + len(mark))
        yield from self.say(mark)
        yield from self._cited(citation)

    def left(self, found: Unresolved) -> Iterator[Event]:
        """A mark that means no source: it stays as it was written, and gets no link."""
        start = len(self.text)
        yield from self.say(found.label)
        self.unresolved.append(
            Unresolved(found.label, start, len(self.text), found.reason, found.why, found.candidates)
        )  # fmt: skip

    def sentence_begins(self) -> None:
        self._claim = len(self.text)

    def close(self) -> Iterator[Event]:
        """The list that footnotes and endnotes point at."""
        if self._inline or not self.ask.include_citations or not self.citations:
            return
        lines = (
            f"{self._mark(at, '')} {self.citer.pieces[at].source.label}" for at in self.citer.cited
        )  # fmt: skip
        yield from self.say("\n\n" + "\n".join(lines))

    @property
    def _inline(self) -> bool:
        return self.ask.citation_style not in (FOOTNOTE, ENDNOTE)

    def _mark(self, piece: int, label: str) -> str:
        if not self.ask.include_citations:
            return ""
        if self._inline:
            return f"[{label}]"
        number = str(self.citer.number(piece))
        return number.translate(_RAISED) if self.ask.citation_style == FOOTNOTE else f"[{number}]"

    def _cited(self, citation: Citation) -> Iterator[Event]:
        self.citations.append(citation)
        yield Cited(citation)


def label_at(source: Source, page: int) -> str:
    """The label of a source that runs over several pages, for a sentence on one of them."""
    several = page_label(source)
    if page not in source.pages or len(source.pages) < 2 or several not in source.label:
        return source.label
    return source.label.replace(several, page_label(source, page), 1)
