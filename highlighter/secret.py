"""A secret that can be passed around without being shown: its repr and str are stars."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A secret text."""

    _value: str = field(default="")

    def reveal(self) -> str:
        """Return the secret, for the code that sends it."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Secret(***)" if self._value else "Secret()"

    __str__ = __repr__
