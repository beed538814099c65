"""From what a host asks a link for to a grant: which document and part it opens at, and what is lit there."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest, NotFound
from highlighter.models import Chunk, Document
from highlighter.services import Services
from highlighter.signed_links import CHUNK_SCOPE, COLLECTION_SCOPE, DOCUMENT_SCOPE, LINK_PERMISSIONS, Grant
from highlighter.store import lookup
from highlighter.store.lookup import require_chunk, require_page, require_readable_document, require_span

VERBATIM_TIERS = ("exact", "normalised")  # of a quote found like this the span says all there is to say


@dataclass(frozen=True, slots=True)
class SignedLinkOptions:
    """What a link is to open. Of several ways to say where, the narrowest counts."""

    document_id: str = ""
    collection: str = ""
    chunk_index: int | None = None
    page: int = 0
    question: str = ""
    quote: str = ""
    span: tuple[int, int] | None = None
    scope: str = ""
    may: tuple[str, ...] = LINK_PERMISSIONS
    origins: tuple[str, ...] = ()
    lifetime_seconds: int = 600


@dataclass(frozen=True, slots=True)
class IssuedGrant:
    """A grant, with what its holder may be told of it."""

    grant: Grant
    document: Document | None
    tier: str = ""  # of the quote


def issue_grant(options: SignedLinkOptions, services: Services, visible: VisibleCollections) -> IssuedGrant:
    """Raises for what is not there, or not to be seen; and for a quote that no passage says."""
    origins = _check_origins(options.origins, services.settings.embed_origins)
    usual = {"may": options.may, "origins": origins, "expires": int(time.time()) + options.lifetime_seconds}
    if options.collection and not options.document_id:
        return _issue_collection_grant(options, services, visible, usual)
    document = (
        require_readable_document(services.catalog, options.document_id, visible) if options.document_id else None
    )
    if document and options.page and not (options.quote or options.span or options.chunk_index is not None):
        require_page(document, options.page)
    question, span, quote, tier = options.question, options.span, "", ""
    if options.quote:
        found = services.quote_locator.locate(options.quote, document, visible, options.page)
        if found.place is None:
            raise NotFound(f"No passage matches this quote closely enough to be highlighted. {found.why}")
        document, span, tier = found.place.document, (found.place.start, found.place.end), found.tier
        if tier not in VERBATIM_TIERS:
            question, quote = "", options.quote  # it is held against the passage, for the reader to see
    elif question and document and options.chunk_index is None and not span:
        span = _find_verbatim_claim(services, document, question, options.page)
    if document is None:
        raise BadRequest("Give what the link opens: a document_id, a collection or a quote.")
    if options.span:
        require_span(services.catalog, document, *options.span)
    chunk = _choose_chunk(services, document, replace(options, span=span))
    page = options.page if options.page <= document.pages else 0
    grant = Grant(
        options.scope or DOCUMENT_SCOPE, document.collection, document.id, chunk.index, chunk.pipeline, chunk.start, page,
        question, span, quote, **usual,
    )  # fmt: skip
    if grant.scope == CHUNK_SCOPE and span and not chunk.start <= span[0] < chunk.end:
        raise BadRequest("The span does not begin in that chunk: leave the chunk out, or the scope.")
    return IssuedGrant(grant, document, tier)


def _issue_collection_grant(
    options: SignedLinkOptions, services: Services, visible: VisibleCollections, grant_fields: dict
) -> IssuedGrant:
    """Opens at what answers the question best; without one, at a list of its documents."""
    if options.scope not in ("", COLLECTION_SCOPE):
        raise BadRequest(f"A link to a {options.scope} needs a document_id.")
    within = visible.restrict_to(options.collection)
    if options.collection not in within or not services.catalog.documents(within):
        raise NotFound(f"No collection is called {options.collection}.")
    whole = Grant(COLLECTION_SCOPE, options.collection, question=options.question, **grant_fields)
    if options.quote:
        found = issue_grant(replace(options, collection="", scope=COLLECTION_SCOPE), services, within)
        return replace(found, grant=replace(found.grant, scope=COLLECTION_SCOPE))
    if options.question:
        services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
        hits = services.search.find(options.question, 1, within).hits
        if hits:
            chunk = hits[0].chunk
            at = {"document": chunk.document_id, "chunk": chunk.index, "pipeline": chunk.pipeline, "begin": chunk.start}
            return IssuedGrant(replace(whole, **at), hits[0].document)
    return IssuedGrant(whole, None)


def _find_verbatim_claim(services: Services, document: Document, claim: str, page: int) -> tuple[int, int] | None:
    """Where a claim is the document's own words: lit whatever the evidence is, on another page than the one cited, too."""
    words = re.sub(r"^\W+|\W+$", "", claim)  # an emoji is in no document, and stops at the ends say nothing
    found = services.quote_locator.locate(words or claim, document, page=page)
    return (found.place.start, found.place.end) if found.place and found.tier in VERBATIM_TIERS else None


def _choose_chunk(services: Services, document: Document, options: SignedLinkOptions) -> Chunk:
    catalog = services.catalog
    if options.chunk_index is not None:
        return require_chunk(catalog, document, options.chunk_index)
    if options.span:
        found = catalog.chunk_at(document, options.span[0])
    elif options.question:
        services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
        found = _find_best_chunk(services, document, options)
    elif options.page:
        found = catalog.chunk(document, lookup.find_chunk_of_page(catalog.engine, document, options.page))
    else:
        found = None
    return found or require_chunk(catalog, document, 0)


def _find_best_chunk(services: Services, document: Document, options: SignedLinkOptions) -> Chunk | None:
    """The part that answers best; of those on a page, where one is cited and any of them has something of it."""
    ranked = services.search.find_best_chunks(options.question, document, document.chunks if options.page else 1)
    on_page = (chunk for chunk in ranked if chunk.first_page <= options.page <= chunk.last_page)
    return next(on_page, ranked[0] if ranked else None)


def _check_origins(wanted: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Those that the installation allows, where it names any; all of them for a link that names none."""
    refused = [origin for origin in wanted if allowed and origin not in allowed]
    if refused:
        raise BadRequest(f"{refused[0]} is not allowed to show the viewer: EMBED_ORIGINS lists the allowed origins.")
    return wanted or allowed
