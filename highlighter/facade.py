"""The Python interface to the services that the pages, the API and the command line use."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from highlighter.access import get_current_principal, get_visible_collections
from highlighter.answering.answer import Answer
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.grounding.checker import GroundingReport
from highlighter.grounding.cited_sources import check_answer
from highlighter.grounding.judge import ExternalJudge
from highlighter.metadata import build_where_clause
from highlighter.models import Chunk, Document, Evidence, QuoteLocation, Rectangle, SearchHit, Source
from highlighter.native_citations.opened_response import OpenedResponse
from highlighter.native_citations.opener import NativeRequest
from highlighter.notes.note_book import NoteContent, TextSelection
from highlighter.notes.placement import PlacedNote
from highlighter.search import DEFAULT_HITS, MIN_SCORE
from highlighter.search.reference_lookup import ReferenceLookupResult
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.document_metadata import update_metadata
from highlighter.store.listing import DocumentFilter, iterate_documents
from highlighter.store.lookup import require_chunk, require_document, require_readable_document, require_span
from highlighter.store.source_texts import load_source_texts

MAX_LISTED_NOTES = 20_000


class Highlighter:
    """A library of documents that ingests files and highlights the sentences that answer questions.

    >>> with Highlighter("data") as h:                                            # doctest: +SKIP
    ...     h.ingest("samples/Harbour Works Contract.pdf")
    ...     for sentence in h.highlight("Who pays for delay?", chunk=(h.documents()[0].id, 6)).sentences:
    ...         print(sentence.highlighted, sentence.sentence.text)
    """

    def __init__(self, data_dir: str | Path = "data", **settings: Any):
        """Open a data folder. Settings are those of the environment by their names in lower case: highlight_threshold=0.6."""
        self.services = Services(Settings.from_environment(data_dir=Path(data_dir), **settings))

    def ingest(self, path: str | Path, collection: str = "default") -> list[Document]:
        """Ingest a file, or every document of a folder. The state and reason of each document say how it ended.

        A folder's files of other kinds are logged as warnings, with the reason.
        """
        path = Path(path)
        queue = self.services.ingest_queue
        documents = queue.ingest_folder(path, collection) if path.is_dir() else [queue.ingest_file(path, collection)]
        self.services.index.sync_if_available()
        return documents

    def documents(self, *, where: Mapping[str, Any] | None = None) -> list[Document]:
        """Return all documents, newest first, or those that match a filter, as in `search`: where={"tags": "signed"}."""
        document_filter = DocumentFilter(get_visible_collections(), where=build_where_clause(where))
        return list(iterate_documents(self.services.catalog.engine, document_filter))

    def update_metadata(self, document_id: str, metadata: Mapping[str, Any]) -> Document:
        """Merge metadata into that of a document; None removes a key. `tags` is a list of its tags.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     h.update_metadata(h.documents()[0].id, {"tags": ["signed"], "year": 2024})
        ...     h.ask("Who pays for delay?", filters={"tags": "signed"})
        """
        catalog, visible = self.services.catalog, get_visible_collections()
        update_metadata(catalog.engine, require_document(catalog, document_id, visible).id, metadata)
        return require_document(catalog, document_id, visible)

    def chunks(self, document_id: str) -> Iterator[Chunk]:
        """Yield a document's chunks, in order."""
        yield from self.services.catalog.chunks(
            require_readable_document(self.services.catalog, document_id, get_visible_collections())
        )

    def highlight(
        self,
        question: str,
        text: str | None = None,
        *,
        chunk: Chunk | tuple[str, int] | None = None,
        method: str = "",
        threshold: float | None = None,
    ) -> Evidence:
        """Score every sentence of a text, or of a chunk, for a question.

        A chunk is given itself, or as its document's id and its index.
        """
        if text is not None and chunk is None:
            return self.services.passage_highlighter.highlight_text(question, text, method, threshold)
        if chunk is None or text is not None:
            raise ValueError("Give either a text or a chunk.")
        if not isinstance(chunk, Chunk):
            document = require_readable_document(self.services.catalog, chunk[0], get_visible_collections())
            chunk = require_chunk(self.services.catalog, document, chunk[1])
        return self.services.passage_highlighter.highlight_chunk(question, chunk, method, threshold)

    def rectangles(self, document_id: str, start: int, end: int) -> list[Rectangle]:
        """Return the rectangles of `[start, end)` of a document's text on its pages."""
        document = require_readable_document(self.services.catalog, document_id, get_visible_collections())
        require_span(self.services.catalog, document, start, end)
        return self.services.page_renderer.find_rectangles(document, start, end)

    def search(
        self,
        question: str,
        limit: int = DEFAULT_HITS,
        *,
        where: Mapping[str, Any] | None = None,
        min_score: float = MIN_SCORE,
    ) -> tuple[SearchHit, ...]:
        """Return the chunks that answer best, each with its best sentences; `where` filters by metadata or collection.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     for hit in h.search("Who pays for delay?", where={"collection": "default"}):
        ...         print(round(hit.score, 2), hit.document.name, hit.sentences[0].sentence.text)
        """
        return self.services.search.find(question, limit, get_visible_collections(), where, min_score).hits

    def locate(
        self,
        quote: str,
        document_id: str = "",
        *,
        filename: str = "",
        page: int = 0,
        prefix: str = "",
        suffix: str = "",
    ) -> QuoteLocation:
        """Locate a quote in one document, named by its id or its file name, or in all. The `tier` says how well the text matches; "none" means not at all.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     location = h.locate("The Contractor shall give an early warning by notifing the Project Manager")
        ...     print(location.tier, location.place and (location.place.document.name, location.place.page))
        """
        visible = get_visible_collections()
        document = self.services.reference_lookup.require_one_document(document_id, filename, visible)
        return self.services.quote_locator.locate(quote, document, visible, page, prefix, suffix)

    def ask(self, question: str, *, sources: Sequence[CallerSource | str] | None = None, **options: Any) -> Answer:
        """Answer a question with citations. `options` are the fields of `QuestionRequest`: mode, format, filters ...

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     answer = h.ask("Who pays for delay?", citation_style="footnote")
        ...     print(answer.text, [(c.filename, c.page, c.quote) for c in answer.citations])
        """
        given = None
        if sources is not None:
            given = tuple(CallerSource(source) if isinstance(source, str) else source for source in sources)
        return self.services.answer_pipeline.answer(
            QuestionRequest(question, sources=given, **options), get_visible_collections()
        )

    def check(
        self, answer: str, sources: Sequence[Source | str], *, judge: ExternalJudge | None = None
    ) -> GroundingReport:
        """Check any system's answer against its sources: texts, or stored documents and chunks.

        Where all sources have names, each claim is held to the sources that its markers cite.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     report = h.check("Payment is due within 14 days.", ["Payment is due within 28 days of the invoice."])
        ...     print(report.claims[0].verdict, report.claims[0].why)
        """
        given = [Source("", text=source) if isinstance(source, str) else source for source in sources]
        source_texts = load_source_texts(given, self.services.catalog, get_visible_collections())
        return check_answer(self.services.answer_checker, answer, source_texts, judge)

    def resolve(self, text: str, sources: Sequence[Source | str] | None = None) -> ReferenceLookupResult:
        """Resolve the references of a text to documents and pages of these sources (or file names), or of all documents.

        The result has `citations`, whose `source` is an index into `sources`, and `unresolved`. References are never guessed.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     lookup = h.resolve("It is due at once [1] [NEC3 ACC, p.3].", ["NEC4 ACC.pdf"])
        ...     print([c.label for c in lookup.citations], [marker.why for marker in lookup.unresolved])
        """
        given = (
            None if sources is None else [Source(source) if isinstance(source, str) else source for source in sources]
        )
        return self.services.reference_lookup.resolve(text, get_visible_collections(), given)

    def open_citations(
        self, response: Any, *, answer: str = "", sources: Sequence[Any] = (), check: bool = True
    ) -> OpenedResponse:
        """Open the citations of any vendor's response, as it came: of each, the place in a document and its claim.

        `answer` is the text, where the response does not contain it; `sources` are those of the vendor's request.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     opened = h.open_citations(client.messages.create(...).model_dump())
        ...     print([(c.located.tier, c.located.place and c.located.place.document.name) for c in opened.citations])
        """
        request = NativeRequest(response, answer, tuple(sources), check)
        return self.services.citation_opener.open(request, get_visible_collections())

    def answer(self, answer_id: str) -> Answer:
        """Return a stored answer, without the text of documents that were deleted since."""
        return self.services.answer_records.load(answer_id, get_visible_collections()).answer

    def pack(self, answer_id: str) -> bytes:
        """Return an evidence pack as a zip: the answer in HTML, Markdown and Word, highlighted PDFs, annotations, a manifest.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     Path("delay.zip").write_bytes(h.pack(h.ask("Who pays for delay?").id))
        """
        out = io.BytesIO()
        self.services.evidence_packs.write(answer_id, get_visible_collections(), out)
        return out.getvalue()

    def notes(self, document_id: str = "", words: str = "") -> list[PlacedNote]:
        """Return the notes on a document, shared ones of others included; without a document, your own with some words.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     for placed in h.notes(h.documents()[0].id):
        ...         print(placed.outcome, placed.page, placed.text, placed.note.text)
        """
        book, principal = self.services.note_book, get_current_principal()
        if document_id:
            return book.list_on(principal, document_id)
        return book.list_own(principal, words, limit=MAX_LISTED_NOTES)[0]

    def add_note(
        self,
        document_id: str,
        words: str | TextSelection,
        text: str = "",
        *,
        colour: str = "yellow",
        shared: bool = False,
    ) -> PlacedNote:
        """Make a note on words of a document, which are given themselves or as a selection."""
        selection = TextSelection(exact=words) if isinstance(words, str) else words
        content = NoteContent(colour, text, shared)
        return self.services.note_book.create(get_current_principal(), document_id, selection, content)

    def update_note(self, note_id: str, content: NoteContent) -> PlacedNote:
        """Change colour, text and sharing of a note."""
        return self.services.note_book.update(get_current_principal(), note_id, content)

    def delete_note(self, note_id: str) -> None:
        """Delete a note; `restore_note` undoes this for some seconds."""
        self.services.note_book.delete(get_current_principal(), note_id)

    def restore_note(self, note_id: str) -> PlacedNote:
        return self.services.note_book.restore(get_current_principal(), note_id)

    def close(self) -> None:
        self.services.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
