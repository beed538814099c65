"""The replies of child processes, read without trust: a parser that was taken over may send anything.

A reply is a pickle, which is a program: it names what is called. Only the classes below can be named, so that it makes
nothing but values; the parent works outside the limits of the child, with the keys and the memory of the service.
"""

from __future__ import annotations

import builtins
import io
import pickle
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

MAX_REPLY_BYTES = 256 << 20  # six times what a book of 2,000 pages is

# What the tasks of children return, and the errors that are told apart by their class.
REPLY_CLASSES = {
    "highlighter.errors": {"UnreadableFile"},
    "highlighter.locale.user_message": {"JoinedMessages", "UserMessage"},
    "highlighter.models": {"Chunk", "Sentence"},
    "highlighter.store.catalog": {"DocumentDeleted"},
    "highlighter.store.source_map": {"SourceMap"},
    "highlighter.store.storage_errors": {
        "CatalogBusy",
        "CatalogDamaged",
        "CatalogUnreachable",
        "DiskFull",
        "DiskUnwritable",
        "FilesUnavailable",
    },
    "highlighter.workers.cluster": {"ClusterUnavailable", "ClusterWorkersDied"},
    "highlighter.workers.process_pool": {"ProcessPoolClosed"},
    "highlighter.workers.replies": {"OtherError"},
    "ingest.preparation": {"PreparedDocument"},
    "ingest.readers.ocr.hocr": {"RecognisedLine", "RecognisedWord"},
    "ingest.readers.ocr.page_recognition": {"RecognisedPage"},
    "pathlib": {"PosixPath", "WindowsPath"},
    "pathlib._local": {"PosixPath", "WindowsPath"},  # since Python 3.13
}


class RefusedReply(Exception):
    """The error for a reply that is no reply: its child must be killed."""


class ReplyTooLarge(RefusedReply):
    """The error for a reply that was not read, because it is larger than any should be."""


class OtherError(Exception):
    """An error of a class that is not sent to the parent: its name and its message."""

    def __init__(self, name: str, message: str):
        super().__init__(name, message)
        self.name = name

    def __str__(self) -> str:
        return ": ".join(map(str, self.args))


def dump_error(err: BaseException) -> bytes:
    """Return the reply for a task that raised an error."""
    with suppress(Exception):  # short of memory, perhaps
        err.add_note(traceback.format_exc())
    try:
        reply = pickle.dumps((False, err))
        load_reply(reply)
        return reply
    except Exception:
        return pickle.dumps((False, OtherError(type(err).__name__, str(err))))


def load_reply(data: bytes) -> tuple[bool, Any]:
    """Return (True, the result of a task) or (False, the error that it raised). Raises RefusedReply."""
    try:
        succeeded, result = _ReplyUnpickler(io.BytesIO(data)).load()
    except Exception as err:  # whatever wrong instructions lead to
        raise RefusedReply(type(err).__name__) from err
    if not succeeded and not isinstance(result, Exception):
        raise RefusedReply
    return bool(succeeded), result


class _ReplyUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Callable[..., Any]:
        """Return a class that replies consist of. Raises UnpicklingError for all other names."""
        if name not in REPLY_CLASSES.get(module, ()) and not (module == "builtins" and _is_builtin_error(name)):
            raise pickle.UnpicklingError("not a class of replies")
        found: type = super().find_class(module, name)
        if hasattr(found, "__setstate__"):
            return found
        # A pickle can set attributes of whatever has no such method, the class itself among it: it gets no class.
        return lambda *arguments: found(*arguments)


def _is_builtin_error(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, Exception)
