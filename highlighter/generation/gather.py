"""The passages that an answer may be made of: by a search for each sub-question, or the caller's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from rapidfuzz import fuzz

from highlighter.access import Visible
from highlighter.evidence.passages import Passages
from highlighter.generation.ask import Ask
from highlighter.models import Chunk, Document, Evidence, Hit, Scored, Source
from highlighter.search.find import Search

# Of one document, so that a long one does not push out all others.
OF_ONE_DOCUMENT = 4
# In hundredths: chunks that are alike are of two versions, or of a form filled in twice.
ALIKE = 93


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage, the sub-questions that found it, and which of its sentences answer each."""

    source: Source
    document: Document | None  # none: a text of the caller's own
    chunk: Chunk | None
    evidence: tuple[tuple[int, Evidence], ...]  # (sub-question, its sentences scored)
    score: float = 1.0  # how well a search found it

    def lit(self, sub_question: int) -> list[Scored]:
        """The sentences that answer it, best first."""
        found = (one for at, evidence in self.evidence if at == sub_question for one in evidence.sentences)
        return sorted((one for one in found if one.highlighted), key=lambda one: -one.score)

    @property
    def best(self) -> tuple[int, Scored | None]:
        """The sub-question that it answers best, and with which sentence."""
        every = [(at, one) for at, evidence in self.evidence for one in evidence.sentences]
        return max(every, key=lambda item: item[1].score, default=(self.evidence[0][0] if self.evidence else 0, None))


class Gatherer:
    def __init__(self, search: Search, passages: Passages):
        self.search = search
        self.passages = passages

    def gather(self, ask: Ask, questions: Sequence[str], visible: Visible) -> tuple[list[Piece], str]:
        """In the order in which a writer should read them, and a sentence for people when less than all could run."""
        degraded, found = "", []
        for question in questions:
            result = self.search.find(question, ask.limit, visible, ask.filters or None, ask.min_score)
            found.append(list(_spread(result.hits)))
            degraded = degraded or result.degraded
        hits = _in_turn(found, ask.limit)
        return labelled([self._read(hit, asked, questions) for hit, asked in hits]), degraded

    def _read(self, hit: Hit, asked: Sequence[int], questions: Sequence[str]) -> Piece:
        chunk, document = hit.chunk, hit.document
        evidence = tuple((at, self.passages.chunk(questions[at], chunk)) for at in asked)
        return Piece(as_source(document, chunk), document, chunk, evidence, hit.score)


def as_source(document: Document, chunk: Chunk) -> Source:
    pages = tuple(range(chunk.first_page, chunk.last_page + 1))
    return Source(document.name, "", document.id, pages, document.labels, chunk.index, chunk.text)


def _spread(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Without those that say again what a better one says, and not too many of one document."""
    kept: list[Hit] = []
    for hit in hits:
        same = sum(one.document.id == hit.document.id for one in kept)
        if same < OF_ONE_DOCUMENT and not any(fuzz.ratio(one.chunk.text, hit.chunk.text) >= ALIKE for one in kept):
            kept.append(hit)
            yield hit


def _in_turn(found: Sequence[list[Hit]], limit: int) -> list[tuple[Hit, list[int]]]:
    """The best of each sub-question, then the second best: each chunk once, with all the sub-questions that found it."""
    kept: dict[tuple[str, int], tuple[Hit, list[int]]] = {}
    for row in zip_longest(*found):
        for at, hit in enumerate(row):
            if hit is None:
                continue
            key = (hit.document.id, hit.chunk.index)
            if key in kept:
                kept[key][1].append(at)
            elif len(kept) < limit:
                kept[key] = (hit, [at])
    return list(kept.values())


def labelled(pieces: Sequence[Piece]) -> list[Piece]:
    """Each with a label that is short, exact, and no other's."""
    labels: list[str] = []
    for piece in pieces:
        # From the plainest to the one that cannot be another's; brackets would end the mark early.
        for label in _labels(piece):
            label = label.translate({ord("["): "(", ord("]"): ")", ord(";"): ","})
            if label.casefold() not in (other.casefold() for other in labels):
                break
        labels.append(label)
    return [
        replace(piece, source=replace(piece.source, label=label)) for piece, label in zip(pieces, labels, strict=True)
    ]


def _labels(piece: Piece) -> Iterator[str]:
    source = piece.source
    stem, dot, suffix = source.filename.rpartition(".")
    name = stem if dot and 1 < len(suffix) <= 4 else source.filename
    page = page_label(source)
    yield f"{name}{page}"
    if source.chunk_index is not None:
        yield f"{name}{page}, chunk {source.chunk_index}"
    yield f"{source.filename}{page}"
    if source.chunk_index is not None:
        yield f"{source.filename}{page}, chunk {source.chunk_index}"
    number = 2
    while True:
        yield f"{name} ({source.document_id[:6] or number}{'' if number == 2 else f'-{number}'}){page}"
        number += 1


def page_label(source: Source, page: int = 0) -> str:
    """Its pages (or one of them) as a label ends with them: as printed, where they are numbered in print."""
    if not source.pages:
        return ""
    first, last = (_printed(source, one) for one in ((page, page) if page else (source.pages[0], source.pages[-1])))
    return f", p.{first}" if first == last else f", pp.{first}-{last}"


def _printed(source: Source, page: int) -> str:
    return source.page_labels[page - 1] if 0 < page <= len(source.page_labels) else str(page)
