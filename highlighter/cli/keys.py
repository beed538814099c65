"""python -m highlighter keys: makes keys to the service, lists them, revokes them."""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from highlighter.access import COLLECTION_NAME_PATTERN, READ, SCOPES
from highlighter.cli.common import print_usage_error

if TYPE_CHECKING:
    from highlighter.services import Services
    from highlighter.store.keys import ApiKey

SUMMARY = "make, list and revoke keys to the service"
EXAMPLES = """examples:
  python -m highlighter keys make "Intranet chat" --scope read --scope answer
  python -m highlighter keys make "Harbour office" --scope read --scope ingest --collection harbour --expires 90d
  python -m highlighter keys list
  python -m highlighter keys revoke 3f9a0c52d7e1

A key is shown once, when it is made; only its hash is kept. It is sent as "Authorization: Bearer hk_...", and people
give it as the password (with any name) when a browser asks. A running service accepts new keys and refuses revoked keys at once.

scopes: read (documents, search, highlights, checks), ingest (take documents in), answer (ask), admin (all of these, and
delete). Bound to collections, a key never learns that there are others."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="what", required=True, metavar="make | list | revoke")
    make_parser = actions.add_parser("make", help="make a key and show it once")
    make_parser.add_argument("name", metavar="NAME", help="whose it is: shown in lists")
    make_parser.add_argument("--scope", action="append", choices=SCOPES, help=f"repeatable (default: {READ})")
    make_parser.add_argument(
        "--collection", action="append", type=_parse_collection, help="only this one (repeatable; default: all)"
    )
    make_parser.add_argument("--expires", type=_parse_expiry, metavar="WHEN", help="30d, 12h, or a date: 2030-12-31")
    make_parser.add_argument("--json", action="store_true", help="one JSON object")
    list_parser = actions.add_parser("list", help="list them, without their secrets")
    list_parser.add_argument("--json", action="store_true", help="one object a line")
    revoke_parser = actions.add_parser("revoke", help="revoke keys, effective at once")
    revoke_parser.add_argument("ids", nargs="+", metavar="ID", help="as the list shows it, or a whole key")
    revoke_parser.add_argument("--json", action="store_true", help="one object a line")


def run(services: Services, options: argparse.Namespace) -> int:
    return {"make": _make_key, "list": _list_keys, "revoke": _revoke_keys}[options.what](services, options)


def _make_key(services: Services, options: argparse.Namespace) -> int:
    if not options.name.strip() or len(options.name) > 100 or not options.name.isprintable():
        return print_usage_error("A key needs a name of 1 to 100 characters, on one line.")
    key, secret = services.api_keys.create_key(
        options.name.strip(), options.scope or [READ], options.collection or None, options.expires or ""
    )
    if options.json:
        print(json.dumps({**_key_to_json(key), "key": secret}))
        return 0
    print(secret)
    print(f"The key is shown only once. {key.id}: {_describe_key(key)}", file=sys.stderr)
    return 0


def _list_keys(services: Services, options: argparse.Namespace) -> int:
    keys = services.api_keys.list_keys()
    for key in keys:
        print(
            json.dumps(_key_to_json(key))
            if options.json
            else f"{key.id}  {key.state:8} {key.name}: {_describe_key(key)}"
        )
    if not keys and not options.json:
        print("No keys yet: python -m highlighter keys make NAME makes one.")
    return 0


def _revoke_keys(services: Services, options: argparse.Namespace) -> int:
    # Of a pasted key, only the id is read and repeated.
    ids = [match[1] if (match := re.match(r"hk_([0-9a-f]+)_", id)) else id for id in options.ids]
    known = {key.id: key for key in services.api_keys.list_keys()}
    for id in ids:
        if id not in known:
            return print_usage_error(f"No key has the id {id[:20]}; list keys with python -m highlighter keys list.")
    for id in ids:
        was_valid = services.api_keys.revoke_key(id)
        if options.json:
            print(json.dumps({"id": id, "name": known[id].name, "revoked": was_valid}))
        else:
            print(f"revoked {id}  {known[id].name}" if was_valid else f"{id} was already revoked")
    return 0


def _describe_key(key: ApiKey) -> str:
    where = "all collections" if key.collections is None else ", ".join(sorted(key.collections))
    scopes = " ".join(scope for scope in SCOPES if scope in key.scopes)
    return f"{scopes} in {where}" + (f", until {key.expires}" if key.expires else "")


def _key_to_json(key: ApiKey) -> dict[str, Any]:
    collections = None if key.collections is None else sorted(key.collections)
    fields = asdict(key)
    fields["made"] = fields.pop("created")  # as earlier releases print it
    return {**fields, "scopes": sorted(key.scopes), "collections": collections, "state": key.state}


def _parse_collection(name: str) -> str:
    if not re.fullmatch(COLLECTION_NAME_PATTERN, name):
        raise argparse.ArgumentTypeError(f"{name!r} is not a valid collection name")
    return name


def _parse_expiry(text: str) -> str:
    if match := re.fullmatch(r"(\d{1,5})([dh])", text):
        hours = int(match[1]) * (24 if match[2] == "d" else 1)
        end = datetime.now(UTC) + timedelta(hours=hours)
    else:
        try:
            end = datetime.fromisoformat(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is neither 30d, 12h nor a date such as 2030-12-31") from None
        end = end.astimezone(UTC) if end.tzinfo else end.replace(tzinfo=UTC)
    if end <= datetime.now(UTC):
        raise argparse.ArgumentTypeError(f"{text!r} is in the past")
    return end.isoformat(timespec="seconds")
