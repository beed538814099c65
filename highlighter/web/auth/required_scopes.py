"""What each route asks of a key: the one table. Whatever is not in it and writes, needs everything."""

from __future__ import annotations

from highlighter.access import ADMIN, ANSWER, INGEST, READ

# Those that anybody may have: they tell nothing of any document.
PUBLIC_ENDPOINTS = frozenset({"static", "assets.file", "health", "ready"})
# An embedded view is let in by its signed link, which says itself what may be seen.
SIGNED_LINK_BLUEPRINTS = frozenset({"embed"})

REQUIRED_SCOPES = {
    "ask_pages.answer": ANSWER,
    "answers_api.answer": ANSWER,
    "ask_pages.add_samples": INGEST,
    "library.upload": INGEST,
    "library.retry": INGEST,
    "documents_api.upload": INGEST,
    "documents_api.document_retry": INGEST,
    "library.confirm_deletion": ADMIN,
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
    "feedback_api.create_feedback": READ,
    "feedback_api.delete_feedback": READ,
    "feedback_pages.submit_feedback": READ,
    "feedback_pages.undo": READ,
}


def get_required_scope(endpoint: str | None, method: str) -> str | None:
    """The scope that is needed; None where no key is. An address that leads nowhere needs a key as any page does."""
    if endpoint in PUBLIC_ENDPOINTS or (endpoint or "").partition(".")[0] in SIGNED_LINK_BLUEPRINTS:
        return None
    if endpoint is None or method in ("GET", "HEAD", "OPTIONS"):
        return REQUIRED_SCOPES.get(endpoint or "", READ)
    return REQUIRED_SCOPES.get(endpoint, ADMIN)
