"""The people who sign in, and what they may do."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from highlighter.access import Principal
from highlighter.sign_in.access_rules import AccessGrant

PROXY = "proxy"  # the issuer of people who are signed in by the header of a proxy
MAX_NAME_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Person:
    """A signed-in person. The id is the same on each of their machines; `session` is "" where a proxy signs them in."""

    id: str
    name: str
    groups: frozenset[str]
    session: str = ""  # the digest of the cookie


def compute_person_id(issuer: str, subject: str) -> str:
    """Return the id of a person: of the same subject at another issuer, it is another one."""
    return hashlib.sha256(f"{issuer}\n{subject}".encode("utf-8", "replace")).hexdigest()[:32]


def build_principal(person: Person, grants: list[AccessGrant], scope: str) -> Principal | None:
    """Return the principal by which a person does something; None when no grant has the scope for it.

    It sees the collections of the grants with this scope alone: to read one collection and to upload to another are two
    rights, which together are not the right to upload to both.
    """
    matching = [grant for grant in grants if grant.has_scope(scope)]
    if not matching:
        return None
    names = [grant.collections for grant in matching if grant.collections is not None]
    collections = frozenset().union(*names) if len(names) == len(matching) else None
    return Principal(person.name, frozenset({scope}), collections, person=person.id, session=person.session)
