"""The scope that each endpoint requires. An endpoint that is not listed requires READ to read, and ADMIN to write."""

from __future__ import annotations

from highlighter.access import ADMIN, ANSWER, INGEST, READ

# Endpoints without a key: they disclose nothing about any document.
PUBLIC_ENDPOINTS = frozenset({"static", "assets.file", "health", "ready"})
# Endpoints that a signed link authorizes; the link itself says what it opens.
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
    # These are POST requests because their parameters are long; they change nothing.
    "api.highlight": READ,
    "api.search": READ,
    "checks_api.check": READ,
    "citations_api.resolve": READ,
    "quotes_api.locate": READ,
    "embed_api.links": READ,
    # Readers arrange their own history; the answers in the audit stay as they are.
    "history_pages.pin": READ,
    "history_pages.hide": READ,
    # Feedback is open to everybody who may read.
    "feedback_api.create_feedback": READ,
    "feedback_api.delete_feedback": READ,
    "feedback_pages.submit_feedback": READ,
    "feedback_pages.undo": READ,
}


def get_required_scope(endpoint: str | None, method: str) -> str | None:
    """Return the scope that a request requires; None where no key is required. An unknown URL requires READ."""
    if endpoint in PUBLIC_ENDPOINTS or (endpoint or "").partition(".")[0] in SIGNED_LINK_BLUEPRINTS:
        return None
    if endpoint is None or method in ("GET", "HEAD", "OPTIONS"):
        return REQUIRED_SCOPES.get(endpoint or "", READ)
    return REQUIRED_SCOPES.get(endpoint, ADMIN)
