"""Compress RTF as Outlook does (MS-OXRTFCP): python -m tests.ingest.readers.rtf_compression FILE"""

from __future__ import annotations

import sys
from pathlib import Path

from ingest.readers.compressed_rtf import (
    _COMPRESSED,
    _FIRST_WINDOW,
    _HEADER,
    _LENGTH_BITS,
    _MIN_COPIED_BYTES,
    _SIZE_BYTES,
    _WINDOW_BYTES,
    _compute_checksum,
)

_MAX_COPIED_BYTES = _MIN_COPIED_BYTES + (1 << _LENGTH_BITS) - 1


def compress_rtf(rtf: bytes) -> bytes:
    """Return the RTF as a property of Outlook, with copies of what came before wherever there is any."""
    tokens = _list_tokens(_FIRST_WINDOW + rtf, len(_FIRST_WINDOW))
    packed = bytearray()
    for start in range(0, len(tokens), 8):
        group = tokens[start : start + 8]
        packed.append(sum(1 << bit for bit, token in enumerate(group) if len(token) == 2))
        packed += b"".join(group)
    return wrap_rtf(bytes(packed), len(rtf), _COMPRESSED, _compute_checksum(bytes(packed)))


def wrap_rtf(packed: bytes, unpacked_size: int, kind: int, checksum: int = 0) -> bytes:
    """Return bytes under the header of compressed RTF."""
    return _HEADER.pack(len(packed) + _HEADER.size - _SIZE_BYTES, unpacked_size, kind, checksum) + packed


def _list_tokens(data: bytes, position: int) -> list[bytes]:
    tokens = []
    while position < len(data):
        start, length = _find_longest_copy(data, position)
        tokens.append(_make_copy_token(start, length) if length else data[position : position + 1])
        position += length or 1
    return [*tokens, _make_copy_token(position, _MIN_COPIED_BYTES)]


def _find_longest_copy(data: bytes, position: int) -> tuple[int, int]:
    """Return the start and length of the longest bytes in the window that come next, too; a length of 0 without any."""
    first = max(position - _WINDOW_BYTES + 1, 0)
    for length in range(min(_MAX_COPIED_BYTES, len(data) - position), _MIN_COPIED_BYTES - 1, -1):
        start = data.rfind(data[position : position + length], first, position + length - 1)
        if start >= 0:
            return start, length
    return 0, 0


def _make_copy_token(start: int, length: int) -> bytes:
    return ((start % _WINDOW_BYTES) << _LENGTH_BITS | length - _MIN_COPIED_BYTES).to_bytes(2, "big")


if __name__ == "__main__":
    sys.stdout.buffer.write(compress_rtf(Path(sys.argv[1]).read_bytes()))
