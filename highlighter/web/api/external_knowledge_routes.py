"""The route of Dify's External Knowledge API: a search, whose records lead to the sentence that answers."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from highlighter.access import DEFAULT_COLLECTION, get_visible_collections
from highlighter.errors import NotFound
from highlighter.schemas.external_knowledge import Record, RetrievalRequest, RetrievalResponse
from highlighter.schemas.search import HitOut
from highlighter.search import MAX_HITS, MIN_SCORE
from highlighter.serializers.search import serialize_search_results
from highlighter.store.listing import list_collections
from highlighter.web.api.metadata_conditions import build_filters
from highlighter.web.api_paths import EXTERNAL_KNOWLEDGE_PATH
from highlighter.web.application import current_services
from highlighter.web.json_bodies import read_body
from highlighter.web.request_context import build_absolute_links

external_knowledge_api = Blueprint("external_knowledge_api", __name__)

EVERY_COLLECTION = "all"


@external_knowledge_api.post(EXTERNAL_KNOWLEDGE_PATH)
def retrieve() -> Response:
    """Return the chunks that answer a query best, in Dify's shape, with the link that opens the sentence."""
    body = read_body(RetrievalRequest)
    services, visible, setting = current_services(), get_visible_collections(), body.retrieval_setting
    filters = build_filters(body.metadata_condition)
    scope = visible if (name := _find_collection(body.knowledge_id)) is None else visible.restrict_to(name)
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    min_score = MIN_SCORE if setting.score_threshold is None else setting.score_threshold
    results = services.search.find(body.query, min(setting.top_k, MAX_HITS), scope, filters, min_score)
    links, load_confidences = build_absolute_links(), services.catalog.word_confidences
    hits = serialize_search_results(body.query, results, links, load_confidences).hits
    return jsonify(RetrievalResponse(records=[_build_record(hit) for hit in hits]).model_dump())


def _find_collection(knowledge_id: str) -> str | None:
    """Return the collection that an id names, None for every one; raise NotFound where the key may see none of that name."""
    if knowledge_id in list_collections(current_services().catalog.engine, get_visible_collections()):
        return knowledge_id
    if knowledge_id in (EVERY_COLLECTION, DEFAULT_COLLECTION):
        return None
    raise NotFound(
        f'There is no collection "{knowledge_id}" that this key may read. '
        f'Set the External Knowledge ID to the name of a collection, or to "{EVERY_COLLECTION}".'
    )


def _build_record(hit: HitOut) -> Record:
    best = hit.sentences[0]
    page = best.page or hit.pages[0]
    metadata: dict[str, Any] = {
        "link": hit.links["self"], "document_id": hit.document_id, "document_name": hit.name, "page": page,
        "sentence": best.text, "highlighted": best.highlighted, "chunk_index": hit.chunk_index, "section": hit.section,
        "collection": hit.collection, "kind": hit.kind, "doc_url": hit.doc_url or "",
    }  # fmt: skip
    return Record(content=hit.text, score=hit.score, title=f"{hit.name}, page {page}", metadata=metadata)
