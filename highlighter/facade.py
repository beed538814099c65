"""The Python face of the same services that the pages, the API and the command line use."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from highlighter.access import visible_collections
from highlighter.generation.answer import Answer
from highlighter.generation.ask import Ask, Given
from highlighter.grounding.check import Checked
from highlighter.grounding.judging import OuterJudge
from highlighter.models import Chunk, Document, Evidence, Hit, Located, Rectangle, Source
from highlighter.search import LIMIT, MIN_SCORE
from highlighter.search.references import Referred
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.known import checked_span, known_chunk, readable_document
from highlighter.viewer.told import with_text


class Highlighter:
    """Takes documents in, and shows the sentences that answer.

    >>> with Highlighter("data") as h:                                            # doctest: +SKIP
    ...     h.ingest("samples/Harbour Works Contract.pdf")
    ...     for sentence in h.highlight("Who pays for delay?", chunk=(h.documents()[0].id, 6)).sentences:
    ...         print(sentence.highlighted, sentence.sentence.text)
    """

    def __init__(self, data_dir: str | Path = "data", **settings: Any):
        """Settings are those of the environment, by their names in lower case: highlight_threshold=0.6."""
        self.services = Services(Settings.from_environment(data_dir=Path(data_dir), **settings))

    def ingest(self, path: str | Path, collection: str = "default") -> list[Document]:
        """Take a file in, or every document of a folder. What became of each is in its state and reason.

        A folder's files of other kinds are logged as warnings, with the reason.
        """
        path = Path(path)
        desk = self.services.desk
        documents = desk.take_folder(path, collection) if path.is_dir() else [desk.take(path, collection)]
        self.services.index.follow()
        return documents

    def documents(self) -> list[Document]:
        """Newest first."""
        return self.services.catalog.documents(visible_collections())

    def chunks(self, document_id: str) -> Iterator[Chunk]:
        """A document's chunks, in order."""
        yield from self.services.catalog.chunks(
            readable_document(self.services.catalog, document_id, visible_collections())
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
        """Every sentence of a text, or of a chunk (itself, or its document's id and index), held against a question."""
        if (text is None) == (chunk is None):
            raise ValueError("Give either a text or a chunk.")
        if text is not None:
            return self.services.passages.text(question, text, method, threshold)
        if not isinstance(chunk, Chunk):
            document = readable_document(self.services.catalog, chunk[0], visible_collections())
            chunk = known_chunk(self.services.catalog, document, chunk[1])
        return self.services.passages.chunk(question, chunk, method, threshold)

    def rectangles(self, document_id: str, start: int, end: int) -> list[Rectangle]:
        """Where `[start, end)` of a document's text stands on its pages."""
        document = readable_document(self.services.catalog, document_id, visible_collections())
        checked_span(self.services.catalog, document, start, end)
        return self.services.paper.rectangles(document, start, end)

    def search(
        self,
        question: str,
        limit: int = LIMIT,
        *,
        where: Mapping[str, Any] | None = None,
        min_score: float = MIN_SCORE,
    ) -> tuple[Hit, ...]:
        """The chunks that answer best, each with its best sentences; `where` filters by metadata or collection.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     for hit in h.search("Who pays for delay?", where={"collection": "default"}):
        ...         print(round(hit.score, 2), hit.document.name, hit.sentences[0].sentence.text)
        """
        return self.services.search.find(question, limit, visible_collections(), where, min_score).hits

    def locate(
        self, quote: str, document_id: str = "", *, page: int = 0, prefix: str = "", suffix: str = ""
    ) -> Located:
        """Where a quote stands, in one document or in all, and how surely: its `tier` is "none" when it does not.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     found = h.locate("The Contractor shall give an early warning by notifing the Project Manager")
        ...     print(found.tier, found.place and (found.place.document.name, found.place.page))
        """
        visible = visible_collections()
        document = readable_document(self.services.catalog, document_id, visible) if document_id else None
        return self.services.locator.locate(quote, document, visible, page, prefix, suffix)

    def ask(self, question: str, *, sources: Sequence[Given | str] | None = None, **how: Any) -> Answer:
        """An answer whose every claim can be opened; `how` is what `generation.ask.Ask` has: mode, format, filters ...

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     answer = h.ask("Who pays for delay?", citation_style="footnote")
        ...     print(answer.text, [(c.filename, c.page, c.quote) for c in answer.citations])
        """
        given = sources and tuple(Given(one) if isinstance(one, str) else one for one in sources)
        return self.services.answering.answer(Ask(question, sources=given, **how), visible_collections())

    def check(self, answer: str, sources: Sequence[Source | str], *, judge: OuterJudge | None = None) -> Checked:
        """Any system's answer held against what it stands on: texts, or documents and chunks that are kept here.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     checked = h.check("Payment is due within 14 days.", ["Payment is due within 28 days of the invoice."])
        ...     print(checked.claims[0].verdict, checked.claims[0].why)
        """
        given = [Source("", text=one) if isinstance(one, str) else one for one in sources]
        told = with_text(given, self.services.catalog, visible_collections())
        return self.services.checker.check(answer, told, judge=judge)

    def resolve(self, text: str, sources: Sequence[Source | str] | None = None) -> Referred:
        """Which documents and pages the references of a text mean, among these sources (or their file names), or else
        among all documents: `citations`, whose `source` is an index into `sources`, and `unresolved`; never a guess.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     found = h.resolve("It is due at once [1] [NEC3 ACC, p.3].", ["NEC4 ACC.pdf"])
        ...     print([one.label for one in found.citations], [one.why for one in found.unresolved])
        """
        given = None if sources is None else [Source(one) if isinstance(one, str) else one for one in sources]
        return self.services.references.resolve(text, visible_collections(), given)

    def answer(self, answer_id: str) -> Answer:
        """An answer that was given before, as it was, less the words that went with a document deleted since."""
        return self.services.keeping.open(answer_id, visible_collections()).answer

    def pack(self, answer_id: str) -> bytes:
        """An answer with all that proves it, as a zip: HTML, Markdown, Word, highlighted PDFs, annotations, a manifest.

        >>> with Highlighter("data") as h:                                        # doctest: +SKIP
        ...     Path("delay.zip").write_bytes(h.pack(h.ask("Who pays for delay?").id))
        """
        out = io.BytesIO()
        self.services.packing.write(answer_id, visible_collections(), out)
        return out.getvalue()

    def close(self) -> None:
        self.services.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
