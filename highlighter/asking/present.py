"""From an answer to what its page shows, with the addresses that this service has for it."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import current_app, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from highlighter.api.answers import as_answer
from highlighter.asking.shown import Shown, shown
from highlighter.generation.answer import Answer
from highlighter.viewer.links import Links


def presented(answer: Answer, links: Links, format: str = "") -> Shown:
    made = as_answer(answer, links)
    kept = made.links.get("self", "")
    pack = made.links.get("pack", f"{links.root}/api/v1/answers/{made.id}/pack")
    address = kept if leads_somewhere(kept, links) else f"{links.ask()}?{urlencode({'q': made.question})}"
    return shown(made, request.host_url.rstrip("/"), address, pack if leads_somewhere(pack, links) else "", format)


def leads_somewhere(address: str, links: Links) -> bool:
    """Whether there is a page at one of our addresses: an answer that is not kept has none."""
    if not address.startswith(f"{links.root}/"):
        return False
    try:
        current_app.url_map.bind("localhost").match(address.removeprefix(links.root).partition("?")[0])
    except RequestRedirect:
        return True
    except HTTPException:
        return False
    return True
