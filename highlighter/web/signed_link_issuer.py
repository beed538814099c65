"""The grants of signed links: the document and chunk that a link opens at, and what is highlighted there."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest, NotFound
from highlighter.models import Chunk, Document
from highlighter.quotes.match import EXACT, NORMALISED
from highlighter.services import Services
from highlighter.signed_links import CHUNK_SCOPE, COLLECTION_SCOPE, DOCUMENT_SCOPE, LINK_PERMISSIONS, Grant
from highlighter.store import lookup
from highlighter.store.lookup import require_chunk, require_page, require_readable_document, require_span

VERBATIM_TIERS = (EXACT, NORMALISED)  # the span alone is enough for a link to such a quote
# Of a longer quote, a link holds the beginning: all claims of a token must fit into a URL.
MAX_LINK_QUOTE_CHARACTERS, MAX_LINK_QUOTE_BYTES = 1_000, 1_200


@dataclass(frozen=True, slots=True)
class SignedLinkOptions:
    """What a signed link is to open. Of several targets, the narrowest counts."""

    document_id: str = ""
    collection: str = ""
    chunk_index: int | None = None
    page: int = 0
    question: str = ""
    quote: str = ""
    span: tuple[int, int] | None = None
    scope: str = ""
    permissions: tuple[str, ...] = LINK_PERMISSIONS
    origins: tuple[str, ...] = ()
    lifetime_seconds: int = 600


@dataclass(frozen=True, slots=True)
class IssuedGrant:
    """A grant, with the document that it opens at and the tier of its quote."""

    grant: Grant
    document: Document | None
    tier: str = ""


@dataclass(frozen=True, slots=True)
class _Target:
    """The document and span that a signed link opens at, and the question it shows."""

    document: Document | None
    question: str
    span: tuple[int, int] | None
    quote: str = ""  # compared with the passage, where the passage does not say it word for word
    tier: str = ""


def issue_grant(options: SignedLinkOptions, services: Services, visible: VisibleCollections) -> IssuedGrant:
    """Return the grant that the options ask for.

    Raises NotFound for a document or collection that is not visible and for a quote that no passage says, and BadRequest
    for options that do not fit together.
    """
    origins = _check_origins(options.origins, services.settings.embed_origins)
    expires = int(time.time()) + options.lifetime_seconds
    if options.collection and not options.document_id:
        return _issue_collection_grant(replace(options, origins=origins), services, visible, expires)
    target = _find_target(options, services, visible)
    document, span = target.document, target.span
    if document is None:
        raise BadRequest("Give what the link opens: a document_id, a collection or a quote.")
    if options.span:
        require_span(services.catalog, document, *options.span)
    chunk = _choose_chunk(services, document, replace(options, span=span))
    grant = Grant(
        options.scope or DOCUMENT_SCOPE,
        document.collection,
        document.id,
        chunk.index,
        chunk.pipeline,
        chunk.start,
        page=options.page if options.page <= document.pages else 0,
        question=target.question,
        span=span,
        quote=target.quote,
        permissions=options.permissions,
        origins=origins,
        expires=expires,
    )
    if grant.scope == CHUNK_SCOPE and span and not chunk.start <= span[0] < chunk.end:
        raise BadRequest("The span does not begin in that chunk: leave the chunk out, or the scope.")
    return IssuedGrant(grant, document, target.tier)


def _find_target(options: SignedLinkOptions, services: Services, visible: VisibleCollections) -> _Target:
    question, document = options.question, None
    if options.document_id:
        document = require_readable_document(services.catalog, options.document_id, visible)
    if document and options.page and not (options.quote or options.span or options.chunk_index is not None):
        require_page(document, options.page)
    if options.quote:
        return _locate_quote(options, services, document, visible)
    if question and document and options.chunk_index is None and not options.span:
        return _Target(document, question, _find_verbatim_claim(services, document, question, options.page))
    return _Target(document, question, options.span)


def _locate_quote(
    options: SignedLinkOptions, services: Services, document: Document | None, visible: VisibleCollections
) -> _Target:
    location = services.quote_locator.locate(options.quote, document, visible, options.page)
    match = location.place
    if match is None:
        raise NotFound(f"The quote was not found. {location.why}")
    span = match.start, match.end
    if location.tier in VERBATIM_TIERS:
        return _Target(match.document, options.question, span, tier=location.tier)
    return _Target(match.document, "", span, _shorten_quote(options.quote), location.tier)


def _shorten_quote(quote: str) -> str:
    """Return the beginning of a long quote, up to a space where there is one."""
    beginning = quote[:MAX_LINK_QUOTE_CHARACTERS].encode()[:MAX_LINK_QUOTE_BYTES].decode(errors="ignore")
    return beginning if beginning == quote else beginning.rpartition(" ")[0] or beginning


def _issue_collection_grant(
    options: SignedLinkOptions, services: Services, visible: VisibleCollections, expires: int
) -> IssuedGrant:
    """Return a grant that opens at the best answer to the question, or without one at a list of documents."""
    if options.scope not in ("", COLLECTION_SCOPE):
        raise BadRequest(f"A link to a {options.scope} needs a document_id.")
    within = visible.restrict_to(options.collection)
    if options.collection not in within or not services.catalog.documents(within):
        raise NotFound(f"No collection is called {options.collection}.")
    if options.quote:
        issued = issue_grant(replace(options, collection="", scope=COLLECTION_SCOPE), services, within)
        return replace(issued, grant=replace(issued.grant, scope=COLLECTION_SCOPE))
    grant = Grant(
        COLLECTION_SCOPE,
        options.collection,
        question=options.question,
        permissions=options.permissions,
        origins=options.origins,
        expires=expires,
    )
    if options.question:
        services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
        hits = services.search.find(options.question, 1, within).hits
        if hits:
            chunk = hits[0].chunk
            grant = replace(
                grant,
                document_id=chunk.document_id,
                chunk_index=chunk.index,
                pipeline=chunk.pipeline,
                chunk_start=chunk.start,
            )
            return IssuedGrant(grant, hits[0].document)
    return IssuedGrant(grant, None)


def _find_verbatim_claim(services: Services, document: Document, claim: str, page: int) -> tuple[int, int] | None:
    """Return the span that says a claim word for word, if any; it may be on another page than the cited one.

    The span is highlighted whatever its score as evidence is.
    """
    words = re.sub(r"^\W+|\W+$", "", claim)  # without emoji and stops at the ends, which the document may not have
    location = services.quote_locator.locate(words or claim, document, page=page)
    match = location.place
    return (match.start, match.end) if match and location.tier in VERBATIM_TIERS else None


def _choose_chunk(services: Services, document: Document, options: SignedLinkOptions) -> Chunk:
    catalog = services.catalog
    if options.chunk_index is not None:
        return require_chunk(catalog, document, options.chunk_index)
    if options.span:
        chunk = catalog.chunk_at(document, options.span[0])
    elif options.question:
        services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
        chunk = _find_best_chunk(services, document, options)
    elif options.page:
        chunk = catalog.chunk(document, lookup.find_chunk_of_page(catalog.engine, document, options.page))
    else:
        chunk = None
    return chunk or require_chunk(catalog, document, 0)


def _find_best_chunk(services: Services, document: Document, options: SignedLinkOptions) -> Chunk | None:
    """Return the chunk that answers best; where a page is cited, the best one on that page if there is any."""
    ranked = services.search.find_best_chunks(options.question, document, document.chunks if options.page else 1)
    on_page = (chunk for chunk in ranked if chunk.first_page <= options.page <= chunk.last_page)
    return next(on_page, ranked[0] if ranked else None)


def _check_origins(requested: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the origins that may frame the link: the requested ones, or by default those that the settings allow."""
    refused = [origin for origin in requested if allowed and origin not in allowed]
    if refused:
        raise BadRequest(f"{refused[0]} is not allowed to show the viewer: EMBED_ORIGINS lists the allowed origins.")
    return requested or allowed
