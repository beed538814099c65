"""The Python interface to the services that the pages, the API and the command line use."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from highlighter.access import get_visible_collections
from highlighter.answering.answer import Answer
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.grounding.checker import GroundingReport
from highlighter.grounding.cited_sources import check_answer
from highlighter.grounding.judge import ExternalJudge
from highlighter.models import Chunk, Document, Evidence, QuoteLocation, Rectangle, SearchHit, Source
from highlighter.search import DEFAULT_HITS, MIN_SCORE
from highlighter.search.reference_lookup import ReferenceLookupResult
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.lookup import require_chunk, require_readable_document, require_span
from highlighter.store.source_texts import load_source_texts


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
        self.services.index.sync()
        return documents

    def documents(self) -> list[Document]:
        """Return all documents, newest first."""
        return self.services.catalog.documents(get_visible_collections())

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
        self, quote: str, document_id: str = "", *, page: int = 0, prefix: str = "", suffix: str = ""
    ) -> QuoteLocation:
        """Locate a quote in one document or in all. The `tier` says how well the text matches; "none" means not at all.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     location = h.locate("The Contractor shall give an early warning by notifing the Project Manager")
        ...     print(location.tier, location.place and (location.place.document.name, location.place.page))
        """
        visible = get_visible_collections()
        document = require_readable_document(self.services.catalog, document_id, visible) if document_id else None
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

    def close(self) -> None:
        self.services.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
