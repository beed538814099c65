"""Whatever a child process sends, it runs nothing in this process, and the task ends with a typed error."""

from __future__ import annotations

import io
import pickle
import re
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.locale import N_, join_messages
from highlighter.locale.message_extraction import read_catalogue_file
from highlighter.locale.user_message import UserMessage
from highlighter.models import DAMAGED, FAILED, TIMED_OUT, TOO_LARGE, Chunk, Sentence
from highlighter.store.source_map import SourceMap, SourceRun
from highlighter.workers import replies
from highlighter.workers.process_pool import ProcessPool
from highlighter.workers.replies import REPLY_CLASSES, RefusedReply, load_reply
from ingest.preparation import PreparedDocument
from ingest.readers.ocr.hocr import RecognisedLine, RecognisedWord
from ingest.readers.ocr.page_recognition import RecognisedPage
from tests.highlighter.workers.hostile_tasks import (
    CommandInError,
    CommandWhenRead,
    frame,
    raise_foreign_error,
    return_bytes,
    return_command,
    return_value,
    send_bytes,
)


@pytest.fixture(scope="module")
def pool():
    pool = ProcessPool(workers=1, seconds=60, memory_mb=512)
    yield pool
    pool.close()


def test_reply_that_would_run_a_command_runs_nothing(pool, tmp_path):
    marker = tmp_path / "executed"
    with pytest.raises(UnreadableFile) as refused:
        pool.run(return_command, marker)
    assert refused.value.state == DAMAGED
    assert not marker.exists()
    assert pool.run(return_value, 7) == 7


@pytest.mark.parametrize(
    "make_message",
    [
        lambda marker: frame(pickle.dumps((True, CommandWhenRead(marker)))),
        lambda marker: frame(pickle.dumps((False, CommandInError(marker)))),
        lambda marker: frame(b"no pickle"),
        lambda marker: frame(b""),
        lambda marker: frame(pickle.dumps("no pair")),
        lambda marker: frame(pickle.dumps((False, "no error"))),
    ],
)
def test_message_of_a_child_that_was_taken_over_runs_nothing(pool, tmp_path, make_message):
    marker = tmp_path / "executed"
    with pytest.raises(UnreadableFile) as refused:
        pool.run(send_bytes, make_message(marker))
    assert refused.value.state == DAMAGED
    assert not marker.exists()
    assert pool.run(return_value, 7) == 7


def test_reply_that_is_too_large_is_not_read(pool, monkeypatch):
    monkeypatch.setattr(replies, "MAX_REPLY_BYTES", 1 << 20)
    with pytest.raises(UnreadableFile) as refused:
        pool.run(return_bytes, 1 << 20)
    assert refused.value.state == TOO_LARGE
    assert pool.run(return_bytes, 1000) == bytes(1000)


def test_child_that_announces_more_than_it_sends_is_stopped_by_wall_time():
    pool = ProcessPool(workers=1, seconds=10, memory_mb=512, wall_seconds=1)
    try:
        with pytest.raises(UnreadableFile) as refused:
            pool.run(send_bytes, (1000).to_bytes(4, "big") + b"half")
        assert refused.value.state == TIMED_OUT
    finally:
        pool.close()


def test_error_of_another_package_keeps_its_name(pool):
    with pytest.raises(UnreadableFile) as refused:
        pool.run(raise_foreign_error)
    assert refused.value.state == FAILED
    assert refused.value.detail == "Processing failed (error). Try again."


STAINED_STATE = b"N}X\x05\x00\x00\x00stainK\x01s\x86"  # instructions that make (None, {"stain": 1})


def write_global(module: str, name: str) -> bytes:
    """Return the pickle's instructions that look a name up."""
    return b"c" + f"{module}\n{name}\n".encode()


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("os", "system"),
        ("posix", "system"),
        ("builtins", "eval"),
        ("builtins", "getattr"),
        ("builtins", "SystemExit"),
        ("builtins", "object"),
        ("subprocess", "Popen"),
        ("highlighter.models", "os.system"),
        ("highlighter.models", "Document"),
        ("highlighter.models", "__builtins__"),
        ("copyreg", "_reconstructor"),
        ("numpy", "load"),
    ],
)
def test_names_that_no_reply_needs_are_refused(module, name):
    with pytest.raises(RefusedReply):
        load_reply(b"(" + b"\x88" + write_global(module, name) + b"t.")


@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for module, names in REPLY_CLASSES.items() for name in sorted(names) if module != "pathlib._local"],
)
def test_reply_changes_no_class(module, name):
    """The pickle asks that an attribute be set on the class itself, not on an object of it."""
    with suppress(RefusedReply):
        load_reply(b"(\x88" + write_global(module, name) + STAINED_STATE + b"bt.")
    assert not hasattr(getattr(import_module(module), name), "stain")


def test_every_message_of_the_catalogues_shows_whole_values_alone():
    for message in read_catalogue_file("zh-Hant"):
        for text in [message.id] if isinstance(message.id, str) else message.id:
            names = re.findall(r"\{(\w+)", text)
            assert UserMessage(text, dict.fromkeys(names, 1)).id == text


def test_message_of_a_reply_cannot_be_changed_after_it_was_checked():
    message = pickle.dumps((True, N_("{name}", name="x")))
    with pytest.raises(RefusedReply):
        load_reply(message.removesuffix(b"\x86\x94.") + STAINED_STATE + b"b\x86.")


def test_message_of_a_reply_reveals_nothing_of_this_process():
    """A message is a format string, and a format string can reach from a value to the secrets of the program."""
    field = "{name.__getnewargs__.__globals__}"
    for values in ({"name": 1}, {"name": N_("{count} pages", count=2)}):
        hostile = io.BytesIO()
        pickler = pickle.Pickler(hostile)
        message = N_("{name}", **values)
        message.id = field
        pickler.dump((True, message))
        with pytest.raises(RefusedReply):
            load_reply(hostile.getvalue())


def test_everything_that_children_send_arrives_as_it_was(pool):
    runs = (SourceRun(0, 5, 1, 0, 5), SourceRun(6, 9, 2, 3, 4))
    chunk = Chunk("d" * 32, 1, 0, 0, 9, 1, 2, "4 > 4.2", "Tides 123", ((0, 5, 1),))
    prepared = PreparedDocument(
        "Tides 123",
        SourceMap(runs),
        {"figures": [{"start": 1, "box": (1.5, 2.0)}], "pages": None, "tagged": True},
        ("i", "ii"),
        (chunk,),
        ((0, Sentence(0, 0, 9, "Tides 123", 1, "Tides: 123")),),
        (N_("{count:,} pages have no text.", count=2000), "A plain sentence."),
        join_messages([N_("One."), N_("{name} is two.", name="x")]),
        (("a.txt", Path("/tmp/a.txt")),),
        3,
    )
    page = RecognisedPage(
        1, (0.0, 0.0, 1.0, 1.0), 0, 0, 2.0, "eng", (RecognisedLine(9.0, (RecognisedWord("a", 0.0, 1.0, 2.0, 0.5),)),)
    )
    for value in (prepared, page, [None, b"\x00\xff"], {1, 2}, frozenset({"a"})):
        assert pool.run(return_value, value) == value
    returned = pool.run(return_value, prepared)
    assert [(m.id, m.values) for m in returned.warnings[:1]] == [("{count:,} pages have no text.", {"count": 2000})]
    assert returned.note.parts[1].id == "{name} is two."
    assert type(returned.source_map.runs[0]) is SourceRun
