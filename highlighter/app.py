"""create_app: settings, services, blueprints, errors, headers, in the order one asks."""

from __future__ import annotations

import logging
from pathlib import Path

from flask import Flask, Response, current_app, g, jsonify, render_template, request
from werkzeug.exceptions import HTTPException, SecurityError

from highlighter.cpu_budget import set_cpu_budget
from highlighter.errors import BadRequest, HighlighterError, NotFound
from highlighter.locale import current_language, gettext, ngettext, script_translations, set_language
from highlighter.locale.language_negotiation import ENVIRON_LANGUAGE, LanguageMiddleware, negotiate_language
from highlighter.services import Services
from highlighter.store.storage_errors import CatalogDamaged, DiskFull, is_catalog_damage, is_disk_full
from highlighter.web.api.answer_routes import answer_records_api, answers_api, checks_api
from highlighter.web.api.document_routes import documents_api, rectangles_api
from highlighter.web.api.feedback_routes import feedback_api
from highlighter.web.api.quote_routes import citations_api, quotes_api
from highlighter.web.api.search_routes import api
from highlighter.web.api.signed_link_routes import embed_api
from highlighter.web.assets import assets, build_asset_url
from highlighter.web.auth.authentication import (
    add_request_id_header,
    authenticate,
    build_error_headers,
    is_page_request,
    register_request_teardown,
    reset_principal,
)
from highlighter.web.auth.origin_policy import (
    add_cors_headers,
    answer_preflight,
    refuse_cross_site_writes,
    refuse_untrusted_host,
)
from highlighter.web.auth.rate_limit import RateLimiter, enforce_rate_limit
from highlighter.web.auth.required_scopes import PUBLIC_ENDPOINTS
from highlighter.web.embed.oembed_routes import oembed_pages
from highlighter.web.embed.routes import embed
from highlighter.web.event_stream import StreamSlots
from highlighter.web.file_routes import files
from highlighter.web.headers import build_security_headers
from highlighter.web.page_cache import get_response_nonce
from highlighter.web.pages.answer_record_routes import answer_record_pages
from highlighter.web.pages.ask_routes import ask_pages
from highlighter.web.pages.document_routes import document_pages
from highlighter.web.pages.feedback_routes import feedback_pages
from highlighter.web.pages.library_routes import library
from highlighter.web.pages.search_routes import quote_pages, search_pages
from highlighter.web.problems import PROBLEM_MEDIA_TYPE, describe_exceeded_limit, serialize_problem
from highlighter.web.request_parameters import CountConverter
from highlighter.web.translation import translate_markup, translate_text

log = logging.getLogger(__name__)

PROJECT_ROOT = Path(__file__).resolve().parents[1]
MAX_FORM_FIELDS_BYTES = 1 << 18


