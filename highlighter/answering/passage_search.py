"""The passages from which an answer is written, found by a search for each sub-question."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from rapidfuzz import fuzz

from highlighter.access import VisibleCollections
from highlighter.answering.request import QuestionRequest
from highlighter.consecutive_numbers import group_consecutive_numbers
from highlighter.evidence.passage_highlighter import PassageHighlighter
from highlighter.grounding.poisoned_sources import describe_instructions
from highlighter.models import Chunk, Document, Evidence, ScoredSentence, SearchHit, Source
from highlighter.search.hybrid_search import HybridSearch

# A long document must not displace all others.
MAX_HITS_PER_DOCUMENT = 4
# Chunks that similar come from two versions of a document, or from a form filled in twice.
DUPLICATE_SIMILARITY_PERCENT = 93


@dataclass(frozen=True, slots=True)
class AnswerPassage:
    """A passage, the sub-questions that found the passage, and its sentences scored for each of them."""

    source: Source
    document: Document | None  # None for a text of the caller
    chunk: Chunk | None
    evidence: tuple[tuple[int, Evidence], ...]  # (index of the sub-question, scored sentences)
    score: float = 1.0  # the score of the search hit

    def highlighted_sentences(self, sub_question: int) -> list[ScoredSentence]:
        """Return the sentences that answer a sub-question, best first."""
        sentences = (
            scored for index, evidence in self.evidence if index == sub_question for scored in evidence.sentences
        )
        return sorted((scored for scored in sentences if scored.highlighted), key=lambda scored: -scored.score)

    def choose_sub_question(self, start: int) -> int:
        """Return the sub-question that the sentence at an offset answers best."""
        scores = self.scores_at(start)
        return max(scores, key=lambda index: scores[index], default=self.best_sentence[0])

    def scores_at(self, start: int) -> dict[int, float]:
        """Return the score of the sentence at an offset for each sub-question; none outside the sentences."""
        return {
            index: scored.score
            for index, evidence in self.evidence
            for scored in evidence.sentences
            if scored.sentence.start <= start < scored.sentence.end
        }

    @property
    def best_sentence(self) -> tuple[int, ScoredSentence | None]:
        """Return the sub-question that the passage answers best, and the sentence that answers it."""
        sentences = [
            (index, scored)
            for index, evidence in self.evidence
            for scored in evidence.sentences
            if not scored.instructs_software
        ]
        first = self.evidence[0][0] if self.evidence else 0
        return max(sentences, key=lambda item: item[1].score, default=(first, None))


class PassageGatherer:
    def __init__(self, search: HybridSearch, passage_highlighter: PassageHighlighter):
        self.search = search
        self.passage_highlighter = passage_highlighter

    def gather_passages(
        self, request: QuestionRequest, questions: Sequence[str], visible: VisibleCollections
    ) -> tuple[list[AnswerPassage], str]:
        """Return the passages in reading order, and a sentence for users when the search was degraded."""
        degraded, hits_by_question = "", []
        for question in questions:
            result = self.search.find(question, request.limit, visible, request.filters or None, request.min_score)
            hits_by_question.append(list(_drop_duplicates(result.hits)))
            degraded = degraded or result.degraded
        hits = _interleave_hits(hits_by_question, request.limit)
        return assign_labels([self._build_passage(hit, indices, questions) for hit, indices in hits]), degraded

    def _build_passage(self, hit: SearchHit, indices: Sequence[int], questions: Sequence[str]) -> AnswerPassage:
        chunk, document = hit.chunk, hit.document
        evidence = tuple(
            (index, self.passage_highlighter.highlight_chunk(questions[index], chunk)) for index in indices
        )
        return AnswerPassage(build_source(document, chunk), document, chunk, evidence, hit.score)


def build_source(document: Document, chunk: Chunk) -> Source:
    pages = tuple(range(chunk.first_page, chunk.last_page + 1))
    return Source(
        document.name, "", document.id, pages, document.labels, chunk.index, chunk.text, page_count=document.pages
    )


def list_instruction_warnings(answer_passages: Sequence[AnswerPassage]) -> tuple[str, ...]:
    """Return a sentence for users for each document, or page of one, that gives instructions to software."""
    return tuple(
        dict.fromkeys(
            describe_instructions(passage.source.filename, scored.sentence.page or next(iter(passage.source.pages), 0))
            for passage in answer_passages
            for _, evidence in passage.evidence[:1]
            for scored in evidence.sentences
            if scored.instructs_software
        )
    )


def _drop_duplicates(hits: Iterable[SearchHit]) -> Iterator[SearchHit]:
    """Yield hits without near duplicates of better hits, and not too many of one document."""
    selected: list[SearchHit] = []
    for hit in hits:
        same_document = sum(other.document.id == hit.document.id for other in selected)
        if same_document < MAX_HITS_PER_DOCUMENT and not any(
            fuzz.ratio(other.chunk.text, hit.chunk.text) >= DUPLICATE_SIMILARITY_PERCENT for other in selected
        ):
            selected.append(hit)
            yield hit


def _interleave_hits(hits_by_question: Sequence[list[SearchHit]], limit: int) -> list[tuple[SearchHit, list[int]]]:
    """Take the best hits of all sub-questions, then the second best; each chunk once, with all its sub-questions."""
    selected: dict[tuple[str, int], tuple[SearchHit, list[int]]] = {}
    for hits in zip_longest(*hits_by_question):
        for index, hit in enumerate(hits):
            if hit is None:
                continue
            key = (hit.document.id, hit.chunk.index)
            if key in selected:
                selected[key][1].append(index)
            elif len(selected) < limit:
                selected[key] = (hit, [index])
    return list(selected.values())


def assign_labels(answer_passages: Sequence[AnswerPassage]) -> list[AnswerPassage]:
    """Give each passage a short label that no other passage has."""
    labels: list[str] = []
    for passage in answer_passages:
        # Candidates go from the plainest to a unique one; brackets would end the marker early.
        for label in _candidate_labels(passage):
            label = label.translate({ord("["): "(", ord("]"): ")", ord(";"): ","})
            if label.casefold() not in (other.casefold() for other in labels):
                break
        labels.append(label)
    return [
        replace(passage, source=replace(passage.source, label=label))
        for passage, label in zip(answer_passages, labels, strict=True)
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


def format_page_suffix(source: Source, pages: Collection[int] = ()) -> str:
    """Return the end of a label that names the pages of a source, or some of them; printed page labels come first."""
    if not source.pages:
        return ""
    numbers = sorted(set(pages or source.pages))
    runs = group_consecutive_numbers(numbers)
    spans = ((_printed_page(source, run[0]), _printed_page(source, run[-1])) for run in runs)
    text = ", ".join(first if first == last else f"{first}-{last}" for first, last in spans)
    return f", p.{text}" if len(numbers) == 1 else f", pp.{text}"


def _printed_page(source: Source, page: int) -> str:
    return source.page_labels[page - 1] if 0 < page <= len(source.page_labels) else str(page)
