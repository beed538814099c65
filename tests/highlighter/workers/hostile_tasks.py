"""What a parser that was taken over does in its child process. The module imports little: each of the children does, too."""

from __future__ import annotations

import os
import stat
import time
import zlib
from contextlib import suppress
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED


class CommandWhenRead:
    """A value whose pickle runs a command where it is read."""

    def __init__(self, marker: Path):
        self.marker = marker

    def __reduce__(self):
        return os.system, (f"touch {self.marker}",)


class CommandInError(UnreadableFile):
    """An error whose pickle runs a command where it is read."""

    def __init__(self, marker: Path):
        super().__init__(DAMAGED, "The file is damaged.")
        self.marker = marker

    def __reduce__(self):
        return os.system, (f"touch {self.marker}",)


def return_command(marker):
    return {"facts": [CommandWhenRead(marker)]}


def find_connection():
    """Return the file descriptor over which this process answers, as a parser that was taken over would find it."""
    for descriptor in range(3, 4096):
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                return descriptor
    raise AssertionError("no connection")


def send_bytes(data):
    """Write bytes past the program that runs in this child, and end without an answer of its own."""
    os.write(find_connection(), data)
    time.sleep(60)


def frame(data):
    return len(data).to_bytes(4, "big") + data


def return_bytes(count):
    return bytes(count)


def return_value(value):
    return value


def raise_foreign_error():
    raise zlib.error("words of a document")
