"""What adapters add to the documents of other frameworks: the highlighted sentences, and links to them."""

from __future__ import annotations

from typing import Any

from highlighter.adapters.library import Library, make_links_absolute
from highlighter.errors import HighlighterError, NotFound
from highlighter.schemas.quotes import QuoteMatchOut
from highlighter.schemas.search import HitOut, SentenceOut


class SentenceHighlighter:
    """Finds the sentences of a text that answer a question, and where the library says the best of them."""

    def __init__(self, library: Library):
        self.library = library

    def highlight(self, question: str, text: str, document_id: str = "") -> tuple[list[dict[str, Any]], dict[str, str]]:
        """Return the highlighted sentences with offsets in the text, best first, and links to the best of them.

        The document with this id is searched first.
        """
        found = self.library.highlight(question, text).sentences if text.strip() else []
        highlighted = sorted((sentence for sentence in found if sentence.highlighted), key=lambda one: -one.score)
        links = self._find_links(highlighted[0].text, document_id) if highlighted else {}
        return [_describe_given_sentence(sentence) for sentence in highlighted], links

    def _find_links(self, sentence: str, document_id: str) -> dict[str, str]:
        match = self._locate_sentence(sentence, document_id)
        if match is None and document_id:
            match = self._locate_sentence(sentence, "")
        return make_links_absolute(match.links, self.library) if match else {}

    def _locate_sentence(self, sentence: str, document_id: str) -> QuoteMatchOut | None:
        """Return the match of a sentence; None also for an unknown `document_id`, which may be an id of another index."""
        try:
            return self.library.locate(sentence, document_id).place
        except HighlighterError as err:
            if err.status != NotFound.status:
                raise
            return None


def describe_hit(hit: HitOut, library: Library) -> dict[str, Any]:
    """Return the metadata of a search hit."""
    highlighted = [sentence for sentence in hit.sentences if sentence.highlighted]
    return {
        "source": hit.name, "document_id": hit.document_id, "chunk_index": hit.chunk_index,
        "page": hit.sentences[0].page or hit.pages[0], "pages": hit.pages, "section": hit.section,
        "collection": hit.collection, "score": hit.score, "start": hit.start,
        "lit": [_describe_sentence(sentence) for sentence in highlighted],
        "links": make_links_absolute(hit.links, library),
    }  # fmt: skip


def _describe_sentence(sentence: SentenceOut) -> dict[str, Any]:
    return {"text": sentence.text, "page": sentence.page, "start": sentence.start, "end": sentence.end}


def _describe_given_sentence(sentence: SentenceOut) -> dict[str, Any]:
    return {
        "text": sentence.text,
        "start": sentence.start,
        "end": sentence.end,
        "score": round(sentence.score, 4),
    }
