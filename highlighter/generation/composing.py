"""An answer's text as it grows: what is said, the marks of what is cited, and their list at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from highlighter.citations.streaming import Told
from highlighter.generation.ask import ENDNOTE, FOOTNOTE, Ask
from highlighter.generation.citing import Citer
from highlighter.generation.events import Cited, Event, Token
from highlighter.generation.extractive import Quoted, in_quotation_marks
from highlighter.generation.gather import page_label
from highlighter.models import Citation, Claim, Source, Support, Unresolved
from highlighter.sentences import split_sentences

# Characters before a mark in which the sentence is looked for that it stands for.
CLAIM = 1_500
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Composer:
    def __init__(self, ask: Ask, citer: Citer):
        self.ask = ask
        self.citer = citer
        self.text = ""
        self.citations: list[Citation] = []
        self.unresolved: list[Unresolved] = []
        self.quotes: list[tuple[Quoted, int, int]] = []  # word for word, with their places in the text
        self._read = 0  # of what a model wrote

    def say(self, text: str) -> Iterator[Event]:
        if text:
            self.text += text
            yield Token(text)

    def quote(self, quoted: Quoted) -> Iterator[Event]:
        """A sentence of a source, word for word, and its mark."""
        label = label_at(self.citer.pieces[quoted.piece].source, quoted.scored.sentence.page)
        mark = f"[[{label}]]" if self.ask.require_grounding else self._mark(quoted.piece, label)
        said = f"({quoted.text})" if self.ask.require_grounding else in_quotation_marks(quoted.text)
        self.quotes.append((quoted, len(self.text), len(self.text) + len(said)))
        yield from self.say(f"{said} " if mark else said)
        citation = self.citer.quoted(quoted, mark, len(self.text))
        yield from self.say(mark)
        yield from self._cited(citation)

    def begin(self) -> None:
        """Another text by the model: the places of its marks are counted from its beginning."""
        self._read = 0

    def told(self, told: Told) -> Iterator[Event]:
        """A run of what a model writes: plain text, or a mark with what it means."""
        began, self._read = self._read, self._read + len(told.text)
        if not (told.citations or told.unresolved):
            yield from self.say(told.text)
        elif self._inline and self.ask.include_citations:
            yield from self._as_written(told, len(self.text) - began)
        else:
            yield from self._as_numbers(told)

    def _as_written(self, told: Told, moved: int) -> Iterator[Event]:
        claim = self._claim()
        yield from self.say(told.text)
        for one in told.citations:
            yield from self._cited(self.citer.resolved(one, claim, one.start + moved, one.end + moved))
        self.unresolved += [replace(one, start=one.start + moved, end=one.end + moved) for one in told.unresolved]

    def _as_numbers(self, told: Told) -> Iterator[Event]:
        """As the style has them, each source once; what means none stays as it was written, without a link."""
        claim, placed = self._claim(), {}
        for one in told.citations:
            mark = self._mark(one.source, one.label)
            if one.source not in placed:
                placed[one.source] = len(self.text)
                yield from self.say(mark)
            start = placed[one.source]
            yield from self._cited(self.citer.resolved(replace(one, label=mark), claim, start, start + len(mark)))
        for one in told.unresolved:
            start = len(self.text)
            yield from self.say(told.text if not told.citations and len(told.unresolved) == 1 else f"[{one.label}]")
            self.unresolved.append(replace(one, label=self.text[start:], start=start, end=len(self.text)))

    def attribute(self, claim: Claim, source: int, support: Support) -> Iterator[Event]:
        """A claim that cites nothing, and that a sentence says: the citation stands after it, without a mark."""
        yield from self._cited(self.citer.attributed(claim, source, support))

    def _claim(self) -> str:
        """The sentence before the mark that is about to be written, without the marks in it."""
        text, first = "", max(0, len(self.text) - CLAIM)
        for citation in self.citations:
            if citation.start >= first:
                text += self.text[first : citation.start]
                first = max(first, citation.end)
        text += self.text[first:]
        spans = split_sentences(text)
        return spans[-1].text if spans else ""

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
