"""The passages that an answer may be made of: by a search for each sub-question, or the caller's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from rapidfuzz import fuzz

from highlighter.access import VisibleCollections
from highlighter.answering.request import QuestionRequest
from highlighter.evidence.passage_highlighter import PassageHighlighter
from highlighter.models import Chunk, Document, Evidence, ScoredSentence, SearchHit, Source
from highlighter.search.hybrid_search import HybridSearch

# Of one document, so that a long one does not push out all others.
MAX_HITS_PER_DOCUMENT = 4
# In hundredths: chunks that are alike are of two versions, or of a form filled in twice.
DUPLICATE_SIMILARITY_PERCENT = 93


@dataclass(frozen=True, slots=True)
class AnswerPassage:
    """A passage, the sub-questions that found it, and which of its sentences answer each."""

    source: Source
    document: Document | None  # none: a text of the caller's own
    chunk: Chunk | None
    evidence: tuple[tuple[int, Evidence], ...]  # (sub-question, its sentences scored)
    score: float = 1.0  # how well a search found it

    def highlighted_sentences(self, sub_question: int) -> list[ScoredSentence]:
        """The sentences that answer it, best first."""
        found = (one for at, evidence in self.evidence if at == sub_question for one in evidence.sentences)
        return sorted((one for one in found if one.highlighted), key=lambda one: -one.score)

    @property
    def best_sentence(self) -> tuple[int, ScoredSentence | None]:
        """The sub-question that it answers best, and with which sentence."""
        every = [(at, one) for at, evidence in self.evidence for one in evidence.sentences]
        return max(every, key=lambda item: item[1].score, default=(self.evidence[0][0] if self.evidence else 0, None))


class PassageGatherer:
    def __init__(self, search: HybridSearch, passage_highlighter: PassageHighlighter):
        self.search = search
        self.passage_highlighter = passage_highlighter

    def gather_passages(
        self, request: QuestionRequest, questions: Sequence[str], visible: VisibleCollections
    ) -> tuple[list[AnswerPassage], str]:
        """In the order in which a writer should read them, and a sentence for people when less than all could run."""
        degraded, found = "", []
        for question in questions:
            result = self.search.find(question, request.limit, visible, request.filters or None, request.min_score)
            found.append(list(_drop_duplicates(result.hits)))
            degraded = degraded or result.degraded
        hits = _interleave_hits(found, request.limit)
        return assign_labels([self._build_passage(hit, asked, questions) for hit, asked in hits]), degraded

    def _build_passage(self, hit: SearchHit, asked: Sequence[int], questions: Sequence[str]) -> AnswerPassage:
        chunk, document = hit.chunk, hit.document
        evidence = tuple((at, self.passage_highlighter.highlight_chunk(questions[at], chunk)) for at in asked)
        return AnswerPassage(build_source(document, chunk), document, chunk, evidence, hit.score)


def build_source(document: Document, chunk: Chunk) -> Source:
    pages = tuple(range(chunk.first_page, chunk.last_page + 1))
    return Source(document.name, "", document.id, pages, document.labels, chunk.index, chunk.text)


def _drop_duplicates(hits: Iterable[SearchHit]) -> Iterator[SearchHit]:
    """Without those that say again what a better one says, and not too many of one document."""
    kept: list[SearchHit] = []
    for hit in hits:
        same = sum(one.document.id == hit.document.id for one in kept)
        if same < MAX_HITS_PER_DOCUMENT and not any(
            fuzz.ratio(one.chunk.text, hit.chunk.text) >= DUPLICATE_SIMILARITY_PERCENT for one in kept
        ):
            kept.append(hit)
            yield hit


def _interleave_hits(found: Sequence[list[SearchHit]], limit: int) -> list[tuple[SearchHit, list[int]]]:
    """The best of each sub-question, then the second best: each chunk once, with all the sub-questions that found it."""
    kept: dict[tuple[str, int], tuple[SearchHit, list[int]]] = {}
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


def assign_labels(answer_passages: Sequence[AnswerPassage]) -> list[AnswerPassage]:
    """Each with a label that is short, exact, and no other's."""
    labels: list[str] = []
    for piece in answer_passages:
        # From the plainest to the one that cannot be another's; brackets would end the mark early.
        for label in _candidate_labels(piece):
            label = label.translate({ord("["): "(", ord("]"): ")", ord(";"): ","})
            if label.casefold() not in (other.casefold() for other in labels):
                break
        labels.append(label)
    return [
        replace(piece, source=replace(piece.source, label=label))
        for piece, label in zip(answer_passages, labels, strict=True)
    ]


def _candidate_labels(passage: AnswerPassage) -> Iterator[str]:
    source = passage.source
    stem, dot, suffix = source.filename.rpartition(".")
    name = stem if dot and 1 < len(suffix) <= 4 else source.filename
    page = format_page_suffix(source)
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


def format_page_suffix(source: Source, page: int = 0) -> str:
    """Its pages (or one of them) as a label ends with them: as printed, where they are numbered in print."""
    if not source.pages:
        return ""
    first, last = (
        _printed_page(source, one) for one in ((page, page) if page else (source.pages[0], source.pages[-1]))
    )
    return f", p.{first}" if first == last else f", pp.{first}-{last}"


def _printed_page(source: Source, page: int) -> str:
    return source.page_labels[page - 1] if 0 < page <= len(source.page_labels) else str(page)
