"""Decompress RTF as e-mails of Outlook store it (MS-OXRTFCP)."""

from __future__ import annotations

import struct
import zlib

MAX_RTF_BYTES = 16 << 20  # unpacked; a byte of compressed RTF makes at most eight
_HEADER = struct.Struct("<IIII")  # size of what follows it, size unpacked, kind of compression, checksum
_SIZE_BYTES = 4  # of the first field, which the size does not count
_COMPRESSED, _UNCOMPRESSED = 0x75465A4C, 0x414C454D  # "LZFu", "MELA"
_WINDOW_BYTES, _MIN_COPIED_BYTES, _LENGTH_BITS = 4096, 2, 4
# What the window holds at first: words that begin many RTF files.
_FIRST_WINDOW = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    + b"\r\n"
    + rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def decompress_rtf(data: bytes) -> bytes:
    """Return the RTF of a property of Outlook. Raises `ValueError` for what is damaged or too large."""
    if len(data) < _HEADER.size:
        raise ValueError("The header is cut off.")
    size, unpacked_size, kind, checksum = _HEADER.unpack_from(data)
    packed = data[_HEADER.size : size + _SIZE_BYTES]
    if unpacked_size > MAX_RTF_BYTES:
        raise ValueError("The text is too large.")
    if kind == _UNCOMPRESSED:
        return packed[:unpacked_size]
    if kind != _COMPRESSED or _compute_checksum(packed) != checksum:
        raise ValueError("The text is damaged.")
    return _decompress(packed, unpacked_size)


def _compute_checksum(packed: bytes) -> int:
    """Return the CRC-32 as Microsoft computes it: begun with 0, and not inverted at the end."""
    return zlib.crc32(packed, 0xFFFFFFFF) ^ 0xFFFFFFFF


def _decompress(packed: bytes, unpacked_size: int) -> bytes:
    """Return what tokens stand for, eight after each byte of flags: a byte, or a copy of bytes in the window before it."""
    unpacked, position, end = bytearray(_FIRST_WINDOW), 0, len(_FIRST_WINDOW) + unpacked_size
    while position < len(packed) and len(unpacked) < end:
        flags = packed[position]
        position += 1
        for bit in range(8):
            token = packed[position : position + (2 if flags >> bit & 1 else 1)]
            position += len(token)
            if len(token) == 2:
                offset, length = divmod(int.from_bytes(token, "big"), 1 << _LENGTH_BITS)
                distance = (len(unpacked) - offset) % _WINDOW_BYTES
                if not distance:  # the place that is written next: the end
                    return bytes(unpacked[len(_FIRST_WINDOW) : end])
                _copy(unpacked, distance, length + _MIN_COPIED_BYTES)
            else:
                unpacked += token
    return bytes(unpacked[len(_FIRST_WINDOW) : end])


def _copy(unpacked: bytearray, distance: int, length: int) -> None:
    """Append bytes from `distance` bytes before the end on; they may be among those that are appended."""
    start = len(unpacked) - distance
    if start < 0:
        raise ValueError("The text is damaged.")
    for position in range(start, start + length):
        unpacked.append(unpacked[position])
