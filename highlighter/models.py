"""The data model: frozen values that all other modules pass around.

Each document has one canonical text; everything else is a span `[start, end)` of it, in Unicode code points. Chunk and
sentence indexes count from 0, pages from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# Raised when a change in reading, splitting or chunking gives a file another text. The version is part of every chunk's
# and sentence's key and of all links, so a better splitter never silently moves an old citation.
# 2: code in TXT keeps its indents, and text typed into a form field is at its field.
# 3: text drawn by PDF annotations is read, and a page that cannot be opened keeps its place in chunk PDFs.
# 4: scripts and tags of PDFs are read in order, page numbers of the printed original left out, sentences joined over formulas.
# 5: formulas of Word files have small exponents, accents and roots, and tables have cells.
# 6: sentences end by more rules (citations of laws, lists, repeated notes, text files without lines).
# 7: exponents are characters, scans with stamps are recognised, and sentences of more scripts end by rules of their own.
# 8: lines that a form, a formula or the writer breaks are joined, and cells go on below a table.
# 9: boxes, fields and lists side by side are apart.
# 10: formulas of several rows are whole, lines of listings and rows of numbers are apart, numbers of lines are left out.
# 11: notes and stamps in margins, bullets painted after their items, letters with accents and ligatures of TeX's fonts; merged cells of
# untagged PDFs.
# 12: listings are told by the width of single characters, captions continue no sentence, descriptions of functions begin below their names.
# 13: columns below large titles and beside mastheads are apart, what Firefox prints around a page is left out, raised endings ("10th") stay in
# their line; drawn checkboxes and all selected options of a field are read; merged cells of tables from right to left.
# 14: text that readers do not see (deleted, hidden, covered ...) is left out; markers of a list within a sentence ("(ii)") begin no items, long
# cells of ruled tables are read one after the other, code that looks like prose is cut by lines; sentences end after paths and units ("17 mg."), not
# in German dates; numbers of lines are left out on full pages; truth values of sheets are words, tasks of Markdown have boxes, and pages of slides
# the numbers of the slides.
# 15: letters that TeX's bitmap fonts name as dingbats and its large brackets and operators are read, tables in form objects and their last rows by
# their lines, centred lines apart; lines of code stay apart across pages; fewer sentences end after names, journals and marks of notes;
# rows of PDFs' tables that have a line on one side only are rows of the table.
# 16: rows of PDFs' tables end where all lines between columns end, cells begin where those of other rows do; lines of code stay apart below labels
# and in files of code; captions, larger words and brackets on the next page cut no sentence; titles and terms in bold begin anew.
# Slides are read by the tags of their PDF, with their numbers; last lines with numbers, cells from right to left and hyphens of headings of PDFs,
# headers, flowed and quoted lines of e-mails, more encodings and items of text files; no comments of sheets; checkboxes and short `dl` of web pages.
# 17: lines of text that PDFs repeat with other numbers at the edges of pages stay, drop caps begin the word beside them, and pieces of turned
# text are read along their baselines; marks of several notes stand in brackets.
# 18: labels of PDFs that run into their text in another typeface ("preinst  This script ...") are parted from it, sentences go on after pages of
# drawings and code, words beside justified text are cells, fields and titles side by side, rows of numbers, copyright notices and assignments of
# programs are apart, and the second of two dashes begins no item; sentences begin with names of functions, and end after no number of a cell.
PIPELINE_VERSION = 18
# Each time that text of a file's pages is recognised, the file has another text: its pipeline is the version plus a
# multiple of this, so that links to the text without the recognised words stay right.
RECOGNITION_STEP = 1_000

# Document states. A document is always in exactly one of them; only READY and PARTIAL have text.
QUEUED, READING, READY, PARTIAL = "queued", "reading", "ready", "partial"
NO_TEXT, ENCRYPTED, DAMAGED, TOO_LARGE = "no_text", "encrypted", "damaged", "too_large"
TIMED_OUT, UNSUPPORTED_KIND, EMPTY, FAILED = "timed_out", "unsupported", "empty", "failed"
QUARANTINED = "quarantined"  # reading the file ends the reading process every time

# What `Document.recognition` says of a document with pages without text that have not been tried yet.
AWAITS_RECOGNITION = "waiting"
RECOGNISING = "recognising"  # the stage of its progress

# By kind of document. What users upload is sent under these names, and only as a download where a browser would run it.
_OOXML = "application/vnd.openxmlformats-officedocument"
# Of pages, which are recognised as those of scanned PDFs are:
PICTURE_KINDS = frozenset(("png", "jpg", "tiff", "gif", "webp"))
KINDS_WITH_PAGES = PICTURE_KINDS | {"pdf"}  # which are shown as they are; the pages of other kinds are generated
EMAIL_KINDS = frozenset(("eml", "msg"))  # whose attachments become documents of their own
MEDIA_TYPES = {
    "pdf": "application/pdf",
    "txt": "text/plain",
    "docx": f"{_OOXML}.wordprocessingml.document",
    "csv": "text/csv",
    "md": "text/markdown",
    "html": "text/html",
    "eml": "message/rfc822",
    "msg": "application/vnd.ms-outlook",
    "epub": "application/epub+zip",
    "pptx": f"{_OOXML}.presentationml.presentation",
    "xlsx": f"{_OOXML}.spreadsheetml.sheet",
    "odt": "application/vnd.oasis.opendocument.text",
    "rtf": "application/rtf",
    "png": "image/png",
    "jpg": "image/jpeg",
    "tiff": "image/tiff",
    "gif": "image/gif",
    "webp": "image/webp",
}
# Suffixes that a folder is searched for and that an upload form offers. A file named directly is read in any case.
DOCUMENT_SUFFIXES = tuple(
    ".pdf .docx .txt .csv .tsv .md .markdown .html .htm .xhtml .eml .mhtml .msg .epub .pptx .xlsx .odt .rtf"
    " .png .jpg .jpeg .tif .tiff .gif .webp".split()
)

READABLE = frozenset({READY, PARTIAL})
UNFINISHED = frozenset({QUEUED, READING})
UNREADABLE = frozenset(
    {NO_TEXT, ENCRYPTED, DAMAGED, TOO_LARGE, TIMED_OUT, UNSUPPORTED_KIND, EMPTY, FAILED, QUARANTINED}
)
# Reading again may succeed: the machine was busy, a limit was too low, or this program had an error.
RETRYABLE = frozenset({TOO_LARGE, TIMED_OUT, FAILED, QUARANTINED})


@dataclass(frozen=True, slots=True)
class Document:
    """A file's content in a collection, and its state."""

    id: str
    collection: str
    sha256: str
    name: str  # given by the user: shown, never used as a path
    kind: str  # a key of MEDIA_TYPES, or "" when it could not be detected
    size: int
    state: str
    reason: str = ""  # a sentence for people when the state is not READY
    pipeline: int = PIPELINE_VERSION
    pages: int = 0
    chunks: int = 0
    sentences: int = 0
    labels: tuple[str, ...] = ()  # printed page labels, one for each page, or none
    added: str = ""  # ISO 8601, UTC
    progress: tuple[str, int, int] | None = None  # stage, done, total: while unfinished, or while text is recognised
    meta: dict[str, Any] = field(default_factory=dict)
    path: str = ""  # within its collection: a new file at the same path is a new version
    version: int = 1
    current: bool = True  # found by searches; older versions, and those that cannot be read, are not
    recognition: str = ""  # "": nothing to recognise; AWAITS_RECOGNITION; or with what recognition failed
    deletion_time: str = ""  # when the deleted document is purged (ISO 8601, UTC); until then it can be restored

    @property
    def doc_url(self) -> str:
        """Return where the original is elsewhere, by its metadata; an empty string where that does not say."""
        return str(self.meta.get("doc_url") or "")

    @property
    def has_own_pages(self) -> bool:
        """Return whether the file itself has the pages that are shown; those of other kinds are generated."""
        return self.kind in KINDS_WITH_PAGES

    @property
    def has_recognised_text(self) -> bool:
        """Return whether text of this reading was recognised on pictures of pages."""
        return self.pipeline >= RECOGNITION_STEP

    @property
    def pipeline_version(self) -> int:
        """Return the version of the pipeline that read the document, with or without recognition."""
        return self.pipeline % RECOGNITION_STEP


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of whole sentences, which is searched, cited and shown."""

    document_id: str
    pipeline: int
    index: int
    start: int
    end: int
    first_page: int
    last_page: int
    section: str = ""  # "4 > 4.2 Early warning"
    text: str = ""
    headings: tuple[tuple[int, int, int], ...] = ()  # (start, end, level) of each heading within the chunk


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document's text: always `document.text[start:end] == text`."""

    index: int
    start: int
    end: int
    text: str
    page: int = 0
    row: str = ""  # a row of a table with its headers, as models read it
    heading: str = ""  # above the sentence, where models read it with this

    @property
    def read_text(self) -> str:
        """Return what models read in the place of the text."""
        text = self.row or self.text
        return f"{self.heading} {text}" if self.heading else text


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """A table of a document: each line of its span is a row, and tabs separate the cells of a row."""

    start: int
    end: int
    header_rows: int = 0  # at the top
    header_columns: int = 0  # at the left
    merged: tuple[tuple[int, int, int, int], ...] = ()  # (row, column, rows, columns) of each merged cell
    caption: tuple[int, int] | None = None
    gaps: tuple[tuple[int, int], ...] = ()  # spans between its parts, such as the notes at the end of a page
    repeated_headers: tuple[int, ...] = ()  # rows that say the header rows again, at the top of a page

    @property
    def parts(self) -> list[tuple[int, int]]:
        """Return the spans of the table without its gaps."""
        edges = [self.start, *(edge for gap in self.gaps for edge in gap), self.end]
        return list(zip(edges[::2], edges[1::2], strict=True))


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table with its span in the document's text; rows and columns count from 0."""

    row: int
    column: int
    start: int
    end: int
    rows: int = 1  # that it spans
    columns: int = 1
    is_column_header: bool = False
    is_row_header: bool = False

    @property
    def is_header(self) -> bool:
        return self.is_column_header or self.is_row_header


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A box on a page: PDF points from the bottom left of the page's crop box, the page unrotated. Computed, never
    stored.
    """

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    turn: int = 0  # direction of its text on the page as stored: 0 level, 90 upward, 180, 270 downward, -1 slanted
    dark: bool = False  # the page is dark here: its characters are light


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence with its scores for a question."""

    sentence: Sentence
    similarity: float  # raw cosine of sentence and question
    score: float  # compared with the threshold; the method decides which number this is
    highlighted: bool
    instructs_software: bool = False  # it tells a language model what to do, and so is no evidence


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentences of a passage with their scores for a question, and how they were decided."""

    question: str
    sentences: tuple[ScoredSentence, ...]
    threshold: float
    method: str
    degraded: str = ""  # a sentence for users when only part of the method could run


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A chunk that a search found, with its best sentences."""

    document: Document
    chunk: Chunk
    score: float  # 0 to 1: see highlighter/search/chunk_scoring.py
    sentences: tuple[ScoredSentence, ...]  # best first; never empty

    @property
    def doc_url(self) -> str:
        """Return where the document is elsewhere, or an empty string."""
        return self.document.doc_url


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The hits of a search, best first."""

    hits: tuple[SearchHit, ...]
    degraded: str = ""  # a sentence for users when only part of the method could run


@dataclass(frozen=True, slots=True)
class DocumentQuoteMatch:
    """A span of a document that matches a quote exactly or nearly."""

    document: Document
    start: int
    end: int
    text: str
    tier: str  # "exact", "normalised", "fuzzy", "semantic"; "none" for a near miss
    score: float
    chunk: int = 0  # in which the span begins
    page: int = 0
    last_page: int = 0
    differs: tuple[Any, ...] = ()  # of quotes.word_diff: the quote beside the text, word by word
    why: str = ""  # a sentence for users when it is a near miss, or leaves out a "not" or "unless" beside it
    spans: tuple[tuple[int, int], ...] = ()  # of the fragments, where the quote leaves out words between them
    reason: str = ""  # one of quotes.match.MISS_REASONS, for a near miss

    @property
    def highlighted_spans(self) -> tuple[tuple[int, int], ...]:
        """Return the spans of the words that the quote contains."""
        return self.spans or ((self.start, self.end),)


@dataclass(frozen=True, slots=True)
class QuoteLocation:
    """The result of locating a quote. Without a match the tier is "none" and `why` says why not, for users."""

    quote: str
    place: DocumentQuoteMatch | None
    sentences: tuple[Sentence, ...] = ()
    candidates: tuple[DocumentQuoteMatch, ...] = ()  # other matches, and near misses
    why: str = ""
    notes: tuple[str, ...] = ()  # sentences for users: what was ignored in the quote
    reason: str = ""  # one of quotes.match.MISS_REASONS, where there is no match

    @property
    def tier(self) -> str:
        return self.place.tier if self.place else "none"


@dataclass(frozen=True, slots=True)
class InDocumentMatch:
    """A span of a document's text, with the chunk and page in which it begins."""

    start: int
    end: int
    chunk: int
    page: int
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class InDocumentResults:
    """The results of a search within one document, in reading order."""

    query: str
    by: str  # "words", "meaning"
    spans: tuple[InDocumentMatch, ...]
    note: str = ""  # a sentence for users: what else was searched for, or why there are no matches


