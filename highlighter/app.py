"""The application: its blueprints, the steps of a request, its headers and its error pages."""

from __future__ import annotations

import logging
from typing import Any

from flask import Response, g, jsonify, render_template, request
from werkzeug.exceptions import HTTPException, SecurityError
from werkzeug.exceptions import MethodNotAllowed as WerkzeugMethodNotAllowed
from werkzeug.wrappers import Response as BaseResponse

from highlighter.cpu_budget import set_cpu_budget
from highlighter.errors import (
    AlteredContent,
    BadRequest,
    HighlighterError,
    MethodNotAllowed,
    NotFound,
    Overloaded,
    SignInRequired,
)
from highlighter.locale import N_, current_language, gettext, join_messages, ngettext, script_translations, set_language
from highlighter.locale.language_negotiation import ENVIRON_LANGUAGE, LanguageMiddleware, negotiate_language
from highlighter.services import Services
from highlighter.store.storage_errors import (
    CatalogDamaged,
    CatalogUnreachable,
    convert_disk_error,
    convert_unreachable_error,
    is_catalog_damage,
    is_catalog_unreachable,
)
from highlighter.web.api.answer_routes import answer_records_api, answers_api, checks_api
from highlighter.web.api.document_routes import documents_api, rectangles_api
from highlighter.web.api.external_knowledge_errors import (
    build_external_knowledge_error,
    choose_external_knowledge_status,
)
from highlighter.web.api.external_knowledge_routes import external_knowledge_api
from highlighter.web.api.feedback_routes import feedback_api
from highlighter.web.api.note_routes import notes_api
from highlighter.web.api.quote_routes import citations_api, quotes_api
from highlighter.web.api.search_routes import api
from highlighter.web.api.signed_link_routes import embed_api
from highlighter.web.api.webhook_routes import webhooks_api
from highlighter.web.api_paths import EXTERNAL_KNOWLEDGE_PATH
from highlighter.web.application import HighlighterApp, current_services
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
    require_own_origin_of_people,
)
from highlighter.web.auth.rate_limit import enforce_rate_limit
from highlighter.web.auth.rate_limiter import RateLimiter
from highlighter.web.auth.required_scopes import PUBLIC_ENDPOINTS
from highlighter.web.embed.oembed_routes import oembed_pages
from highlighter.web.embed.routes import embed
from highlighter.web.event_stream import StreamSlots
from highlighter.web.file_routes import files
from highlighter.web.headers import add_missing_headers, build_security_headers
from highlighter.web.model_api.error_shapes import build_model_error, is_model_api_path
from highlighter.web.model_api.gemini_routes import gemini_api
from highlighter.web.model_api.routes import model_api
from highlighter.web.monitoring_routes import measure_requests, monitoring
from highlighter.web.overload import refuse_when_overloaded
from highlighter.web.page_cache import get_response_nonce
from highlighter.web.pages.answer_record_routes import answer_record_pages
from highlighter.web.pages.ask_routes import ask_pages
from highlighter.web.pages.check_routes import check_pages
from highlighter.web.pages.document_routes import document_pages
from highlighter.web.pages.feedback_routes import feedback_pages
from highlighter.web.pages.history_routes import history_pages
from highlighter.web.pages.library_routes import library
from highlighter.web.pages.navigation_routes import navigation_pages
from highlighter.web.pages.note_routes import note_pages
from highlighter.web.pages.search_routes import quote_pages, search_pages
from highlighter.web.pages.sign_in_routes import sign_in_pages
from highlighter.web.problems import PROBLEM_MEDIA_TYPE, describe_exceeded_limit, serialize_problem
from highlighter.web.public_address import PublicAddressMiddleware
from highlighter.web.request_parameters import CountConverter
from highlighter.web.translation import translate_markup, translate_text

log = logging.getLogger(__name__)

MAX_FORM_FIELDS_BYTES = 1 << 18
MAX_FORM_PARTS = 50


def _choose_language() -> None:
    set_language(negotiate_language(request.environ.get(ENVIRON_LANGUAGE, ""), request.accept_languages.values()))


def _begin_cpu_budget() -> None:
    set_cpu_budget(current_services().settings.request_cpu_seconds)


def _end_cpu_budget(_error: BaseException | None) -> None:
    set_cpu_budget(None)


def _refuse_when_damaged() -> None:
    if current_services().catalog_damage and request.endpoint not in PUBLIC_ENDPOINTS:
        raise CatalogDamaged


BLUEPRINTS = (
    assets, ask_pages, check_pages, library, search_pages, quote_pages, document_pages, navigation_pages,
    api, documents_api, rectangles_api, files, quotes_api, answers_api, checks_api, citations_api, answer_records_api,
    embed_api, embed, oembed_pages, feedback_api, feedback_pages, answer_record_pages,
    history_pages, notes_api, note_pages, webhooks_api, monitoring, model_api, gemini_api,
    external_knowledge_api, sign_in_pages,
)  # fmt: skip
# The order matters: an untrusted client learns nothing else, and without a catalog no key can be checked.
REQUEST_STEPS = (
    refuse_untrusted_host,
    _choose_language,
    reset_principal,
    answer_preflight,
    refuse_cross_site_writes,
    refuse_when_overloaded,
    _refuse_when_damaged,
    authenticate,
    require_own_origin_of_people,
    enforce_rate_limit,
    _begin_cpu_budget,
)


