"""python -m highlighter people: lists who has signed in, and signs people out."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from highlighter.cli.common import print_usage_error

if TYPE_CHECKING:
    from highlighter.services import Services
    from highlighter.store.people import KnownPerson

SUMMARY = "list who has signed in, and sign people out"
EXAMPLES = """examples:
  python -m highlighter people list
  python -m highlighter people sign-out p-3f9a0c52d7e1aa

The id of a person stands for them in the audit, which holds no names. Signing somebody out ends their sessions at once, on
all of their machines; whether they may sign in again is for the OpenID provider to say, and what they may do for ACCESS_RULES."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="what", required=True, metavar="list | sign-out")
    list_parser = actions.add_parser("list", help="list them by name")
    list_parser.add_argument("--json", action="store_true", help="one object a line")
    sign_out_parser = actions.add_parser("sign-out", help="end all sessions of people")
    sign_out_parser.add_argument("ids", nargs="+", metavar="ID", help="as the list shows it")
    sign_out_parser.add_argument("--json", action="store_true", help="one object a line")


def run(services: Services, options: argparse.Namespace) -> int:
    return {"list": _list_people, "sign-out": _sign_people_out}[options.what](services, options)


def _list_people(services: Services, options: argparse.Namespace) -> int:
    people = services.people.list_people()
    for person in people:
        print(json.dumps(_person_to_json(person), ensure_ascii=False) if options.json else _describe_person(person))
    if not people and not options.json:
        print("Nobody has signed in yet.")
    return 0


def _sign_people_out(services: Services, options: argparse.Namespace) -> int:
    known = {person.audit_id: person for person in services.people.list_people()}
    for id in options.ids:
        if id not in known:
            return print_usage_error(
                f"Nobody has the id {id[:20]}; list people with python -m highlighter people list."
            )
    for id in options.ids:
        count = services.people.end_sessions_of(known[id].id)
        if options.json:
            print(json.dumps({"id": id, "name": known[id].name, "ended_sessions": count}, ensure_ascii=False))
        else:
            print(f"signed out {id}  {known[id].name}: {count} {'session' if count == 1 else 'sessions'} ended")
    return 0


def _describe_person(person: KnownPerson) -> str:
    state = f"signed in {person.sessions} x" if person.sessions else "no session"
    return f"{person.audit_id}  {state:14} {person.name}, since {person.created[:10]}"


def _person_to_json(person: KnownPerson) -> dict[str, object]:
    fields = asdict(person)
    del fields["id"]
    return {"id": fields.pop("audit_id"), **fields}