@dataclass(frozen=True, slots=True)
class Source:
    """A source that an answer may cite: a chunk, a document, or a caller's own text."""

    filename: str
    label: str = ""  # the marker that the answer's author was given for it, without the brackets
    document_id: str = ""
    pages: Sequence[int] = ()  # physical pages; a range will do; empty: any page
    page_labels: tuple[str, ...] = ()  # printed labels, one for each page of the document, or none
    chunk_index: int | None = None  # None: any chunk
    text: str = ""
    chunks: int = 0  # number of chunks of its document; 0: unknown
    page_count: int = 0  # number of pages of its document; 0: unknown
    recognition: float = 0.0  # mean confidence of its letters that were recognised from images; 0: none were
    page_spans: tuple[tuple[int, int, int], ...] = ()  # (start, end, page) of its text; none: not known


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """A reference in an answer's text, resolved to one of its sources. `[start, end)` is its span in that text."""

    label: str
    start: int
    end: int
    tier: str  # how reliable the match is: see highlighter/references
    source: int  # index into the sources
    page: int = 0  # physical; 0 when neither the reference nor its source says one
    chunk_index: int | None = None
    quote: str = ""  # words quoted with the reference: "(quote) [[label]]"
    alternatives: tuple[int, ...] = ()  # other sources of the same document that the reference may mean
    cited_pages: frozenset[int] = frozenset()  # every physical page that its own page may mean; none: it names no page
    clause: tuple[int, int, int] | None = (
        None  # of a cited clause in the source's text: start, end of its first sentence, end
    )


