"""A key that is passed around without being seen: whoever prints what holds it prints stars."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    _value: str = field(default="")

    def reveal(self) -> str:
        """For the one place that sends it."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Secret(***)" if self._value else "Secret()"

    __str__ = __repr__
