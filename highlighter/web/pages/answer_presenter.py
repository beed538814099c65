"""An answer as Markdown, to be pasted elsewhere: each mark a link to its sentence, and the list of sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import request

from highlighter.answer_text.markdown_writer import MarkdownWriter, escape_markdown
from highlighter.answer_text.parser import parse_answer
from highlighter.answer_text.tree import AnswerBlock, AnswerRun, count_tables
from highlighter.answering.answer import Answer
from highlighter.answering.drafters import NO_EVIDENCE, NO_MODEL, SCHEMA_NEEDS_MODEL
from highlighter.answering.pipeline import NO_SOURCES
from highlighter.answering.request import MARKDOWN
from highlighter.locale import N_
from highlighter.schemas.answers import AnswerOut, AnswerSourceOut, CitationOut
from highlighter.serializers.answers import serialize_answer
from highlighter.urls import Links


def format_answer_markdown(answer: AnswerOut, blocks: Sequence[AnswerBlock], base_url: str) -> str:
    """`base` is put before each link. Only the markers are links: what the answer says is escaped."""

    def link_of(run: AnswerRun) -> str:
        cited = [answer.citations[at] for at in run.marker.citations]
        link = next((found for one in cited if (found := one.links.get("view") or one.links.get("document"))), "")
        if not link:
            return escape_markdown(run.text)
        return f"[{escape_markdown(run.text.strip('[]') or str(cited[0].number))}]({base_url}{link})"

    text = MarkdownWriter(link_of).write(blocks)
    return f"{text}\n\n{_format_source_list(answer, base_url)}".strip() + "\n"


def _format_source_list(answer: AnswerOut, base_url: str) -> str:
    lines = {}
    for citation in answer.citations:
        name = escape_markdown(citation.filename) + (f", page {citation.page}" if citation.page else "")
        links = [
            f"[{words}]({base_url}{citation.links[kind]})"
            for words, kind in (("highlighted", "view"), ("PDF", "pdf"))
            if kind in citation.links
        ]
        quote = " ".join(citation.quote.split())
        parts = [f"{name}: {escape_markdown(quote)}" if quote else name, *links]
        lines.setdefault((citation.number, citation.quote_start), f"- \\[{citation.number}\\] {' '.join(parts)}")
    return "\n".join(lines[key] for key in sorted(lines))


# An answer with everything that its page says of it: its text in blocks, its sources with what is cited of each.


_BRACKET_CHARACTERS = "[]【】()（） \n"
_SUPERSCRIPTS_TO_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

# Why there is no answer, for people. What an answer kept long ago says otherwise is shown as it is.
REFUSAL_REASON_TEXTS = {
    NO_SOURCES: N_("No document matches this question."),
    NO_EVIDENCE: N_("We found related passages, but none answers this."),
    NO_MODEL: N_("No language model answered. Try again in a moment."),
    SCHEMA_NEEDS_MODEL: N_("Custom data formats need a language model, and none is set up."),
}


@dataclass(frozen=True, slots=True)
class CitedSourceGroup:
    number: int
    source: AnswerSourceOut
    citations: tuple[CitationOut, ...]  # each sentence once


@dataclass(frozen=True, slots=True)
class AnswerPresentation:
    answer: AnswerOut
    blocks: tuple[AnswerBlock, ...]
    cited: tuple[CitedSourceGroup, ...]
    uncited: tuple[AnswerSourceOut, ...]
    reason: str
    address: str  # of this answer, or of its question where it is not kept
    pack: str  # the evidence pack; none where it is not kept
    markdown: str

    @property
    def tables(self) -> int:
        return count_tables(self.blocks)


def build_answer_presentation(
    answer: AnswerOut, base_url: str, answer_url: str, pack_url: str = "", format: str = ""
) -> AnswerPresentation:
    """`base` is where the service is, for links that leave it."""
    blocks = parse_answer(answer, format == MARKDOWN)
    return AnswerPresentation(
        answer, blocks, _group_citations(answer),
        tuple(one for one in answer.sources if not one.cited),
        REFUSAL_REASON_TEXTS.get(answer.refusal_reason or "", answer.refusal_reason or ""), answer_url, pack_url,
        format_answer_markdown(answer, blocks, base_url),
    )  # fmt: skip


def format_citation_chip(citation: CitationOut, alone: bool = True) -> str:
    """What stands on a chip: the mark without its brackets; where several share one mark, each says what it is."""
    label = citation.label.strip(_BRACKET_CHARACTERS).translate(_SUPERSCRIPTS_TO_DIGITS)
    if alone and label:
        return label
    stem, dot, suffix = citation.filename.rpartition(".")
    name = stem if dot and 1 < len(suffix) <= 4 else citation.filename
    return f"{name}, p.{citation.page}" if citation.page else name


def trim_citation_context(citation: CitationOut) -> tuple[str, str]:
    """The words before and after what is cited; those that were cut through are left out."""
    before, after = citation.prefix, citation.suffix
    return before.partition(" ")[2] or before, after.rpartition(" ")[0] or after


def _group_citations(answer: AnswerOut) -> tuple[CitedSourceGroup, ...]:
    by_number: dict[int, dict[tuple[int, int], CitationOut]] = {}
    for citation in answer.citations:
        places = by_number.setdefault(citation.number, {})
        places.setdefault((citation.quote_start, citation.quote_end), citation)
    return tuple(
        CitedSourceGroup(number, answer.sources[next(iter(places.values())).source], tuple(places.values()))
        for number, places in sorted(by_number.items())
    )


# From an answer to what its page shows, with the addresses that this service has for it.


def present_answer_page(answer: Answer, links: Links, format: str = "") -> AnswerPresentation:
    made = serialize_answer(answer, links)
    address = made.links.get("self") or f"{links.ask()}?{urlencode({'q': made.question})}"
    return build_answer_presentation(made, request.host_url.rstrip("/"), address, made.links.get("pack", ""), format)
