"""The nouns: frozen values that everything else passes around.

One canonical text a document; everything else is a span `[start, end)` of it, in Unicode code points.
Chunk and sentence indexes count from 0, pages from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

# Raised when reading, splitting or chunking changes what a given file turns into. It is part of every chunk's and
# sentence's key and of our links, so a better splitter never silently moves an old citation.
# 2: code in TXT keeps its indents, and what is typed into a form's fields stands at its field.
# 3: words that annotations of a PDF draw are read, and a page that cannot be opened keeps its place in chunk PDFs.
PIPELINE_VERSION = 3

# What became of a file. Only READY and PARTIAL have text; a document is always in exactly one of these.
QUEUED, READING, READY, PARTIAL = "queued", "reading", "ready", "partial"
NO_TEXT, ENCRYPTED, DAMAGED, TOO_LARGE = "no_text", "encrypted", "damaged", "too_large"
TIMED_OUT, UNSUPPORTED, EMPTY, FAILED = "timed_out", "unsupported", "empty", "failed"
QUARANTINED = "quarantined"  # it takes down whatever reads it

# Of each kind of document.
MEDIA_TYPES = {
    "pdf": "application/pdf",
    "txt": "text/plain",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}

READABLE = frozenset({READY, PARTIAL})
UNFINISHED = frozenset({QUEUED, READING})
UNREADABLE = frozenset({NO_TEXT, ENCRYPTED, DAMAGED, TOO_LARGE, TIMED_OUT, UNSUPPORTED, EMPTY, FAILED, QUARANTINED})
# Reading again may end otherwise: the machine was busy, a limit was too low, or a fault was ours.
RETRYABLE = frozenset({TOO_LARGE, TIMED_OUT, FAILED, QUARANTINED})


@dataclass(frozen=True, slots=True)
class Document:
    """One file's bytes in one collection, and what became of them."""

    id: str
    collection: str
    sha256: str
    name: str  # what the user called it: shown, never used as a path
    kind: str  # "pdf", "docx", "txt"
    size: int
    state: str
    reason: str = ""  # a sentence for people when the state is not READY
    pipeline: int = PIPELINE_VERSION
    pages: int = 0
    chunks: int = 0
    sentences: int = 0
    labels: tuple[str, ...] = ()  # printed page labels, one a page, or none
    added: str = ""  # ISO 8601, UTC
    progress: tuple[str, int, int] | None = None  # stage, done, total: only while unfinished
    meta: dict[str, Any] = field(default_factory=dict)
    path: str = ""  # under its collection: new bytes there are a new version
    version: int = 1
    current: bool = True  # what a search finds; an older version, or one that cannot be read, is not
    leaving: str = ""  # deleted, and gone for good at this time (ISO 8601, UTC); until then it can be brought back


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of whole sentences: what a citation points at and a reader is shown."""

    document_id: str
    pipeline: int
    index: int
    start: int
    end: int
    first_page: int
    last_page: int
    section: str = ""  # "4 > 4.2 Early warning"
    text: str = ""
    headings: tuple[tuple[int, int, int], ...] = ()  # (start, end, level) of those that stand in it


@dataclass(frozen=True, slots=True)
class Sentence:
    """`document.text[start:end] == text`, always."""

    index: int
    start: int
    end: int
    text: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A place on paper: PDF points from the bottom left of the page's crop box, the page unrotated. Derived, never kept."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    turn: int = 0  # how its text reads on the page as stored: 0 level, 90 upward, 180, 270 downward, -1 slanted
    dark: bool = False  # its letters are light, and so its paper is dark


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """One sentence held against one question."""

    sentence: Sentence
    similarity: float  # raw cosine of sentence and question
    score: float  # what is held against the threshold: the method decides which number
    highlighted: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """Which sentences of a passage answer a question, and how that was decided."""

    question: str
    sentences: tuple[ScoredSentence, ...]
    threshold: float
    method: str
    degraded: str = ""  # a sentence for people when less than the whole method could run


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A chunk that a search found, with its sentences that answer best."""

    document: Document
    chunk: Chunk
    score: float  # 0 to 1: see highlighter/search/chunk_scoring.py
    sentences: tuple[ScoredSentence, ...]  # best first; never none

    @property
    def doc_url(self) -> str:
        """Where the document is at home, when its metadata says so."""
        return str(self.document.meta.get("doc_url") or "")


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What a search found, best first."""

    hits: tuple[SearchHit, ...]
    degraded: str = ""  # a sentence for people when less than the whole method could run


@dataclass(frozen=True, slots=True)
class DocumentQuoteMatch:
    """A span of a document that says what a quote says, or nearly so."""

    document: Document
    start: int
    end: int
    text: str
    tier: str  # "exact", "normalised", "fuzzy", "semantic"; "none" for a near miss
    score: float
    chunk: int = 0  # where it begins
    page: int = 0
    last_page: int = 0
    differs: tuple[Any, ...] = ()  # citations.diff.Piece: the quote beside the text, word by word
    why: str = ""  # a sentence for people when it is a near miss


@dataclass(frozen=True, slots=True)
class QuoteLocation:
    """What became of looking for a quote. Without a place the tier is "none", and `why` says so for people."""

    quote: str
    place: DocumentQuoteMatch | None
    sentences: tuple[Sentence, ...] = ()
    candidates: tuple[DocumentQuoteMatch, ...] = ()  # other places, and near misses
    why: str = ""
    notes: tuple[str, ...] = ()  # what was left aside, for people

    @property
    def tier(self) -> str:
        return self.place.tier if self.place else "none"


@dataclass(frozen=True, slots=True)
class InDocumentMatch:
    """A run of a document's text, with the chunk and page it begins in."""

    start: int
    end: int
    chunk: int
    page: int
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class InDocumentResults:
    """What a search within one document found, in reading order."""

    query: str
    by: str  # "words", "meaning"
    spans: tuple[InDocumentMatch, ...]
    note: str = ""  # a sentence for people: what else was looked for, or why there is nothing


