"""Answers for their pages: text in blocks, grouped citations, and Markdown to copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import request

from highlighter.answer_text.markdown_writer import MarkdownWriter, escape_markdown
from highlighter.answer_text.parser import parse_answer, remove_notes
from highlighter.answer_text.tree import AnswerBlock, AnswerRun, count_tables
from highlighter.answering.answer import Answer
from highlighter.answering.drafters import NO_EVIDENCE, NO_MODEL, SCHEMA_NEEDS_MODEL
from highlighter.answering.extractive_answer import NOT_JUDGED
from highlighter.answering.pipeline import NO_SOURCES
from highlighter.answering.request import MARKDOWN
from highlighter.locale import N_
from highlighter.schemas.answers import AnswerOut, AnswerSourceOut, CitationOut
from highlighter.serializers.answers import serialize_answer
from highlighter.urls import Links
from highlighter.web.pages.question_sources import SourceQuery


def format_answer_markdown(answer: AnswerOut, blocks: Sequence[AnswerBlock], base_url: str) -> str:
    """Return an answer as Markdown, with its markers as links and a list of sources.

    `base_url` makes the links absolute. The text of the answer is escaped: it contains no links of its own.
    """

    def format_marker(run: AnswerRun) -> str:
        citations = [answer.citations[index] for index in run.marker.citations] if run.marker else []
        targets = (citation.links.get("view") or citation.links.get("document") for citation in citations)
        target = next(filter(None, targets), "")
        if not target:
            return escape_markdown(run.text)
        return f"[{escape_markdown(run.text.strip('[]') or str(citations[0].number))}]({base_url}{target})"

    text = MarkdownWriter(format_marker).write(blocks)
    return f"{text}\n\n{_format_source_list(answer, base_url)}".strip() + "\n"


def _format_source_list(answer: AnswerOut, base_url: str) -> str:
    lines: dict[int, str] = {}
    for number, citation in zip(number_citations(answer), answer.citations, strict=True):
        name = escape_markdown(citation.filename) + (f", page {citation.page}" if citation.page else "")
        links = [
            f"[{label}]({base_url}{citation.links[kind]})"
            for label, kind in (("highlighted", "view"), ("PDF", "pdf"))
            if kind in citation.links
        ]
        quote = " ".join(citation.quote.split())
        parts = [f"{name}: {escape_markdown(quote)}" if quote else name, *links]
        lines[number] = f"- \\[{number}\\] {' '.join(parts)}"
    return "\n".join(lines[number] for number in sorted(lines))


# Why there is no answer. A reason that an old stored answer gives, and that is not here, is shown as it is.
REFUSAL_REASON_TEXTS = {
    NO_SOURCES: N_("No document matches this question."),
    NO_EVIDENCE: N_("We found related passages, but none answers this."),
    NO_MODEL: N_("No language model answered. Try again in a moment."),
    NOT_JUDGED: N_("Whether the documents answer this is unknown."),
    SCHEMA_NEEDS_MODEL: N_("Custom data formats need a language model, and none is set up."),
}


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence that is cited, with the numbers of its citations."""

    numbers: tuple[int, ...]
    citation: CitationOut


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """A document with the sentences that are cited from it."""

    filename: str
    sentences: tuple[CitedSentence, ...]


@dataclass(frozen=True, slots=True)
class AnswerPresentation:
    """An answer with everything that its page shows."""

    answer: AnswerOut
    blocks: tuple[AnswerBlock, ...]
    numbers: tuple[int, ...]  # of the citations
    cited_documents: tuple[CitedDocument, ...]
    uncited_sources: tuple[AnswerSourceOut, ...]
    reason: str
    answer_url: str  # the URL of the answer, or of its question where the answer is not stored
    pack_url: str  # the URL of the evidence pack; "" where the answer is not stored
    markdown: str

    @property
    def footnotes(self) -> list[CitedSentence]:
        """Return the cited sentences of all documents, in the order of their numbers."""
        sentences = [sentence for document in self.cited_documents for sentence in document.sentences]
        return sorted(sentences, key=lambda sentence: sentence.numbers)

    @property
    def is_judged(self) -> bool:
        """Return whether the passages found could be judged; they cannot while the embedding model is missing."""
        return self.answer.refusal_reason != NOT_JUDGED

    @property
    def tables(self) -> int:
        return count_tables(self.blocks)

    @property
    def has_parts(self) -> bool:
        """Return whether the question has several sub-questions, which differ by colour."""
        return len(self.answer.sub_questions) > 1


def build_answer_presentation(
    answer: AnswerOut, base_url: str, answer_url: str, pack_url: str = "", format: str = ""
) -> AnswerPresentation:
    """Return what the page of an answer shows. `base_url` makes links in the Markdown absolute."""
    blocks = parse_answer(answer, format == MARKDOWN)
    numbers = number_citations(answer)
    reason = answer.refusal_reason or ""
    return AnswerPresentation(
        answer,
        remove_notes(parse_answer(answer, format == MARKDOWN, marks_supported=True), answer),
        numbers,
        cited_documents=_group_citations(answer, numbers),
        uncited_sources=tuple(source for source in answer.sources if not source.cited),
        reason=REFUSAL_REASON_TEXTS.get(reason, reason),
        answer_url=answer_url,
        pack_url=pack_url,
        markdown=format_answer_markdown(answer, blocks, base_url),
    )


def trim_citation_context(citation: CitationOut) -> tuple[str, str]:
    """Return the words before and after a quote, without the ones that the context cuts in two."""
    before, after = citation.prefix, citation.suffix
    return before.partition(" ")[2] or before, after.rpartition(" ")[0] or after


def number_citations(answer: AnswerOut) -> tuple[int, ...]:
    """Return the number of each citation, from 1 in the order of the text, as the notes of an evidence pack have it."""
    in_order = sorted(range(len(answer.citations)), key=lambda index: _marker_span(answer.citations[index]))
    number_by_index = {index: number for number, index in enumerate(in_order, 1)}
    return tuple(number_by_index[index] for index in range(len(answer.citations)))


def _marker_span(citation: CitationOut) -> tuple[int, int]:
    return citation.start, citation.end


def _group_citations(answer: AnswerOut, numbers: Sequence[int]) -> tuple[CitedDocument, ...]:
    """Return the cited documents in the order of their first citation, each sentence once unless it is quoted in different ways."""
    documents: dict[str, dict[tuple[int, int, str, str | None], list[tuple[int, CitationOut]]]] = {}
    for number, citation in sorted(zip(numbers, answer.citations, strict=True), key=lambda item: item[0]):
        sentences = documents.setdefault(citation.document_id or citation.filename, {})
        quote = citation.quote_start, citation.quote_end, citation.quote, citation.quoted
        sentences.setdefault(quote, []).append((number, citation))
    return tuple(
        CitedDocument(
            next(iter(sentences.values()))[0][1].filename,
            tuple(CitedSentence(tuple(number for number, _ in cited), cited[0][1]) for cited in sentences.values()),
        )
        for sentences in documents.values()
    )


def present_answer_page(
    answer: Answer, links: Links, format: str = "", source_query: SourceQuery = ()
) -> AnswerPresentation:
    """Return what the page of a new answer shows, with the URLs of this service.

    `source_query` are the fields of a URL that limits the question to its sources.
    """
    shown = serialize_answer(answer, links)
    url = shown.links.get("self") or f"{links.ask()}?{urlencode([('q', shown.question), *source_query])}"
    return build_answer_presentation(shown, request.host_url.rstrip("/"), url, shown.links.get("pack", ""), format)
