"""The output of a command on a terminal: words of documents and models cannot command the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO

# Control characters but tab, line feed and the colours of our own commands: a terminal can be told to change its title,
# to write to the clipboard or to move the cursor over what was printed before.
_CONTROL_PATTERN = re.compile(r"(?!\x1b\[(?:[012]|30;43)m)[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def escape_controls(text: str) -> str:
    """Return the text with control characters written as `\\x1b`."""
    return _CONTROL_PATTERN.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


@contextmanager
def protect_terminal() -> Iterator[None]:
    """Escape what is printed within the block, where the output is a terminal. Files and pipes get it unchanged."""
    if sys.stdout is None or not sys.stdout.isatty():
        yield
        return
    with redirect_stdout(_EscapingOutput(sys.stdout)):
        yield


class _EscapingOutput:
    """A text stream that escapes control characters; all else is that of the stream behind it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(escape_controls(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
