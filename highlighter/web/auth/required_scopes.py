"""The scope that each endpoint requires. An endpoint that is not listed requires READ to read, and ADMIN to write."""

from __future__ import annotations

from highlighter.access import ADMIN, ANSWER, INGEST, READ

# Endpoints without a key: they disclose nothing about any document.
PUBLIC_ENDPOINTS = frozenset({"static", "assets.file", "monitoring.health", "monitoring.ready"})
# Endpoints for people who have not signed in yet, or have no access: they disclose nothing about any document either.
SIGN_IN_ENDPOINTS = frozenset(
    {
        "sign_in_pages.show",
        "sign_in_pages.start",
        "sign_in_pages.finish",
        "sign_in_pages.sign_out",
        "sign_in_pages.show_signed_out",
    }
)
# Endpoints that a signed link authorizes; the link itself says what it opens.
SIGNED_LINK_BLUEPRINTS = frozenset({"embed"})

REQUIRED_SCOPES = {
    "monitoring.metrics": ADMIN,
    "ask_pages.answer": ANSWER,
    "answers_api.answer": ANSWER,
    "model_api.complete_chat": ANSWER,
    "model_api.create_response": ANSWER,
    "model_api.create_message": ANSWER,
    "gemini_api.generate_content": ANSWER,
    "gemini_api.stream_content": ANSWER,
    "ask_pages.add_samples": INGEST,
    "library.upload": INGEST,
    "library.retry": INGEST,
    "documents_api.upload": INGEST,
    "documents_api.upload_several": INGEST,
    "documents_api.document_retry": INGEST,
    "documents_api.document_update": INGEST,
    "library.change_tags": INGEST,
    "library.rename": INGEST,
    "library.confirm_deletion": ADMIN,
    "library.delete": ADMIN,
    "library.restore": ADMIN,
    "documents_api.document_delete": ADMIN,
    # Reading them, too: a webhook is told of what its creator may see.
    "webhooks_api.list_webhooks": ADMIN,
    "webhooks_api.get_webhook": ADMIN,
    "webhooks_api.list_deliveries": ADMIN,
    "webhooks_api.create_webhook": ADMIN,
    "webhooks_api.ping_webhook": ADMIN,
    "webhooks_api.delete_webhook": ADMIN,
    # These are POST requests because their parameters are long; they change nothing.
    "api.highlight": READ,
    "api.search": READ,
    "external_knowledge_api.retrieve": READ,
    "checks_api.check": READ,
    "check_pages.check": READ,
    "citations_api.resolve": READ,
    "citations_api.open_native_citations": READ,
    "quotes_api.locate": READ,
    "embed_api.links": READ,
    # Readers arrange their own history; the answers in the audit stay as they are.
    "history_pages.pin": READ,
    "history_pages.hide": READ,
    # So is what readers note for themselves.
    "notes_api.create_note": READ,
    "notes_api.update_note": READ,
    "notes_api.delete_note": READ,
    "notes_api.restore_note": READ,
    "note_pages.create_note": READ,
    "note_pages.update_note": READ,
    "note_pages.delete_note": READ,
    "note_pages.restore_note": READ,
    # Feedback is open to everybody who may read.
    "feedback_api.create_feedback": READ,
    "feedback_api.delete_feedback": READ,
    "feedback_pages.submit_feedback": READ,
    "feedback_pages.undo": READ,
}

# Clients that may only ask list the models first.
ALTERNATIVE_SCOPES = {"model_api.list_models": ANSWER, "model_api.show_model": ANSWER}


def get_alternative_scope(endpoint: str | None) -> str | None:
    """Return a scope that is accepted in place of the required one; None where there is none."""
    return ALTERNATIVE_SCOPES.get(endpoint or "")


def get_required_scope(endpoint: str | None, method: str) -> str | None:
    """Return the scope that a request requires; None where no key is required. An unknown URL requires READ."""
    if endpoint in PUBLIC_ENDPOINTS | SIGN_IN_ENDPOINTS or (endpoint or "").partition(".")[0] in SIGNED_LINK_BLUEPRINTS:
        return None
    if endpoint is None or method in ("GET", "HEAD", "OPTIONS"):
        return REQUIRED_SCOPES.get(endpoint or "", READ)
    return REQUIRED_SCOPES.get(endpoint, ADMIN)
