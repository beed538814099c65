"""/oembed, for the site's own addresses: what whoever asks may see. Signed links tell of themselves at /embed/oembed."""

from __future__ import annotations

from flask import Blueprint, jsonify, request

from highlighter.embed.cards import described
from highlighter.errors import HighlighterError
from highlighter.locale import N_

cards = Blueprint("cards", __name__)


class NotImplementedFormat(HighlighterError):
    status, title = 501, N_("Only as JSON")


@cards.get("/oembed")
def oembed():
    return answer(signed=False)


def answer(signed: bool):
    if request.args.get("format", "json") != "json":
        raise NotImplementedFormat
    return jsonify(described(request.args.get("url", ""), signed))
