"""What each route asks of a key: the one table. Whatever is not in it and writes, needs everything."""

from __future__ import annotations

from highlighter.access import ADMIN, ANSWER, INGEST, READ

# Those that anybody may have: they tell nothing of any document.
FREE = frozenset({"static", "assets.file", "health", "ready"})
# An embedded view is let in by its signed link, which says itself what may be seen.
FREE_BLUEPRINTS = frozenset({"embed"})

NEEDS = {
    "asking.answer": ANSWER,
    "answers_api.answer": ANSWER,
    "asking.take_samples_in": INGEST,
    "library.upload": INGEST,
    "library.retry": INGEST,
    "documents_api.upload": INGEST,
    "documents_api.document_retry": INGEST,
    "library.ask_before_deleting": ADMIN,
    "library.delete": ADMIN,
    "library.restore": ADMIN,
    "documents_api.document_delete": ADMIN,
    # These are sent as a POST, since what they ask is long; they change nothing.
    "api.highlight": READ,
    "api.search": READ,
    "checks_api.check": READ,
    "citations_api.resolve": READ,
    "quotes_api.locate": READ,
    "embed_api.links": READ,
    # What a reader says of what they read, by whoever may read it.
    "feedback_api.say": READ,
    "feedback_api.undo": READ,
    "saying.say": READ,
    "saying.undo": READ,
}


def need(endpoint: str | None, method: str) -> str | None:
    """The scope that is needed; None where no key is. An address that leads nowhere needs a key as any page does."""
    if endpoint in FREE or (endpoint or "").partition(".")[0] in FREE_BLUEPRINTS:
        return None
    if endpoint is None or method in ("GET", "HEAD", "OPTIONS"):
        return NEEDS.get(endpoint or "", READ)
    return NEEDS.get(endpoint, ADMIN)
