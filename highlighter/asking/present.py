"""From an answer to what its page shows, with the addresses that this service has for it."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import request

from highlighter.api.answers import as_answer
from highlighter.asking.shown import Shown, shown
from highlighter.generation.answer import Answer
from highlighter.viewer.links import Links


def presented(answer: Answer, links: Links, format: str = "") -> Shown:
    made = as_answer(answer, links)
    address = made.links.get("self") or f"{links.ask()}?{urlencode({'q': made.question})}"
    return shown(made, request.host_url.rstrip("/"), address, made.links.get("pack", ""), format)
