"""The adapter for LlamaIndex: a node post-processor that adds highlighted sentences and links to nodes of any index."""

from __future__ import annotations

from typing import Any

from pydantic import Field, field_validator

from highlighter.adapters import require_package
from highlighter.adapters.highlights import SentenceHighlighter
from highlighter.adapters.library import Library, convert_to_library

with require_package("llama-index-core", "llama_index"):
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore, QueryBundle

HIGHLIGHTED_KEY, LINKS_KEY = "lit", "links"


class HighlighterPostprocessor(BaseNodePostprocessor):
    """A post-processor that adds `lit` and `links` to each node's metadata; neither is shown to a model or embedded.

    `lit` holds the highlighted sentences with their offsets in the node's text, best first. `links` lead to the best of these
    sentences in the library, if a document says it word for word or nearly so. The document that the metadata names in
    `document_id` is searched first.

    >>> HighlighterPostprocessor(library=Client("http://127.0.0.1:8000"), drop=True)          # doctest: +SKIP
    """

    library: Any = Field(exclude=True)
    drop: bool = Field(False, description="leave out nodes without evidence")

    @field_validator("library")
    @classmethod
    def _convert_library(cls, library: Any) -> Library:
        return convert_to_library(library)

    @classmethod
    def class_name(cls) -> str:
        return "HighlighterPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if query_bundle is None or not query_bundle.query_str.strip():
            raise ValueError("A question is required: give query_str or query_bundle.")
        for scored in nodes:
            self._add_highlights(scored.node, query_bundle.query_str)
        return [scored for scored in nodes if scored.node.metadata[HIGHLIGHTED_KEY] or not self.drop]

    def _add_highlights(self, node: BaseNode, question: str) -> None:
        text = node.get_content(MetadataMode.NONE)
        document_id = str(node.metadata.get("document_id") or "")
        sentences, links = SentenceHighlighter(self.library).highlight(question, text, document_id)
        node.metadata[HIGHLIGHTED_KEY], node.metadata[LINKS_KEY] = sentences, links
        for excluded_keys in (node.excluded_llm_metadata_keys, node.excluded_embed_metadata_keys):
            excluded_keys.extend(key for key in (HIGHLIGHTED_KEY, LINKS_KEY) if key not in excluded_keys)