@dataclass(frozen=True, slots=True)
class UnresolvedMarker:
    """A marker that refers to none of the sources, or to several. It gets no link."""

    label: str
    start: int
    end: int
    reason: str  # "unknown", "ambiguous", "no such page" ...: see highlighter/references
    why: str = ""  # the same as a sentence for users
    candidates: tuple[int, ...] = ()  # indexes of sources


@dataclass(frozen=True, slots=True)
class ReferenceResolution:
    """The resolved and unresolved markers of an answer's text."""

    citations: tuple[ResolvedReference, ...] = ()
    unresolved: tuple[UnresolvedMarker, ...] = ()
    notes: tuple[tuple[int, int], ...] = ()  # spans of the lines that define the numbers of citations


@dataclass(frozen=True, slots=True)
class CitedCell:
    """A cell of a table in which cited words lie, with the headers above it and at its left; counted from 0."""

    row: int
    column: int
    text: str  # of the whole cell
    is_header: bool = False
    column_headers: tuple[str, ...] = ()
    row_headers: tuple[str, ...] = ()
    start: int = 0  # in the document's text
    end: int = 0


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation of an answer, with the words of a document that it refers to."""

    number: int  # in the answer's list of cited sources, from 1; two markers of one source share it
    label: str
    start: int  # of the marker in the answer's text
    end: int
    tier: str
    source: int  # index into the answer's sources
    document_id: str
    filename: str
    sha256: str
    page: int
    chunk_index: int | None
    chunk: tuple[int, int, int] | None  # its pipeline, start and end: links stay valid when a later pipeline cuts anew
    quote: str  # the words of the document
    quote_start: int  # in the document's text
    quote_end: int
    prefix: str = ""
    suffix: str = ""
    quote_spans: tuple[tuple[int, int], ...] = ()  # of the fragments, where the answer's own quote leaves words out
    probability: float = 0.0  # that the quote is evidence
    recognition: float = 0.0  # mean confidence of the quote's letters where they were recognised from an image; else 0
    quoted: str = ""  # state of the answer's own quote: "verified", "altered", "not found"; empty when it has none
    differs: tuple[Any, ...] = ()  # of quotes.word_diff: the answer's own quote beside the document's words
    sub_question: str = ""
    sub_question_index: int = 0
    cells: tuple[CitedCell, ...] = ()  # where the quote lies in a table
    table_caption: str = ""  # of that table
    section: str = ""  # the title of the section
    doc_url: str = ""  # where the document is elsewhere, by its metadata
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)  # of the document, as it was then


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """A sentence of a source that supports or contradicts a claim."""

    source: int  # index into the sources
    start: int  # in the source's text
    end: int
    text: str
    score: float
    marks: tuple[tuple[int, int], ...] = ()  # spans of `text`: the words that differ from the claim's


@dataclass(frozen=True, slots=True)
class Claim:
    """A checkable statement of an answer with its verdict. `[start, end)` is its span in the answer's text."""

    text: str  # without its markers
    start: int
    end: int
    verdict: str  # "supported", "partly", "contradicted", "unsupported", "wrong_source", "not_compared"
    score: float  # 0 to 1: how likely it is supported
    evidence: tuple[ClaimEvidence, ...] = ()
    why: str = ""  # a sentence for users, when the claim is not supported
    marks: tuple[tuple[int, int], ...] = ()  # spans of `text`: the words that no source says
    antecedent: str = ""  # the sentence before, whose subject a pronoun at its beginning means
