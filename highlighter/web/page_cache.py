"""Pages that were made before, answered again: each time with a nonce of its own."""

from __future__ import annotations

from functools import wraps

from flask import Response, current_app, g, request

from highlighter.access import get_visible_collections
from highlighter.embedding.embedder import WARM
from highlighter.locale import current_language
from highlighter.web.application import current_application, current_services
from highlighter.web.headers import new_nonce

# In a remembered page, where each answer's own nonce goes, and its own link. Nobody can know them: in a document that
# says such a word, it would be put in, too.
_NONCE_PLACEHOLDER, TOKEN_PLACEHOLDER = new_nonce(), new_nonce()


def cache_page(view):
    """Answers with the page made before for this address, as long as nothing was written since."""

    @wraps(view)
    def answer(*args, **kwargs):
        services = current_services()
        if services.embedder.state != WARM:
            return view(*args, **kwargs)
        page = g.get("page_key", request.full_path)
        key = (get_visible_collections(), current_language(), request.url_root, page)
        version = services.catalog.data_version()
        page = current_application().page_cache.get(key, version)
        if page is None:
            made = current_app.make_response(view(*args, **kwargs))
            if made.status_code != 200 or g.get("passing"):
                return made
            page = made.get_data(as_text=True)
            for own, stand_in in _placeholders_by_value().items():
                page = page.replace(own, stand_in)
            current_application().page_cache.put(key, version, page)
        for own, stand_in in _placeholders_by_value().items():
            page = page.replace(stand_in, own)
        return Response(page, mimetype="text/html")

    return answer


def _placeholders_by_value() -> dict[str, str]:
    """What each answer has of its own, with what stands for it in a page that is remembered for all."""
    return {get_response_nonce(): _NONCE_PLACEHOLDER, **g.get("own_words", {})}


def get_response_nonce() -> str:
    """One for each answer; its scripts carry it, and its policy names it."""
    if "nonce" not in g:
        g.nonce = new_nonce()
    return g.nonce
