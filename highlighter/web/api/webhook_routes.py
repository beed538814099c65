"""The routes of webhooks: /api/v1/webhooks."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint
from spectree import Response as Responses

from highlighter.access import get_current_principal, get_visible_collections
from highlighter.errors import Forbidden, NotFound
from highlighter.locale import N_
from highlighter.outgoing_addresses import check_url
from highlighter.schemas.search import Problem
from highlighter.schemas.webhooks import (
    CreatedWebhook,
    DeliveryList,
    DeliveryListQuery,
    DeliveryOut,
    NewWebhook,
    WebhookList,
    WebhookOut,
)
from highlighter.store import webhooks
from highlighter.store.webhooks import Delivery, Webhook, WebhookFields
from highlighter.web import request_context
from highlighter.web.api.idempotency import accept_idempotency_key
from highlighter.web.api.openapi import WEBHOOKS_TAG, spec
from highlighter.web.api.pagination import build_cursor_header, decode_cursor, encode_cursor
from highlighter.web.application import current_services
from highlighter.webhooks.signatures import create_secret

webhooks_api = Blueprint("webhooks_api", __name__, url_prefix="/api/v1/webhooks")


@webhooks_api.post("")
@accept_idempotency_key
@spec.validate(resp=Responses(HTTP_201=CreatedWebhook, HTTP_400=Problem, HTTP_403=Problem), tags=[WEBHOOKS_TAG])
def create_webhook(json: NewWebhook) -> tuple[CreatedWebhook, int, dict[str, str]]:
    """Have an address told of events from now on. Messages are signed as Standard Webhooks describes; the secret is shown once."""
    services, principal = current_services(), get_current_principal()
    if principal.person:  # what they may see is known while they are signed in alone
        raise Forbidden("A webhook ends with the key that created it: create it with a key.")
    check_url(json.url, services.settings.webhook_hosts)
    collections = get_visible_collections().names if json.collections is None else frozenset(json.collections)
    for name in sorted(collections or ()):
        if name not in get_visible_collections():
            raise Forbidden(N_("This key cannot read the collection {collection}.", collection=name))
    fields = WebhookFields(
        json.url, tuple(dict.fromkeys(json.events)), collections, create_secret(), json.description, principal.key
    )
    webhook = webhooks.create_webhook(services.catalog.engine, fields)
    body = CreatedWebhook(**serialize_webhook(webhook).model_dump(), secret=webhook.secret)
    return body, 201, {"Location": body.links["self"], "Cache-Control": "no-store"}


@webhooks_api.get("")
@spec.validate(resp=Responses(HTTP_200=WebhookList), tags=[WEBHOOKS_TAG])
def list_webhooks() -> WebhookList:
    """List the webhooks, without their secrets."""
    found = webhooks.list_webhooks(current_services().catalog.engine, get_visible_collections())
    return WebhookList(webhooks=list(map(serialize_webhook, found)))


@webhooks_api.get("/<webhook_id>")
@spec.validate(resp=Responses(HTTP_200=WebhookOut, HTTP_404=Problem), tags=[WEBHOOKS_TAG])
def get_webhook(webhook_id: str) -> WebhookOut:
    """Return a webhook, without its secret."""
    return serialize_webhook(_require_webhook(webhook_id))


@webhooks_api.delete("/<webhook_id>")
@spec.validate(resp=Responses(HTTP_204=None, HTTP_404=Problem), tags=[WEBHOOKS_TAG])
def delete_webhook(webhook_id: str) -> tuple[str, int]:
    """Delete a webhook. What waits to be sent to it is not sent."""
    webhooks.delete_webhook(current_services().catalog.engine, _require_webhook(webhook_id).id)
    return "", 204


@webhooks_api.post("/<webhook_id>/ping")
@spec.validate(resp=Responses(HTTP_200=DeliveryOut, HTTP_404=Problem), tags=[WEBHOOKS_TAG])
def ping_webhook(webhook_id: str) -> DeliveryOut:
    """Send a message of the type ping at once, and return whether the receiver accepted it."""
    return serialize_delivery(current_services().webhook_dispatcher.ping(_require_webhook(webhook_id)))


@webhooks_api.get("/<webhook_id>/deliveries")
@spec.validate(resp=Responses(HTTP_200=DeliveryList, HTTP_404=Problem), tags=[WEBHOOKS_TAG])
def list_deliveries(webhook_id: str, query: DeliveryListQuery) -> tuple[DeliveryList, int, dict[str, str]]:
    """List what was sent to a webhook in the last two weeks, or is going to be, the latest first, page by page."""
    webhook, engine = _require_webhook(webhook_id), current_services().catalog.engine
    before = "" if query.cursor is None else decode_cursor(query.cursor, str)[0]
    found = webhooks.list_deliveries(engine, webhook.id, query.limit + 1, before, query.state or "")
    page = found[: query.limit]
    next_cursor = encode_cursor([page[-1].id]) if len(found) > query.limit else None
    body = DeliveryList(deliveries=list(map(serialize_delivery, page)), next_cursor=next_cursor)
    return body, 200, build_cursor_header(next_cursor)


def _require_webhook(webhook_id: str) -> Webhook:
    webhook = webhooks.find_webhook(current_services().catalog.engine, webhook_id, get_visible_collections())
    if webhook is None:
        raise NotFound("There is no such webhook. It may have been deleted.")
    return webhook


def serialize_webhook(webhook: Webhook) -> WebhookOut:
    url = request_context.get_links().webhook_json(webhook.id)
    return WebhookOut(
        id=webhook.id, url=webhook.url, events=list(webhook.events),
        collections=None if webhook.collections is None else sorted(webhook.collections),
        description=webhook.description, created=webhook.created, disabled=webhook.disabled or None,
        links={"self": url, "deliveries": f"{url}/deliveries", "ping": f"{url}/ping"},
    )  # fmt: skip


def serialize_delivery(delivery: Delivery) -> DeliveryOut:
    next_attempt = delivery.due and datetime.fromtimestamp(delivery.due, UTC).isoformat(timespec="seconds")
    return DeliveryOut(
        id=delivery.id, type=delivery.type, at=delivery.at, state=delivery.state, attempts=delivery.attempts,
        next_attempt=next_attempt or None, status=delivery.status or None, problem=delivery.problem or None,
        document_id=delivery.document_id or None, answer_id=delivery.answer_id or None,
    )  # fmt: skip
