"""The page that searches the whole library."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template, request

from highlighter.access import visible_collections
from highlighter.models import Found
from highlighter.search import LIMIT, MAX_QUESTION, MOST
from highlighter.store import listing
from highlighter.viewer import asking
from highlighter.viewer.numbers import count
from highlighter.viewer.results import result

searching = Blueprint("searching", __name__)

MORE = 20  # hits that a further look brings


@searching.get("/search")
def search():
    services, visible = current_app.services, visible_collections()
    question, collection = asking.typed(), request.args.get("collection", "")
    too_long = len(question) > MAX_QUESTION
    warming = bool(question) and asking.warming()
    limit = min(max(request.args.get("limit", LIMIT, type=count), 1), MOST)
    found = Found(())
    if question and not (too_long or warming):
        where = {"collection": collection} if collection else None
        found = services.search.find(question, limit, visible, where)
    page = render_template(
        "search.html",
        question=question,
        collection=collection,
        collections=listing.collections(services.catalog.engine, visible),
        totals=listing.totals(services.catalog.engine, listing.Wanted(visible, superseded=False)),
        results=[result(hit) for hit in found.hits],
        degraded=found.degraded,
        warming=warming,
        most=MAX_QUESTION if too_long else 0,
        more=min(limit + MORE, MOST) if len(found.hits) == limit < MOST else 0,
    )
    return page, 400 if too_long else 200
