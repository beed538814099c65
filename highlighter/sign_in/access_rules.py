"""The access rules: which groups of people have which scopes in which collections, read from the file ACCESS_RULES."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from highlighter.access import ADMIN, COLLECTION_NAME_PATTERN, SCOPES
from highlighter.settings import SettingsError

ALL_COLLECTIONS = "*"
EXAMPLE = """contact = "library@example.org"

[groups.lawyers]
scopes = ["read", "answer"]
collections = ["contracts"]"""


@dataclass(frozen=True, slots=True)
class AccessGrant:
    """Scopes in some collections; None: in all of them."""

    scopes: frozenset[str]
    collections: frozenset[str] | None

    def has_scope(self, scope: str) -> bool:
        return scope in self.scopes or ADMIN in self.scopes


@dataclass(frozen=True, slots=True)
class AccessRules:
    """What each group may do, and everybody who has signed in; `contact` is whom people without access may ask."""

    groups: dict[str, AccessGrant]
    signed_in: AccessGrant | None = None
    contact: str = ""

    def list_grants(self, groups: Iterable[str]) -> list[AccessGrant]:
        """Return the grants of a signed-in person who is in some groups; those without a rule count for nothing."""
        grants = [self.groups[name] for name in sorted(groups) if name in self.groups]
        return [*grants, self.signed_in] if self.signed_in else grants


class _GrantEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    scopes: Annotated[list[Literal["read", "ingest", "answer", "admin"]], Field(min_length=1)]
    collections: (
        Literal["*"]
        | Annotated[list[Annotated[str, StringConstraints(pattern=COLLECTION_NAME_PATTERN)]], Field(min_length=1)]
    )

    def build_grant(self) -> AccessGrant:
        collections = None if self.collections == ALL_COLLECTIONS else frozenset(self.collections)
        return AccessGrant(frozenset(self.scopes), collections)


class _RulesFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    contact: Annotated[str, Field(max_length=200)] = ""
    signed_in: _GrantEntry | None = None
    groups: dict[str, _GrantEntry] = {}

    @model_validator(mode="after")
    def require_a_rule(self) -> _RulesFile:
        if not self.groups and self.signed_in is None:
            raise ValueError("it names no groups, so nobody could do anything")
        return self


def read_access_rules(path: Path) -> AccessRules:
    """Return the rules of a TOML file, or of a JSON file by its suffix. Raises SettingsError that names what is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
        entries = _RulesFile.model_validate(content)
    except OSError as err:
        raise SettingsError(f"ACCESS_RULES={str(path)!r} cannot be read: {err.strerror}.") from err
    except ValidationError as err:
        raise SettingsError(f"ACCESS_RULES={str(path)!r} cannot be used: {_describe(err)}.") from err
    except ValueError as err:  # neither JSON nor TOML, or not UTF-8
        raise SettingsError(f"ACCESS_RULES={str(path)!r} cannot be used: {str(err).rstrip('.')}.") from err
    return AccessRules(
        {name: entry.build_grant() for name, entry in entries.groups.items()},
        entries.signed_in.build_grant() if entries.signed_in else None,
        entries.contact.strip(),
    )


def _describe(err: ValidationError) -> str:
    """Return what is wrong in the first place that is: where, and what would be right."""
    error = err.errors()[0]
    place = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return f"{place} is unknown; there are contact, signed_in and groups, and in each group scopes and collections"
    for name, kind in (
        ("scopes", f"a list of {', '.join(SCOPES)}"),
        ("collections", f'"{ALL_COLLECTIONS}" or a list of names of collections'),
    ):
        if name in error["loc"]:
            return f"{place.partition(f'.{name}')[0]}.{name} must be {kind}"
    message = str(error.get("ctx", {}).get("error", error["msg"]))
    return f"{place}: {message[:1].lower()}{message[1:]}" if place else message
