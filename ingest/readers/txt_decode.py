"""Bytes to text: byte order marks, UTF-8, UTF-16, then whatever older encoding fits."""

from __future__ import annotations

import codecs
import re

from highlighter.errors import Unreadable
from highlighter.locale import N_
from highlighter.models import UNSUPPORTED
from ingest.readers.txt_east_asian import east_asian_encoding

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# How files begin that are certainly no text, whatever they are called.
_OTHER_KINDS = (
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"%PDF-",
    b"\x1f\x8b",
    b"\x7fELF",
    b"MZ\x90",
    b"Rar!",
    b"7z\xbc\xaf",
    b"BZh9",
    b"\xfd7zXZ",
    b"\xd0\xcf\x11\xe0",
    b"SQLite format 3",
    b"OggS",
    b"RIFF",
    b"\xca\xfe\xba\xbe",
    b"{\\rtf",
)
_SAMPLE = 1 << 16
_WESTERN = frozenset("äöüßÄÖÜàâæçéèêëîïôœùûÀÂÇÉÈÊÎÔáíóúñÁÍÓÚÑ¿¡ãõÃÕåøÅØÆ‘’“”„–—…€£§°©®™«»·•\xa0")
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\r\x0b\x0c\x1b"))
_LINE_ENDS = re.compile("\r\n?|[\x85\u2028\x0b]")
_BLOCK_ENDS = re.compile("[\x0c\u2029]")
_UNWRITABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def decode(data: bytes) -> tuple[str, str, tuple[str, ...]]:
    """Text with plain line ends and nothing unprintable, the encoding's name, and what was lost."""
    if data.startswith(_OTHER_KINDS):
        raise Unreadable(UNSUPPORTED, "The file is not plain text, whatever its name says.")
    text, encoding = _decoded(data)
    text = _BLOCK_ENDS.sub("\n\n", _LINE_ENDS.sub("\n", text)).replace("\xa0", " ").replace("\ufeff", "")
    text = _UNWRITABLE.sub("\ufffd", text)
    lost = text.count("\ufffd")
    # One stray byte is nothing to worry a reader with; more is said.
    warnings = (N_(f"{lost} characters of the file make no sense as {encoding} and stand as question marks."),)
    return text, encoding, warnings if lost > 1 else ()


def _decoded(data: bytes) -> tuple[str, str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff"), encoding
    sixteen = _utf16_without_mark(data)
    if sixteen:
        return data.decode(sixteen, "replace"), sixteen
    sample = data[:_SAMPLE]
    control = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    if control > 16 and control > len(sample) * 0.04:
        raise Unreadable(UNSUPPORTED, "The file is not plain text: it is full of bytes that no text has.")
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _older(data)


def _utf16_without_mark(data: bytes) -> str:
    """In UTF-16 every other byte of Western text is zero."""
    sample = data[: min(len(data), _SAMPLE) & ~1]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    enough = len(sample) / 2 * 0.3
    if len(sample) < 4 or len(data) % 2:
        return ""
    if odd > enough and even < odd / 10:
        return "utf-16-le"
    return "utf-16-be" if even > enough and odd < even / 10 else ""


def _older(data: bytes) -> tuple[str, str]:
    """Nearly UTF-8 is taken for UTF-8 with scars; the rest is charset-normalizer's to guess."""
    healed = data.decode("utf-8", "replace")
    broken, good = healed.count("\ufffd"), len(re.findall("[\x80-\ufffc\U00010000-\U0010ffff]", healed))
    if good > 10 * broken:
        return healed, "utf-8"
    from charset_normalizer import from_bytes

    # Only lines that are not plain ASCII tell anything, and a guess from a sample is as good and much faster.
    telling = b"\n".join(line for line in data[: 1 << 20].splitlines() if not line.isascii())[:_SAMPLE]
    encoding = "cp1252" if _western(telling) else east_asian_encoding(telling)
    if not encoding:
        best = from_bytes(telling).best()
        encoding = best.encoding if best else "cp1252"
    return data.decode(encoding, "replace"), encoding


def _western(data: bytes) -> bool:
    """Nearly all that is not ASCII is a letter or mark of Western Europe: its neighbours' encodings differ in few."""
    foreign = [char for char in data.decode("cp1252", "replace") if char > "\x7f"]
    return sum(char in _WESTERN for char in foreign) >= len(foreign) * 0.97