@dataclass(frozen=True, slots=True)
class Source:
    """What an answer may cite: a chunk, a document, or a text of the caller's own."""

    filename: str
    label: str = ""  # how it was shown to whoever wrote the answer, without the brackets
    document_id: str = ""
    pages: Sequence[int] = ()  # physical, a range will do; none: any page of it
    page_labels: tuple[str, ...] = ()  # printed, one a page of the document, or none
    chunk_index: int | None = None  # None: any chunk of it
    text: str = ""
    chunks: int = 0  # how many its document has; 0: not known


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """One reference of an answer's text, and what it means. `[start, end)` is its place in that text."""

    label: str
    start: int
    end: int
    tier: str  # how surely: see citations/resolve.py
    source: int  # index into the sources it was held against
    page: int = 0  # physical; 0 when neither the reference nor its source says one
    chunk_index: int | None = None
    quote: str = ""  # words quoted with it: "(quote) [[label]]"
    alternatives: tuple[int, ...] = ()  # other sources of the same document that it may mean as well


@dataclass(frozen=True, slots=True)
class UnresolvedMarker:
    """A reference that means none of the sources, or not one of them alone. It gets no link."""

    label: str
    start: int
    end: int
    reason: str  # "unknown", "ambiguous", "no such page" ...: see citations/resolve.py
    why: str = ""  # the same as a sentence for people
    candidates: tuple[int, ...] = ()  # indexes of sources


@dataclass(frozen=True, slots=True)
class ReferenceResolution:
    citations: tuple[ResolvedReference, ...] = ()
    unresolved: tuple[UnresolvedMarker, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A mark in an answer, and the words of a document that it stands on."""

    number: int  # in the answer's list of sources cited, from 1; two marks of one source share it
    label: str
    start: int  # place of the mark in the answer's text
    end: int
    tier: str
    source: int  # index into the answer's sources
    document_id: str
    filename: str
    sha256: str
    page: int
    chunk_index: int | None
    chunk: tuple[int, int, int] | None  # its pipeline, start and end: links lead to it when a later pipeline cuts anew
    quote: str  # the words of the document
    quote_start: int  # their place in the document's text
    quote_end: int
    prefix: str = ""
    suffix: str = ""
    probability: float = 0.0  # that these words are evidence
    quoted: str = ""  # the answer's own quotation: "verified", "altered", "not found"; "" when it has none
    differs: tuple[Any, ...] = ()  # citations.diff.Piece: that quotation beside the document's words
    sub_question: str = ""
    sub_question_index: int = 0


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """A sentence that speaks for a claim, or against it."""

    source: int  # index into the sources
    start: int  # place in the source's text
    end: int
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer, held against the sources. `[start, end)` is its place in the answer's text."""

    text: str  # without its marks
    start: int
    end: int
    verdict: str  # "supported", "partly", "contradicted", "unsupported"
    score: float  # 0 to 1: how likely it is supported
    evidence: tuple[ClaimEvidence, ...] = ()
    why: str = ""  # a sentence for people, when it is not supported
