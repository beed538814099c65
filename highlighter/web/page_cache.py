"""Pages answered from the page cache, each with a nonce of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, cast

from flask import Response, g, request
from flask.typing import ResponseReturnValue

from highlighter.access import get_current_principal, get_visible_collections
from highlighter.embedding.embedder import WARM
from highlighter.locale import current_language
from highlighter.monitoring.metrics import CACHE_LOOKUPS, HIT, MISS
from highlighter.web.application import current_application, current_services
from highlighter.web.headers import new_nonce

# In a cached page these stand for the nonce and the link token of each response. They are random and secret: a document
# that contained one would have it replaced as well.
_NONCE_PLACEHOLDER, TOKEN_PLACEHOLDER = new_nonce(), new_nonce()

ViewParameters = ParamSpec("ViewParameters")


def cache_page(view: Callable[ViewParameters, ResponseReturnValue]) -> Callable[ViewParameters, ResponseReturnValue]:
    """Answer a request with the page that was made for the same URL, unless the catalog was written to since.

    A view can set `g.page_cache_key` in place of the URL, `g.response_placeholders` for values that differ between the
    responses of one page, and `g.is_uncacheable`.
    """

    @wraps(view)
    def answer(*args: ViewParameters.args, **kwargs: ViewParameters.kwargs) -> ResponseReturnValue:
        services, application = current_services(), current_application()
        if services.embedder.state != WARM:
            return view(*args, **kwargs)
        page_key = g.get("page_cache_key", request.full_path)
        person = get_current_principal().person and get_current_principal().name  # pages show who is signed in
        address = (request.scheme, request.host, request.root_path)  # cheaper than `request.url_root`
        key = (get_visible_collections(), current_language(), address, page_key, person)
        version = services.catalog.data_version()
        page = application.page_cache.get(key, version)
        CACHE_LOOKUPS.labels("pages", MISS if page is None else HIT).inc()
        if page is None:
            response = application.make_response(view(*args, **kwargs))
            if response.status_code != 200 or g.get("is_uncacheable"):
                return response
            page = response.get_data(as_text=True)
            for value, placeholder in _placeholders_by_value().items():
                page = page.replace(value, placeholder)
            application.page_cache.put(key, version, page)
        for value, placeholder in _placeholders_by_value().items():
            page = page.replace(placeholder, value)
        return Response(page, mimetype="text/html")

    return answer


def _placeholders_by_value() -> dict[str, str]:
    """Return the values that belong to this response alone, with what stands for them in a cached page."""
    return {get_response_nonce(): _NONCE_PLACEHOLDER, **g.get("response_placeholders", {})}


def get_response_nonce() -> str:
    """Return the nonce of this response, which its scripts carry and its Content-Security-Policy names."""
    if "nonce" not in g:
        g.nonce = new_nonce()
    return cast(str, g.nonce)
