"""What a pack says, before it is set as HTML, Markdown or Word: the answer, a note a mark, the documents, the proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.answer_text.parser import parse_answer, remove_notes
from highlighter.answer_text.tree import AnswerBlock, count_tables
from highlighter.answering.answer import Answer
from highlighter.answering.records import StoredAnswer
from highlighter.answering.request import ENDNOTE, FOOTNOTE, MARKDOWN
from highlighter.locale import N_
from highlighter.models import Citation, Source

QUOTE_STATE_TEXTS = {
    "verified": "Quoted word for word.",
    "altered": "Quoted with changes: this is the text of the document.",
    "not found": "The quote in the answer is not in the document: this is the closest match.",
}
REDACTED_QUOTE_TEXT = "The text was removed when the document was deleted."
REDACTED_ANSWER_TEXT = N_(
    "A document used for this answer was deleted, so the text of the answer was deleted too. "
    "Its hashes, the positions of its citations and how it was made remain."
)


@dataclass(frozen=True, slots=True)
class CitationNote:
    """What a mark of the answer stands on. Numbered from 1 in the order of the marks."""

    number: int
    citation: Citation
    where: str  # "Harbour Works Contract.pdf, page 2"
    file: str = ""  # of the pack, where the words are highlighted
    says: str = ""  # of the quotation, or why there are no words

    @property
    def target(self) -> str:
        return f"{self.file}#page={self.citation.page}" if self.file.endswith(".pdf") else self.file


@dataclass(frozen=True, slots=True)
class PackDocument:
    """A document, or a text of the asker's own, that was cited."""

    name: str
    sha256: str
    file: str = ""
    why: str = ""  # there is no file, or no highlight in it


@dataclass(frozen=True, slots=True)
class Report:
    kept: StoredAnswer
    blocks: tuple[AnswerBlock, ...]
    notes: tuple[CitationNote, ...]
    given: tuple[PackDocument, ...]

    @property
    def answer(self) -> Answer:
        return self.kept.answer

    @property
    def kept_at(self) -> str:
        return _format_time(self.kept.head.at)

    @property
    def question(self) -> str:
        return self.answer.question or "A question that was removed with the document it quoted"

    @property
    def refusal(self) -> str:
        return f"No answer: {self.answer.refusal_reason or 'the reason is not known'}." if self.answer.refused else ""

    @property
    def gone(self) -> str:
        return "" if self.kept.is_complete else REDACTED_ANSWER_TEXT

    @property
    def body(self) -> tuple[AnswerBlock, ...]:
        """The text for whoever sets notes of their own: less the list that footnotes end with."""
        return remove_notes(self.blocks, self.answer)

    @property
    def tables(self) -> int:
        return count_tables(self.blocks)

    @property
    def unmarked_notes(self) -> tuple[CitationNote, ...]:
        """Notes of a text that is gone: no mark leads to them any more."""
        return () if self.blocks else self.notes

    @property
    def marks(self) -> list[str] | None:
        """The notes' own numbers in place of the answer's, which number sources."""
        numbered = self.kept.request_options.get("citation_style") in (FOOTNOTE, ENDNOTE)
        return [f"[{note.number}]" for note in self.notes] if numbered else None

    @property
    def hrefs(self) -> list[str]:
        """Where the marks lead, one a citation."""
        return [f"#note-{note.number}" for note in self.notes]

    @property
    def names(self) -> list[str]:
        return [note.where for note in self.notes]

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """How it was made, for people."""
        answer = self.answer
        found = [
            ("Asked", _format_time(answer.asked_at)),
            ("Written by", answer.model_used or "nobody: refused"),
            ("Mode", answer.mode),
        ]
        if answer.prompt_version:
            found.append(("Prompts", answer.prompt_version))
        if not answer.refused:
            found.append(("Confidence", f"{answer.confidence_level} ({answer.confidence:.2f})"))
        if answer.claims:
            found.append(("Grounding", f"{answer.grounding_score:.2f}"))
        return tuple((name, value) for name, value in found if value)


def build_report(
    stored_answer: StoredAnswer, documents: Sequence[PackDocument] = (), files: dict[int, str] | None = None
) -> Report:
    """`files`: by the index of a source, the file of the pack that shows it."""
    answer, files = stored_answer.answer, files or {}
    notes = tuple(
        CitationNote(
            number, one, describe_location(one, answer.sources[one.source]), files.get(one.source, ""),
            REDACTED_QUOTE_TEXT if stored_answer.is_source_redacted(one.source) else QUOTE_STATE_TEXTS.get(one.quoted, ""),
        )
        for number, one in enumerate(answer.citations, 1)
    )  # fmt: skip
    blocks = parse_answer(answer, stored_answer.request_options.get("format") == MARKDOWN) if answer.text else ()
    return Report(stored_answer, blocks, notes, tuple(documents))


def sort_citations(stored_answer: StoredAnswer) -> StoredAnswer:
    """Return the answer with its citations in the order of its text, by which notes are numbered.

    A citation that a check has added comes last in an answer, and stands where the claim ends that it supports.
    """
    citations = sorted(stored_answer.answer.citations, key=lambda one: (one.start, one.end))
    return replace(stored_answer, answer=replace(stored_answer.answer, citations=tuple(citations)))


def describe_location(citation: Citation, source: Source) -> str:
    name = citation.filename or f"Document {citation.document_id}"
    if not citation.page:
        return name
    labels, page = source.page_labels, str(citation.page)
    printed = labels[citation.page - 1] if citation.page <= len(labels) else page
    # DOCX and TXT have the pages that we set them on.
    ours = "our " if citation.document_id and citation.filename and not name.lower().endswith(".pdf") else ""
    return f"{name}, {ours}page {printed}" + (f" (the file's page {page})" if printed != page else "")


def _format_time(timestamp: str) -> str:
    return timestamp.replace("T", " ").replace("+00:00", " UTC")
