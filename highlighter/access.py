"""Who may see what. Every route, search, citation and link asks `visible_collections`, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from highlighter.errors import BadRequest

COLLECTION_NAME = r"^[\w][\w .\-]{0,99}$"


@dataclass(frozen=True, slots=True)
class Visible:
    """The collections a caller may see. `names is None` means every one."""

    names: frozenset[str] | None = None

    def __contains__(self, collection: str) -> bool:
        return self.names is None or collection in self.names

    def only(self, collection: str) -> Visible:
        """This one collection, as far as it may be seen."""
        return Visible(frozenset({collection}) if collection in self else frozenset())


def visible_collections(caller: object | None = None) -> Visible:
    """All of them, to whoever asks: there are no keys yet. Nothing tells what is not visible from what is unknown."""
    return Visible()


def checked_collection(name: str) -> str:
    """A name that a collection may have, or a BadRequest that says what it may be."""
    if not re.fullmatch(COLLECTION_NAME, name) or name.endswith("\n"):
        raise BadRequest(
            f"A collection cannot be called {name!r}: letters, digits, spaces, dots, - and _, at most 100, and a letter, "
            "a digit or _ first."
        )
    return name
