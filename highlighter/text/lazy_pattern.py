"""Regular expressions that are compiled at their first use: to compile all of them took a seventh of each process's start."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")


class LazyPattern:
    """A regular expression that is compiled when something is first looked for with it."""

    def __init__(self, pattern: str, flags: re.RegexFlag) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))  # found without this function from now on
        return getattr(compiled, name)


def compile_later(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return a pattern whose methods and attributes are those of `re.compile(pattern, flags)`."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))
