"""create_app: settings, services, blueprints, errors, headers, in the order one asks."""

from __future__ import annotations

import logging
from pathlib import Path

from flask import Flask, Response, current_app, g, jsonify, render_template, request
from werkzeug.exceptions import HTTPException, SecurityError

from highlighter.api.answer_routes import answers_api
from highlighter.api.check_routes import checks_api
from highlighter.api.citation_routes import citations_api
from highlighter.api.document_routes import documents_api
from highlighter.api.embed_routes import embed_api
from highlighter.api.events import StreamSlots
from highlighter.api.feedback_routes import feedback_api
from highlighter.api.kept_routes import kept_api
from highlighter.api.paper_routes import paper_api
from highlighter.api.problems import MEDIA_TYPE, problem
from highlighter.api.quote_routes import quotes_api
from highlighter.api.routes import api
from highlighter.asking.kept_routes import kept_pages
from highlighter.asking.routes import asking
from highlighter.cpu_budget import set_cpu_budget
from highlighter.embed.card_routes import cards
from highlighter.embed.routes import embed
from highlighter.errors import BadRequest, HighlighterError, NotFound
from highlighter.gate.cors import add_cors, answer_preflight, refuse_foreign_writes
from highlighter.gate.entry import for_pages, forget_who_asked, headers_of, let_in, say_which, take_leave
from highlighter.gate.hosts import refuse_untrusted_host
from highlighter.gate.limits import exceeded_limit
from highlighter.gate.needs import FREE
from highlighter.gate.rates import Rates, not_too_often
from highlighter.locale import gettext, ngettext, speak, spoken, words_of_scripts
from highlighter.locale.choosing import ASKED, Mounted, negotiated
from highlighter.services import Services
from highlighter.store.damage import CatalogDamaged, is_damage
from highlighter.store.disk import DiskFull, no_room
from highlighter.viewer.answering import nonce
from highlighter.viewer.assets import asset, assets
from highlighter.viewer.feedback_routes import saying
from highlighter.viewer.file_routes import files
from highlighter.viewer.headers import security_headers
from highlighter.viewer.library_routes import library
from highlighter.viewer.numbers import Counted
from highlighter.viewer.open_routes import opening
from highlighter.viewer.routes import viewer
from highlighter.viewer.search_routes import searching
from highlighter.viewer.translated import translated, translated_plain

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[1]
ROOM_FOR_FORM_FIELDS = 1 << 18


