"""Damage to files: bytes that are changed, lost, doubled and mixed with those of another file."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from random import Random

MAX_CHANGES = 12
INTERESTING_BYTES = (0, 0x0A, 0x28, 0x3C, 0x5B, 0x7F, 0x80, 0xFF)
INTERESTING_NUMBERS = (
    b"0",
    b"-1",
    b"1",
    b"65535",
    b"65536",
    b"2147483647",
    b"4294967296",
    b"99999999999",
    b"1e99",
    b"0.0000001",
)
INTERESTING_TEXTS = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in ("\0", "\ufeff", "\u202e", "\u2028", "\ud800", "\x0c", "\r", "e" + "\u0301" * 500, " " * 5000, "." * 5000, "<" * 500, "[1," * 500)
)  # fmt: skip
NUMBER = re.compile(rb"\d+")

Change = Callable[[bytearray, bytes, Random], None]


def _set_byte(content: bytearray, _other: bytes, random: Random) -> None:
    content[random.randrange(len(content))] = random.choice((*INTERESTING_BYTES, random.randrange(256)))


def _flip_bit(content: bytearray, _other: bytes, random: Random) -> None:
    content[random.randrange(len(content))] ^= 1 << random.randrange(8)


def _remove_span(content: bytearray, _other: bytes, random: Random) -> None:
    start = random.randrange(len(content))
    del content[start : start + random.choice((1, 7, 200, 5000))]


def _double_span(content: bytearray, _other: bytes, random: Random) -> None:
    start = random.randrange(len(content))
    span = bytes(content[start : start + random.choice((1, 30, 3000))])
    content[start:start] = span * random.choice((1, 2, 40))


def _take_span_of_other(content: bytearray, other: bytes, random: Random) -> None:
    start, length = random.randrange(len(other)), random.choice((5, 100, 4000))
    at = random.randrange(len(content))
    content[at : at + random.choice((0, length))] = other[start : start + length]


def _change_number(content: bytearray, _other: bytes, random: Random) -> None:
    at = random.randrange(len(content))
    if match := NUMBER.search(content, at):
        content[match.start() : match.end()] = random.choice(INTERESTING_NUMBERS)


def _insert_text(content: bytearray, _other: bytes, random: Random) -> None:
    at = random.randrange(len(content))
    content[at:at] = random.choice(INTERESTING_TEXTS)


def _cut_off(content: bytearray, _other: bytes, random: Random) -> None:
    del content[random.randrange(1, len(content) + 1) :]


CHANGES: tuple[Change, ...] = (
    _set_byte, _flip_bit, _remove_span, _double_span, _take_span_of_other, _change_number, _change_number, _insert_text
)  # fmt: skip


def damage(content: bytes, other: bytes, random: Random) -> bytes:
    """Return a damaged copy of a file; of a zip archive, mostly its parts are damaged, so that readers get to see them."""
    if content.startswith(b"PK") and random.random() < 0.8:
        return _damage_parts(content, other, random)
    return _damage_bytes(content, other, random)


def _damage_bytes(content: bytes, other: bytes, random: Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(random.randint(1, MAX_CHANGES)):
        if not damaged:
            break
        random.choice(CHANGES)(damaged, other or content, random)
    if damaged and random.random() < 0.05:
        _cut_off(damaged, other, random)
    return bytes(damaged)


def _damage_parts(content: bytes, other: bytes, random: Random) -> bytes:
    """Return a whole archive with one or two damaged parts."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    names = [name for name in parts if name.endswith((".xml", ".rels")) and parts[name]] or list(parts)
    for name in random.sample(names, min(len(names), random.randint(1, 2))):
        parts[name] = _damage_bytes(parts[name], other, random)
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return result.getvalue()
