"""A long list cut into pages, counted from 1. A page that is not there is the nearest one that is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pager:
    number: int
    size: int
    total: int

    @classmethod
    def at(cls, asked: int | None, size: int, total: int) -> Pager:
        last = max(1, -(-total // size))
        return cls(min(max(asked or 1, 1), last), size, total)

    @property
    def last(self) -> int:
        return max(1, -(-self.total // self.size))

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.size

    @property
    def shown(self) -> tuple[int, int]:
        """The first and the last item of this page, counted from 1."""
        return self.offset + 1, min(self.offset + self.size, self.total)
