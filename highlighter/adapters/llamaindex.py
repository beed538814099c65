"""LlamaIndex: a node post-processor that lights the sentences of nodes, whatever index they come from, and links them."""

from __future__ import annotations

from typing import Any

from pydantic import Field, field_validator

from highlighter.adapters import require_package
from highlighter.adapters.library import Library, convert_to_library, make_links_absolute
from highlighter.errors import HighlighterError, NotFound
from highlighter.schemas.quotes import QuoteMatchOut
from highlighter.schemas.search import SentenceOut

with require_package("llama-index-core", "llama_index"):
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore, QueryBundle

HIGHLIGHTED_KEY, LINKS_KEY = "lit", "links"


class HighlighterPostprocessor(BaseNodePostprocessor):
    """Puts `lit` (sentences, best first, with their places in the node's text) and `links` into each node's metadata.

    Links there are where the best of these sentences stands in the library, word for word or nearly so; the node's
    document is looked in first where its metadata says `document_id`. Neither is shown to a model or embedded.

    >>> HighlighterPostprocessor(library=Client("http://127.0.0.1:8000"), drop=True)          # doctest: +SKIP
    """

    library: Any = Field(exclude=True)
    drop: bool = Field(False, description="leave out nodes without evidence")

    @field_validator("library")
    @classmethod
    def _convert_library(cls, given: Any) -> Library:
        return convert_to_library(given)

    @classmethod
    def class_name(cls) -> str:
        return "HighlighterPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if query_bundle is None or not query_bundle.query_str.strip():
            raise ValueError("A question is required: give query_str or query_bundle.")
        for one in nodes:
            self._add_highlights(one.node, query_bundle.query_str)
        return [one for one in nodes if one.node.metadata[HIGHLIGHTED_KEY] or not self.drop]

    def _add_highlights(self, node: BaseNode, question: str) -> None:
        text = node.get_content(MetadataMode.NONE)
        lit = _select_highlighted(self.library.highlight(question, text).sentences) if text.strip() else []
        node.metadata[HIGHLIGHTED_KEY] = [
            {"text": one.text, "start": one.start, "end": one.end, "score": round(one.score, 4)} for one in lit
        ]
        node.metadata[LINKS_KEY] = (
            self._find_links(lit[0].text, str(node.metadata.get("document_id") or "")) if lit else {}
        )
        for hidden in (node.excluded_llm_metadata_keys, node.excluded_embed_metadata_keys):
            hidden.extend(key for key in (HIGHLIGHTED_KEY, LINKS_KEY) if key not in hidden)

    def _find_links(self, sentence: str, document_id: str) -> dict[str, str]:
        place = self._locate_sentence(sentence, document_id) or (document_id and self._locate_sentence(sentence, ""))
        return make_links_absolute(place.links, self.library) if place else {}

    def _locate_sentence(self, sentence: str, document_id: str) -> QuoteMatchOut | None:
        """Nodes of another index may bear ids of its own, which mean nothing here."""
        try:
            return self.library.locate(sentence, document_id).place
        except HighlighterError as err:
            if err.status != NotFound.status:
                raise
            return None


def _select_highlighted(sentences: list[SentenceOut]) -> list[SentenceOut]:
    return sorted((one for one in sentences if one.highlighted), key=lambda one: -one.score)
