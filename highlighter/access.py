"""Who may see what. Every route, search, citation and link asks `visible_collections`, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Visible:
    """The collections a caller may see. `names is None` means every one."""

    names: frozenset[str] | None = None

    def __contains__(self, collection: str) -> bool:
        return self.names is None or collection in self.names


def visible_collections(caller: object | None = None) -> Visible:
    """All of them, to whoever asks: there are no keys yet. Nothing tells what is not visible from what is unknown."""
    return Visible()
