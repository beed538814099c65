"""The content of a pack for all renderings: the answer, a note for each citation, the documents, the proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.answer_text.parser import parse_answer, remove_notes
from highlighter.answer_text.tree import AnswerBlock, count_tables
from highlighter.answering.answer import EXTRACTIVE_MODEL, QUOTED_DIRECTLY, Answer
from highlighter.answering.records import StoredAnswer
from highlighter.answering.request import MARKDOWN
from highlighter.evidence_pack.quoted_table import QuotedTable, build_quoted_table
from highlighter.locale import N_
from highlighter.models import Citation, Source

QUOTE_STATE_TEXTS = {
    "verified": "Quoted exactly.",
    "altered": "Quoted with changes: this is the text of the document.",
    "not found": "The quote in the answer is not in the document: this is the closest match.",
}
REDACTED_QUOTE_TEXT = "The text was removed when the document was deleted."
REDACTED_ANSWER_TEXT = N_(
    "A document used for this answer was deleted, so the text of the answer was deleted too. "
    "Its hashes, the positions of its citations and how it was made remain."
)


def format_verdict(verdict: str) -> str:
    """Return a verdict as words: "wrong source"."""
    return verdict.replace("_", " ")


@dataclass(frozen=True, slots=True)
class CitationNote:
    """A citation of the answer, numbered from 1 in the order of the markers."""

    number: int
    citation: Citation
    location: str  # "Harbour Works Contract.pdf, page 2"
    file: str = ""  # file of the pack in which the words are highlighted
    remark: str = ""  # remark on the quotation, or why the words are missing

    @property
    def target(self) -> str:
        return f"{self.file}#page={self.citation.page}" if self.file.endswith(".pdf") else self.file

    @property
    def table(self) -> QuotedTable | None:
        return build_quoted_table(self.citation)


@dataclass(frozen=True, slots=True)
class PackDocument:
    """A cited document, or a cited text that the caller supplied."""

    name: str
    sha256: str
    file: str = ""
    why: str = ""  # why there is no file, or no highlight


@dataclass(frozen=True, slots=True)
class Report:
    """A stored answer with everything that the renderings show."""

    stored_answer: StoredAnswer
    blocks: tuple[AnswerBlock, ...]
    notes: tuple[CitationNote, ...]
    documents: tuple[PackDocument, ...]

    @property
    def answer(self) -> Answer:
        return self.stored_answer.answer

    @property
    def stored_at(self) -> str:
        return _format_time(self.stored_answer.head.at)

    @property
    def question(self) -> str:
        return self.answer.question or "A question that was removed with the document it quoted"

    @property
    def refusal(self) -> str:
        return f"No answer: {self.answer.refusal_reason or 'the reason is not known'}." if self.answer.refused else ""

    @property
    def redaction_notice(self) -> str:
        return "" if self.stored_answer.is_complete else REDACTED_ANSWER_TEXT

    @property
    def body(self) -> tuple[AnswerBlock, ...]:
        """Return the text for renderings with their own notes: without the list of sources at its end."""
        return remove_notes(self.blocks, self.answer)

    @property
    def tables(self) -> int:
        return count_tables(self.blocks)

    @property
    def unmarked_notes(self) -> tuple[CitationNote, ...]:
        """Return the notes of a redacted text, to which no marker leads."""
        return () if self.blocks else self.notes

    @property
    def marker_texts(self) -> list[str]:
        """Return the numbers of the notes, which stand in place of the answer's markers, as on its page."""
        return [f"[{note.number}]" for note in self.notes]

    @property
    def marker_links(self) -> list[str]:
        """Return the targets of the markers, one for each citation."""
        return [f"#note-{note.number}" for note in self.notes]

    @property
    def marker_titles(self) -> list[str]:
        return [note.location for note in self.notes]

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """Return how the answer was made, as (name, value) for users."""
        answer = self.answer
        facts = [
            ("Asked", _format_time(answer.asked_at)),
            ("Answer", QUOTED_DIRECTLY)
            if answer.model_used == EXTRACTIVE_MODEL
            else ("Written by", answer.model_used or "nobody: refused"),
            ("Mode", answer.mode),
        ]
        if answer.prompt_version:
            facts.append(("Prompts", answer.prompt_version))
        facts.append(("Result", answer.headline.text))
        return tuple((name, value) for name, value in facts if value)


def build_report(
    stored_answer: StoredAnswer, documents: Sequence[PackDocument] = (), files: dict[int, str] | None = None
) -> Report:
    """Return the report of an answer; `files` maps the index of a source to the file of the pack that shows it."""
    answer, files = stored_answer.answer, files or {}
    notes = tuple(
        CitationNote(
            number, citation, describe_location(citation, answer.sources[citation.source]), files.get(citation.source, ""),
            REDACTED_QUOTE_TEXT if stored_answer.is_source_redacted(citation.source) else _describe_quote(citation),
        )
        for number, citation in enumerate(answer.citations, 1)
    )  # fmt: skip
    blocks = parse_answer(answer, stored_answer.request_options.get("format") == MARKDOWN) if answer.text else ()
    return Report(stored_answer, blocks, notes, tuple(documents))


def _describe_quote(citation: Citation) -> str:
    """Return whether a quote is exact, and whether it answers the question: two statements."""
    answers = f"Answers the question: {citation.probability:.2f} (0 to 1)." if citation.probability else ""
    return " ".join(filter(None, [QUOTE_STATE_TEXTS.get(citation.quoted, ""), answers]))


def sort_citations(stored_answer: StoredAnswer) -> StoredAnswer:
    """Return the answer with its citations in the order of its text, by which notes are numbered.

    A citation that a check has added comes last in an answer, and stands at the end of the claim that it supports.
    """
    citations = sorted(stored_answer.answer.citations, key=lambda citation: (citation.start, citation.end))
    return replace(stored_answer, answer=replace(stored_answer.answer, citations=tuple(citations)))


def describe_location(citation: Citation, source: Source) -> str:
    name = citation.filename or f"Document {citation.document_id}"
    if not citation.page:
        return name
    labels, page = source.page_labels, str(citation.page)
    label = labels[citation.page - 1] if citation.page <= len(labels) else page
    # The pages of DOCX and TXT files are the typeset ones.
    prefix = "our " if citation.document_id and citation.filename and not name.lower().endswith(".pdf") else ""
    return f"{name}, {prefix}page {label}" + (f" (the file's page {page})" if label != page else "")


def _format_time(timestamp: str) -> str:
    return timestamp.replace("T", " ").replace("+00:00", " UTC")
