"""python -m highlighter webhooks: has addresses told what happens to documents and answers."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from highlighter.cli.common import print_usage_error
from highlighter.webhooks.event_types import EVENT_TYPES

if TYPE_CHECKING:
    from highlighter.services import Services
    from highlighter.store.webhooks import Delivery, Webhook

SUMMARY = "have addresses told when documents are ready, fail or are deleted"
MAX_LISTED_DELIVERIES = 50
EXAMPLES = """examples:
  python -m highlighter webhooks add https://hooks.example.com/highlighter --event document.ready
  python -m highlighter webhooks list
  python -m highlighter webhooks ping 3f9a0c52d7e1b604
  python -m highlighter webhooks deliveries 3f9a0c52d7e1b604
  python -m highlighter webhooks delete 3f9a0c52d7e1b604

The secret that signs the messages (Standard Webhooks) is shown once, when the webhook is added. A running service sends
them, again and again for about a day where the receiver does not accept them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="what", required=True, metavar="add | list | ping | deliveries | delete")
    add_parser = actions.add_parser("add", help="have an address told of events, and show the secret once")
    add_parser.add_argument("url", metavar="URL", help="https://..., or a host of WEBHOOK_HOSTS")
    add_parser.add_argument("--event", action="append", choices=EVENT_TYPES, help="repeatable (default: all)")
    add_parser.add_argument("--collection", action="append", help="only of this one (repeatable; default: all)")
    add_parser.add_argument("--description", default="", help="for people: shown in lists")
    add_parser.add_argument("--json", action="store_true", help="one JSON object")
    list_parser = actions.add_parser("list", help="list them, without their secrets")
    list_parser.add_argument("--json", action="store_true", help="one object a line")
    for name, help_text in (
        ("ping", "send a message without an event now"),
        ("deliveries", f"list the last {MAX_LISTED_DELIVERIES} messages"),
        ("delete", "tell it nothing more"),
    ):
        action_parser = actions.add_parser(name, help=help_text)
        action_parser.add_argument("id", metavar="ID", help="as the list shows it")
        action_parser.add_argument("--json", action="store_true", help="one object a line")


def run(services: Services, options: argparse.Namespace) -> int:
    if options.what == "add":
        return _add_webhook(services, options)
    if options.what == "list":
        return _list_webhooks(services, options)
    from highlighter.store.webhooks import find_webhook

    webhook = find_webhook(services.catalog.engine, options.id)
    if webhook is None:
        return print_usage_error(f"No webhook has the id {options.id[:40]}; see python -m highlighter webhooks list.")
    actions = {"ping": _ping_webhook, "deliveries": _list_deliveries, "delete": _delete_webhook}
    return actions[options.what](services, webhook, options)


def _add_webhook(services: Services, options: argparse.Namespace) -> int:
    from highlighter.access import validate_collection_name
    from highlighter.outgoing_addresses import check_url
    from highlighter.store.webhooks import WebhookFields, create_webhook
    from highlighter.webhooks.signatures import create_secret

    check_url(options.url, services.settings.webhook_hosts)
    collections = frozenset(map(validate_collection_name, options.collection)) if options.collection else None
    events = tuple(dict.fromkeys(options.event or EVENT_TYPES))
    fields = WebhookFields(options.url, events, collections, create_secret(), options.description)
    webhook = create_webhook(services.catalog.engine, fields)
    if options.json:
        print(json.dumps({**_webhook_to_json(webhook), "secret": webhook.secret}))
        return 0
    print(webhook.secret)
    print(f"The secret is shown only once. {_describe_webhook(webhook)}", file=sys.stderr)
    return 0


def _list_webhooks(services: Services, options: argparse.Namespace) -> int:
    from highlighter.store.webhooks import list_webhooks

    found = list_webhooks(services.catalog.engine)
    for webhook in found:
        print(json.dumps(_webhook_to_json(webhook)) if options.json else _describe_webhook(webhook))
    if not found and not options.json:
        print("No webhooks yet: python -m highlighter webhooks add URL adds one.")
    return 0


def _ping_webhook(services: Services, webhook: Webhook, options: argparse.Namespace) -> int:
    delivery = services.webhook_dispatcher.ping(webhook)
    print(json.dumps(_delivery_to_json(delivery)) if options.json else _describe_delivery(delivery))
    return 1 if delivery.problem else 0


def _list_deliveries(services: Services, webhook: Webhook, options: argparse.Namespace) -> int:
    from highlighter.store.webhooks import list_deliveries

    for delivery in list_deliveries(services.catalog.engine, webhook.id, MAX_LISTED_DELIVERIES):
        print(json.dumps(_delivery_to_json(delivery)) if options.json else _describe_delivery(delivery))
    return 0


def _delete_webhook(services: Services, webhook: Webhook, options: argparse.Namespace) -> int:
    from highlighter.store.webhooks import delete_webhook

    delete_webhook(services.catalog.engine, webhook.id)
    print(json.dumps({"id": webhook.id, "deleted": True}) if options.json else f"deleted {webhook.id}  {webhook.url}")
    return 0


def _describe_webhook(webhook: Webhook) -> str:
    where = "all collections" if webhook.collections is None else ", ".join(sorted(webhook.collections))
    state = f", disabled since {webhook.disabled}" if webhook.disabled else ""
    about = f" ({webhook.description})" if webhook.description else ""
    return f"{webhook.id}  {webhook.url}{about}: {' '.join(webhook.events)} in {where}{state}"


def _describe_delivery(delivery: Delivery) -> str:
    subject = delivery.document_id or delivery.answer_id
    attempts = f"{delivery.attempts} attempt{'s' if delivery.attempts != 1 else ''}"
    problem = f": {delivery.problem}" if delivery.problem else ""
    return f"{delivery.at}  {delivery.state:9} {delivery.type} {subject}  {attempts}{problem}"


def _webhook_to_json(webhook: Webhook) -> dict[str, Any]:
    collections = None if webhook.collections is None else sorted(webhook.collections)
    return {
        "id": webhook.id, "url": webhook.url, "events": list(webhook.events), "collections": collections,
        "description": webhook.description, "created": webhook.created, "disabled": webhook.disabled,
    }  # fmt: skip


def _delivery_to_json(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": delivery.id, "type": delivery.type, "at": delivery.at, "state": delivery.state,
        "attempts": delivery.attempts, "status": delivery.status, "problem": delivery.problem,
        "document_id": delivery.document_id, "answer_id": delivery.answer_id,
    }  # fmt: skip
