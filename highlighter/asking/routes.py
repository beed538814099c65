"""The ask page: as it is opened, and what it answers, at once or while it is written."""

from __future__ import annotations

from flask import Blueprint, current_app, g, redirect, render_template, request

from highlighter.access import home_collection, visible_collections
from highlighter.api.answer_routes import streamed, whole
from highlighter.api.events import MEDIA_TYPE as EVENTS
from highlighter.asking.form import Form
from highlighter.asking.present import presented
from highlighter.asking.shown import Shown, around_of, chip_name
from highlighter.asking.telling import Teller, wrong
from highlighter.errors import HighlighterError
from highlighter.generation.ask import FORMATS, MAX_QUESTION, MODES, STYLES
from highlighter.models import READABLE
from highlighter.store import listing
from highlighter.viewer import asking as asked
from highlighter.viewer import requested
from highlighter.viewer.suggestions import samples, suggested

asking = Blueprint("asking", __name__)

SUGGESTED = 6
LOOKED_THROUGH = 200  # documents, the latest, for samples among them


@asking.app_context_processor
def _for_every_page() -> dict:
    return {"chip_name": chip_name, "around_of": around_of}


@asking.get("/")
def start():
    """The question of a link stands in the box; a script asks it at once. A link alone makes nobody work: it may have
    been followed by an image of another site's page."""
    return _page(Form(asked.typed()))


@asking.post("/")
def answer():
    services, form = current_app.services, Form.of(request.form)
    services.embedder.wait(services.settings.warm_up_seconds)
    if request.accept_mimetypes.best == EVENTS:
        return streamed(form.ask(), visible_collections(), requested.links(), Teller(form.format), wrong)
    try:
        made = whole(form.ask(), visible_collections())
    except HighlighterError as err:
        return _page(form, error=err), err.status
    return _page(form.next("" if made.refused else made.text), presented(made, requested.links(), form.format))


@asking.post("/samples")
def take_samples_in():
    """The documents that come with the project, for whoever has none at hand yet."""
    for path in samples():
        current_app.services.desk.hand_in(path, path.name, home_collection())
    return redirect(requested.links().library(), 303)


def _page(form: Form, shown: Shown | None = None, error: HighlighterError | None = None) -> str:
    g.framing = True  # the sentence that is cited is shown beside the answer
    engine, visible = current_app.services.catalog.engine, visible_collections()
    latest = listing.page(engine, listing.Wanted(visible, READABLE, superseded=False), LOOKED_THROUGH)
    return render_template(
        "ask.html",
        form=form,
        shown=shown,
        error=error,
        warming=asked.warming(),
        suggestions=suggested((document.sha256 for document in latest), SUGGESTED),
        readable=bool(latest),
        totals=listing.totals(engine, listing.Wanted(visible, superseded=False)),
        samples=bool(samples()),
        collections=listing.collections(engine, visible),
        choices={"mode": MODES, "format": FORMATS, "citation_style": STYLES},
        most=MAX_QUESTION,
    )
