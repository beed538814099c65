"""What a search may find, as conditions in SQL: the forced ones (visible, readable, current) and those asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam, text

from highlighter.access import Visible
from highlighter.models import READABLE
from highlighter.store.schema import documents

# Keys of a filter that mean the document itself; every other key is looked up in its metadata.
OWN = ("collection", "kind", "name")


class Key(NamedTuple):
    """Names a chunk."""

    document_id: str
    pipeline: int
    index: int


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents are searched. `where` holds (key, values): any of the values will do, and every key must."""

    visible: Visible = Visible()
    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    document_id: str = ""  # this one alone, be it current or not

    @classmethod
    def of(cls, visible: Visible, where: Mapping[str, Any] | None) -> Scope:
        """Values are a value or a list of them. They are compared as text: 2024 finds 2024 and "2024"."""
        return cls(visible, tuple((_as_text(key), _as_texts(value)) for key, value in (where or {}).items()))

    @property
    def everything(self) -> bool:
        """Whether nothing is left out but what can never be found."""
        return self.visible.names is None and not self.where and not self.document_id

    def conditions(self) -> list[ColumnElement[bool]]:
        """On rows of `documents`."""
        found = [documents.c.state.in_(sorted(READABLE)), documents.c.leaving == ""]
        if self.visible.names is not None:
            found.append(documents.c.collection.in_(sorted(self.visible.names)))
        if self.document_id:
            found.append(documents.c.id == self.document_id)
        else:
            found.append(documents.c.current)
        return found + [_holds(number, *asked) for number, asked in enumerate(self.where)]


def _holds(number: int, key: str, values: tuple[str, ...]) -> ColumnElement[bool]:
    if key in OWN:
        return documents.c[key].in_(values)
    names = {"key": f"key_{number}", "values": f"values_{number}"}
    return text(_IN_META.format(**names)).bindparams(
        bindparam(names["key"], key), bindparam(names["values"], list(values), expanding=True)
    )


# true, false and null go by the names JSON gives them, numbers by their digits.
_AS_TEXT = "CASE WHEN {0}.type IN ('true', 'false', 'null') THEN {0}.type ELSE CAST({0}.value AS TEXT) END"

# A key's own value, or any item of it where it is a list. Walked through, not addressed by a path: so any key will do.
_IN_META = f"""EXISTS (
    SELECT 1 FROM json_each(documents.meta) AS entry WHERE entry.key = :{{key}} AND (
        (entry.type <> 'array' AND {_AS_TEXT.format("entry")} IN :{{values}})
        OR EXISTS (
            SELECT 1 FROM json_each(CASE entry.type WHEN 'array' THEN entry.value ELSE '[]' END) AS item
            WHERE {_AS_TEXT.format("item")} IN :{{values}})))"""


def _as_texts(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list | tuple | set | frozenset) else [value]
    return tuple(_as_text(item) for item in values)


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # Half a character (a lone surrogate) cannot be sent to SQLite, nor be in it.
    return "null" if value is None else str(value).encode("utf-8", "backslashreplace").decode("utf-8")