def _take_request_steps() -> BaseResponse | None:
    """Take the steps before a view in their order, until one of them answers.

    Flask inspects each registered function anew in every request, which costs more than most of the steps.
    """
    for step in REQUEST_STEPS:
        response = step()
        if response is not None:
            return response
    return None


def create_app(services: Services | None = None) -> HighlighterApp:
    """Return the application with its pages, API and embedded viewer."""
    services = services or Services.from_settings()
    settings = services.settings
    _ = services.sign_in  # wrong settings are told now, and not at the first request
    app = HighlighterApp(services, RateLimiter(settings), StreamSlots(settings.threads))
    app.config.update(
        MAX_CONTENT_LENGTH=settings.max_upload_mb * (1 << 20) + MAX_FORM_FIELDS_BYTES,
        MAX_FORM_PARTS=MAX_FORM_PARTS,
    )
    # The language is part of the path below the address that the proxies say.
    middleware = PublicAddressMiddleware(LanguageMiddleware(app.wsgi_app), settings)
    app.wsgi_app = middleware  # type: ignore[method-assign]  # Flask documents this for middleware
    _configure_templates(app)
    _register_request_steps(app)
    app.url_map.converters["int"] = CountConverter
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_error_handler(Exception, _render_error)
    return app


def _configure_templates(app: HighlighterApp) -> None:
    environment: Any = app.jinja_env  # the i18n extension adds methods to it
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(gettext, ngettext, newstyle=True)
    environment.globals.update(
        nonce=get_response_nonce,
        page_language=current_language,
        asset=build_asset_url,
        script_translations=script_translations,
        translate=translate_markup,
        translate_text=translate_text,
    )
    environment.filters["translate"] = translate_markup


def _register_request_steps(app: HighlighterApp) -> None:
    measure_requests(app)  # before the steps, so that refused requests count
    app.before_request(_take_request_steps)
    app.teardown_request(_end_cpu_budget)
    register_request_teardown(app)
    for add_headers in (_add_headers, add_cors_headers, add_request_id_header):
        app.after_request(add_headers)


def _add_headers(response: Response) -> Response:
    is_page = response.mimetype == "text/html"
    nonce = get_response_nonce() if is_page else None
    allows_frames, ancestors = g.get("allows_frames", False), g.get("ancestors", ())
    add_missing_headers(response.headers, build_security_headers(nonce, allows_frames, ancestors))
    if is_page:
        response.headers.setdefault("Content-Language", current_language())
        response.vary.add("Accept-Language")
    if is_page or response.is_json:
        response.headers.setdefault("Cache-Control", "private, no-cache" if g.get("person") else "no-cache")
    return response


def _render_error(err: Exception) -> Response:
    """Return an error as a page for people, or as problem details or in a vendor's shape for programs."""
    if isinstance(err, SecurityError):
        err = BadRequest(
            join_messages([str(err.description), N_("TRUSTED_HOSTS names those this service answers to.")])
        )
        if is_page_request():  # of an untrusted host: no link on a page could lead on
            return Response(f"{err.detail}\n", 400, mimetype="text/plain")
    if is_catalog_damage(err):
        current_services().mark_catalog_damaged(str(err))
    known = err if isinstance(err, HighlighterError) else _convert_to_highlighter_error(err)
    if known.status >= 500 and not isinstance(known, Overloaded):  # a line for each would add to the load
        explains_itself = known is err or isinstance(known, CatalogUnreachable)
        trace = None if explains_itself else err
        # The detail names the document, as its reader sees it; the path has its id.
        reason = known.title if isinstance(known, AlteredContent) else known.detail
        log.error("%s %s: %s", request.method, _redact_token_from_path(), reason, exc_info=trace)
    is_external_knowledge = request.path == EXTERNAL_KNOWLEDGE_PATH
    if is_page_request():
        response = Response(
            render_template("error.html", error=known, is_sign_in_needed=isinstance(known, SignInRequired)),
            mimetype="text/html",
        )
    elif is_model_api_path(request.path):
        response = jsonify(build_model_error(known, request))
    elif is_external_knowledge:
        response = jsonify(build_external_knowledge_error(known))
    else:
        response = jsonify(serialize_problem(known))
        response.mimetype = PROBLEM_MEDIA_TYPE
    response.status_code = choose_external_knowledge_status(known) if is_external_knowledge else known.status
    response.headers.update(build_error_headers(known))
    return response


def _redact_token_from_path() -> str:
    """Return the path for the log, without the token of a signed link: readers of the log must not be able to open it."""
    return request.path.replace(g.get("token") or "\0", "...")


def _convert_to_highlighter_error(err: Exception) -> HighlighterError:
    """Return an error of Flask or of a library as one of ours. The text of an unknown error goes to the log alone."""
    if is_catalog_damage(err):
        return CatalogDamaged()
    if is_catalog_unreachable(err):
        return convert_unreachable_error(err)
    if problem := convert_disk_error(err):
        return problem
    if not isinstance(err, HTTPException):
        return HighlighterError("Something went wrong on the server. The error was logged; try again.")
    if isinstance(err, WerkzeugMethodNotAllowed):
        return MethodNotAllowed(request.method, sorted(err.valid_methods or ()))
    status = err.code or 500
    if status == 404:
        return NotFound(N_("There is no page at {path}.", path=request.path))
    if status == 413:
        return describe_exceeded_limit(err, request)
    known = BadRequest(err.description or "The request is not valid.")
    known.status, known.title, known.problem_type = status, err.name, ""
    return known