def create_app(services: Services | None = None) -> Flask:
    services = services or Services.from_settings()
    settings = services.settings
    app = Flask(
        "highlighter", template_folder=str(PROJECT_ROOT / "templates"), static_folder=str(PROJECT_ROOT / "static")
    )
    app.services = services
    app.config.update(
        MAX_CONTENT_LENGTH=settings.max_upload_mb * (1 << 20) + MAX_FORM_FIELDS_BYTES,
        MAX_FORM_PARTS=50,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.json.ensure_ascii = False
    app.rate_limiter = RateLimiter(settings)
    app.stream_slots = StreamSlots(settings.threads)
    # In this order: a stranger is told no more than that they are one, and nobody's key can be known without a catalog.
    for step in (
        refuse_untrusted_host,
        _choose_language,
        reset_principal,
        answer_preflight,
        refuse_cross_site_writes,
        _refuse_when_damaged,
        authenticate,
        enforce_rate_limit,
    ):
        app.before_request(step)
    app.before_request(_begin_cpu_budget)
    app.teardown_request(_end_cpu_budget)
    register_request_teardown(app)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.install_gettext_callables(gettext, ngettext, newstyle=True)
    app.jinja_env.globals.update(
        nonce=get_response_nonce, spoken=current_language, asset=build_asset_url, words_of_scripts=script_translations
    )
    app.jinja_env.globals.update(said=translate_markup, said_plainly=translate_text)
    app.jinja_env.filters["said"] = translate_markup
    app.wsgi_app = LanguageMiddleware(app.wsgi_app)
    app.url_map.converters["int"] = CountConverter
    for pages in (assets, ask_pages, library, search_pages, quote_pages, document_pages):
        app.register_blueprint(pages)
    app.register_blueprint(api)
    app.register_blueprint(documents_api)
    app.register_blueprint(rectangles_api)
    app.register_blueprint(files)
    app.register_blueprint(quotes_api)
    app.register_blueprint(answers_api)
    app.register_blueprint(checks_api)
    app.register_blueprint(citations_api)
    app.register_blueprint(answer_records_api)
    app.register_blueprint(embed_api)
    app.register_blueprint(embed)
    app.register_blueprint(oembed_pages)
    app.register_blueprint(feedback_api)
    app.register_blueprint(feedback_pages)
    app.register_blueprint(answer_record_pages)
    app.after_request(_add_headers)
    app.after_request(add_cors_headers)
    app.after_request(add_request_id_header)
    app.register_error_handler(Exception, _render_error)
    app.add_url_rule("/readyz", "ready", _report_readiness)
    app.add_url_rule("/healthz", "health", lambda: Response("well\n", mimetype="text/plain"))
    return app


def _choose_language() -> None:
    set_language(negotiate_language(request.environ.get(ENVIRON_LANGUAGE, ""), request.accept_languages.values()))


def _begin_cpu_budget() -> None:
    set_cpu_budget(current_app.services.settings.request_cpu_seconds)


def _end_cpu_budget(_error: BaseException | None) -> None:
    set_cpu_budget(None)


def _refuse_when_damaged() -> None:
    if current_app.services.catalog_damage and request.endpoint not in PUBLIC_ENDPOINTS:
        raise CatalogDamaged


def _report_readiness() -> Response:
    """For whoever watches the service: whether requests can be answered, and if not, why not."""
    problems = current_app.services.list_problems()
    return Response("\n".join(problems or ["ready"]) + "\n", 503 if problems else 200, mimetype="text/plain")


def _add_headers(response: Response) -> Response:
    page = response.mimetype == "text/html"
    framing, ancestors = g.get("framing", False), g.get("ancestors", ())
    for name, value in build_security_headers(get_response_nonce() if page else None, framing, ancestors).items():
        response.headers.setdefault(name, value)
    if page:
        response.headers.setdefault("Content-Language", current_language())
        response.vary.add("Accept-Language")
    if page or response.is_json:
        response.headers.setdefault("Cache-Control", "no-cache")
    return response


def _render_error(err: Exception):
    """Every error as a page for people or a problem for programs, always with a sentence that says what to do."""
    if isinstance(err, SecurityError):  # a host that is not ours: a page for it would have no address to lead on to
        return Response(
            f"{err.description} TRUSTED_HOSTS names those this service answers to.\n", 400, mimetype="text/plain"
        )
    if is_catalog_damage(err):
        current_app.services.mark_catalog_damaged(str(err))
    known = err if isinstance(err, HighlighterError) else _convert_to_highlighter_error(err)
    if known.status >= 500:
        trace = err if known is not err else None  # what we say ourselves needs none
        log.error("%s %s: %s", request.method, _redact_token_from_path(), known.detail, exc_info=trace)
    if is_page_request():
        response = Response(render_template("error.html", error=known), mimetype="text/html")
    else:
        response = jsonify(serialize_problem(known))
        response.mimetype = PROBLEM_MEDIA_TYPE
    response.status_code = known.status
    response.headers.update(build_error_headers(known))
    return response


def _redact_token_from_path() -> str:
    """For the log. Whoever reads it shall not open what was signed."""
    return request.path.replace(g.get("token") or "\0", "...")


def _convert_to_highlighter_error(err: Exception) -> HighlighterError:
    """Flask's and anybody's errors as ours; the words of an unknown one are kept to the log."""
    if is_catalog_damage(err):
        return CatalogDamaged()
    if is_disk_full(err):
        return DiskFull()
    if not isinstance(err, HTTPException):
        return HighlighterError("Something went wrong on the server. The error was logged; try again.")
    status = err.code or 500
    if status == 404:
        return NotFound(f"There is no page at {request.path}.")
    if status == 413:
        return describe_exceeded_limit(err, request)
    known = BadRequest(err.description or "The request is not valid.")
    known.status, known.title = status, err.name
    return known
