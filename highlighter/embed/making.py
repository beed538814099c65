"""From what a host asks a link for to a grant: which document and part it opens at, and what is lit there."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace

from highlighter.access import Visible
from highlighter.embed.grant import CHUNK, COLLECTION, DOCUMENT, OPENED, Grant
from highlighter.errors import BadRequest, NotFound
from highlighter.models import Chunk, Document
from highlighter.services import Services
from highlighter.store import parts
from highlighter.store.known import checked_page, checked_span, known_chunk, readable_document

SURE = ("exact", "normalised")  # of a quote found like this the span says all there is to say


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a link is to open. Of several ways to say where, the narrowest counts."""

    document_id: str = ""
    collection: str = ""
    chunk_index: int | None = None
    page: int = 0
    question: str = ""
    quote: str = ""
    span: tuple[int, int] | None = None
    scope: str = ""
    may: tuple[str, ...] = OPENED
    origins: tuple[str, ...] = ()
    seconds: int = 600


@dataclass(frozen=True, slots=True)
class Opening:
    """A grant, with what its holder may be told of it."""

    grant: Grant
    document: Document | None
    tier: str = ""  # of the quote


def opening(wanted: Wanted, services: Services, visible: Visible) -> Opening:
    """Raises for what is not there, or not to be seen; and for a quote that no passage says."""
    origins = _origins(wanted.origins, services.settings.embed_origins)
    usual = {"may": wanted.may, "origins": origins, "expires": int(time.time()) + wanted.seconds}
    if wanted.collection and not wanted.document_id:
        return _of_collection(wanted, services, visible, usual)
    document = readable_document(services.catalog, wanted.document_id, visible) if wanted.document_id else None
    if document and wanted.page and not (wanted.quote or wanted.span or wanted.chunk_index is not None):
        checked_page(document, wanted.page)
    question, span, quote, tier = wanted.question, wanted.span, "", ""
    if wanted.quote:
        found = services.locator.locate(wanted.quote, document, visible, wanted.page)
        if found.place is None:
            raise NotFound(f"No passage says this quote surely enough to be lit. {found.why}")
        document, span, tier = found.place.document, (found.place.start, found.place.end), found.tier
        if tier not in SURE:
            question, quote = "", wanted.quote  # it is held against the passage, for the reader to see
    elif question and document and wanted.chunk_index is None and not span:
        span = _said(services, document, question, wanted.page)
    if document is None:
        raise BadRequest("Say what the link is to open: a document_id, a collection, or a quote.")
    if wanted.span:
        checked_span(services.catalog, document, *wanted.span)
    chunk = _chunk(services, document, replace(wanted, span=span))
    page = wanted.page if wanted.page <= document.pages else 0
    grant = Grant(
        wanted.scope or DOCUMENT, document.collection, document.id, chunk.index, chunk.pipeline, chunk.start, page,
        question, span, quote, **usual,
    )  # fmt: skip
    if grant.scope == CHUNK and span and not chunk.start <= span[0] < chunk.end:
        raise BadRequest("The span does not begin in that chunk: leave the chunk out, or the scope.")
    return Opening(grant, document, tier)


def _of_collection(wanted: Wanted, services: Services, visible: Visible, usual: dict) -> Opening:
    """Opens at what answers the question best; without one, at a list of its documents."""
    if wanted.scope not in ("", COLLECTION):
        raise BadRequest(f"A link to a {wanted.scope} needs a document_id.")
    within = visible.only(wanted.collection)
    if wanted.collection not in within or not services.catalog.documents(within):
        raise NotFound(f"There is no collection called {wanted.collection}.")
    whole = Grant(COLLECTION, wanted.collection, question=wanted.question, **usual)
    if wanted.quote:
        found = opening(replace(wanted, collection="", scope=COLLECTION), services, within)
        return replace(found, grant=replace(found.grant, scope=COLLECTION))
    if wanted.question:
        services.embedder.wait(services.settings.warm_up_seconds)
        hits = services.search.find(wanted.question, 1, within).hits
        if hits:
            chunk = hits[0].chunk
            at = {"document": chunk.document_id, "chunk": chunk.index, "pipeline": chunk.pipeline, "begin": chunk.start}
            return Opening(replace(whole, **at), hits[0].document)
    return Opening(whole, None)


def _said(services: Services, document: Document, claim: str, page: int) -> tuple[int, int] | None:
    """Where a claim is the document's own words: lit whatever the evidence is, on another page than the one cited, too."""
    words = re.sub(r"^\W+|\W+$", "", claim)  # an emoji is in no document, and stops at the ends say nothing
    found = services.locator.locate(words or claim, document, page=page)
    return (found.place.start, found.place.end) if found.place and found.tier in SURE else None


def _chunk(services: Services, document: Document, wanted: Wanted) -> Chunk:
    catalog = services.catalog
    if wanted.chunk_index is not None:
        return known_chunk(catalog, document, wanted.chunk_index)
    if wanted.span:
        found = catalog.chunk_at(document, wanted.span[0])
    elif wanted.question:
        services.embedder.wait(services.settings.warm_up_seconds)
        found = _answering(services, document, wanted)
    elif wanted.page:
        found = catalog.chunk(document, parts.holding_page(catalog.engine, document, wanted.page))
    else:
        found = None
    return found or known_chunk(catalog, document, 0)


def _answering(services: Services, document: Document, wanted: Wanted) -> Chunk | None:
    """The part that answers best; of those on a page, where one is cited and any of them has something of it."""
    ranked = services.search.best_chunks(wanted.question, document, document.chunks if wanted.page else 1)
    on_page = (chunk for chunk in ranked if chunk.first_page <= wanted.page <= chunk.last_page)
    return next(on_page, ranked[0] if ranked else None)


def _origins(wanted: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Those that the installation allows, where it names any; all of them for a link that names none."""
    refused = [origin for origin in wanted if allowed and origin not in allowed]
    if refused:
        raise BadRequest(f"{refused[0]} may not show the viewer: EMBED_ORIGINS names who may.")
    return wanted or allowed