def create_app(services: Services | None = None) -> Flask:
    services = services or Services.from_settings()
    settings = services.settings
    app = Flask("highlighter", template_folder=str(ROOT / "templates"), static_folder=str(ROOT / "static"))
    app.services = services
    app.config.update(
        MAX_CONTENT_LENGTH=settings.max_upload_mb * (1 << 20) + ROOM_FOR_FORM_FIELDS,
        MAX_FORM_PARTS=50,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.json.ensure_ascii = False
    app.rates = Rates(settings)
    app.stream_slots = StreamSlots(settings.threads)
    # In this order: a stranger is told no more than that they are one, and nobody's key can be known without a catalog.
    for step in (
        refuse_untrusted_host,
        _speak,
        forget_who_asked,
        answer_preflight,
        refuse_foreign_writes,
        _refuse_when_damaged,
        let_in,
        not_too_often,
    ):
        app.before_request(step)
    app.before_request(_begin_cpu_budget)
    app.teardown_request(_end_cpu_budget)
    take_leave(app)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.install_gettext_callables(gettext, ngettext, newstyle=True)
    app.jinja_env.globals.update(nonce=nonce, spoken=spoken, asset=asset, words_of_scripts=words_of_scripts)
    app.jinja_env.globals.update(said=translated, said_plainly=translated_plain)
    app.jinja_env.filters["said"] = translated
    app.wsgi_app = Mounted(app.wsgi_app)
    app.url_map.converters["int"] = Counted
    for pages in (assets, asking, library, searching, opening, viewer):
        app.register_blueprint(pages)
    app.register_blueprint(api)
    app.register_blueprint(documents_api)
    app.register_blueprint(paper_api)
    app.register_blueprint(files)
    app.register_blueprint(quotes_api)
    app.register_blueprint(answers_api)
    app.register_blueprint(checks_api)
    app.register_blueprint(citations_api)
    app.register_blueprint(kept_api)
    app.register_blueprint(embed_api)
    app.register_blueprint(embed)
    app.register_blueprint(cards)
    app.register_blueprint(feedback_api)
    app.register_blueprint(saying)
    app.register_blueprint(kept_pages)
    app.after_request(_add_headers)
    app.after_request(add_cors)
    app.after_request(say_which)
    app.register_error_handler(Exception, _answer_error)
    app.add_url_rule("/readyz", "ready", _ready)
    app.add_url_rule("/healthz", "health", lambda: Response("well\n", mimetype="text/plain"))
    return app


def _speak() -> None:
    speak(negotiated(request.environ.get(ASKED, ""), request.accept_languages.values()))


def _begin_cpu_budget() -> None:
    set_cpu_budget(current_app.services.settings.request_cpu_seconds)


def _end_cpu_budget(_error: BaseException | None) -> None:
    set_cpu_budget(None)


def _refuse_when_damaged() -> None:
    if current_app.services.damage and request.endpoint not in FREE:
        raise CatalogDamaged


def _ready() -> Response:
    """For whoever watches the service: whether requests can be answered, and if not, why not."""
    problems = current_app.services.problems()
    return Response("\n".join(problems or ["ready"]) + "\n", 503 if problems else 200, mimetype="text/plain")


def _add_headers(response: Response) -> Response:
    page = response.mimetype == "text/html"
    framing, ancestors = g.get("framing", False), g.get("ancestors", ())
    for name, value in security_headers(nonce() if page else None, framing, ancestors).items():
        response.headers.setdefault(name, value)
    if page:
        response.headers.setdefault("Content-Language", spoken())
        response.vary.add("Accept-Language")
    if page or response.is_json:
        response.headers.setdefault("Cache-Control", "no-cache")
    return response


def _answer_error(err: Exception):
    """Every error as a page for people or a problem for programs, always with a sentence that says what to do."""
    if isinstance(err, SecurityError):  # a host that is not ours: a page for it would have no address to lead on to
        return Response(
            f"{err.description} TRUSTED_HOSTS names those this service answers to.\n", 400, mimetype="text/plain"
        )
    if is_damage(err):
        current_app.services.note_damage(str(err))
    known = err if isinstance(err, HighlighterError) else _ours(err)
    if known.status >= 500:
        trace = err if known is not err else None  # what we say ourselves needs none
        log.error("%s %s: %s", request.method, _path(), known.detail, exc_info=trace)
    if for_pages():
        response = Response(render_template("error.html", error=known), mimetype="text/html")
    else:
        response = jsonify(problem(known))
        response.mimetype = MEDIA_TYPE
    response.status_code = known.status
    response.headers.update(headers_of(known))
    return response


def _path() -> str:
    """For the log. Whoever reads it shall not open what was signed."""
    return request.path.replace(g.get("token") or "\0", "...")


def _ours(err: Exception) -> HighlighterError:
    """Flask's and anybody's errors as ours; the words of an unknown one are kept to the log."""
    if is_damage(err):
        return CatalogDamaged()
    if no_room(err):
        return DiskFull()
    if not isinstance(err, HTTPException):
        return HighlighterError("Something went wrong on our side. It was noted; try again.")
    status = err.code or 500
    if status == 404:
        return NotFound(f"There is no page at {request.path}.")
    if status == 413:
        return exceeded_limit(err, request)
    known = BadRequest(err.description or "The request cannot be understood.")
    known.status, known.title = status, err.name
    return known
