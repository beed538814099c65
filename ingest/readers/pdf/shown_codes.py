"""Count the character codes in the content of a page, without decoding them: a hundredth of the work of reading its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pypdf

_STRING = rb"\((?:[^\\()]|\\.|\((?:[^\\()]|\\.)*\))*\)|<[0-9A-Fa-f\s]*>"
# Without groups, so that each alternative begins with a literal: the search then skips what begins with none of them.
_TOKEN = re.compile(
    rb"/[^\s/()<>\[\]{}%]+\s+[-+.\d]+\s+Tf\b"
    rb"|<<(?:[^<>()]|" + _STRING + rb")*>>"  # the dictionary of a mark, whose strings are not shown
    rb"|" + _STRING,
    re.DOTALL,
)
_ESCAPE = re.compile(rb"\\(?:[0-7]{1,3}|\r\n|.)", re.DOTALL)
_WHITESPACE = b" \t\r\n\f\v"
_TWO_BYTE_ENCODING = re.compile(r"/Identity|UCS2|UTF16")
_SPACE_CODE = re.compile(
    rb"^\s*<([0-9A-Fa-f]{4})>\s*(?:<\1>\s*)?<00(?:20|[Aa]0)>", re.MULTILINE
)  # in a font's map to letters
_BYTE_PAIR = re.compile(rb"..", re.DOTALL)
_IS_DIGIT = np.zeros(256, bool)  # of hexadecimal strings
_IS_DIGIT[list(b"0123456789ABCDEFabcdef")] = True
_MIXED_CODE = re.compile(rb"[\x81-\xfe].|[^ ]", re.DOTALL)  # of the older encodings for East Asia: one byte or two

CountCodes = Callable[[list[bytes]], int]


class DecodedContent(NamedTuple):
    """A decoded content stream, and the page or form that has its fonts."""

    data: bytes
    container: Any


def read_content_streams(page: pypdf.PageObject) -> list[DecodedContent]:
    """Return what a page can show at most: the content of the page and of all forms that it names."""
    contents = page.get_contents()
    streams = [] if contents is None else [DecodedContent(contents.get_data(), page)]
    return [*streams, *_iterate_forms(page, set())]


def bound_shown_codes(streams: list[DecodedContent]) -> int:
    """Return a number that the character codes do not exceed, without looking for strings: a code has one byte or more."""
    return sum(_measure_strings(stream.data)[0] for stream in streams)


def bound_codes_by_fonts(streams: list[DecodedContent]) -> int:
    """Return a number that the character codes do not exceed: where all fonts have two-byte codes, a code has two."""
    bound = 0
    for data, container in streams:
        size, count = _measure_strings(data)
        is_paired = all(map(_has_two_byte_codes, map(_resolve, _list_fonts(container).values())))
        bound += min((size + count) // 2, size) if is_paired else size
    return bound


def count_shown_codes(streams: list[DecodedContent]) -> int:
    """Return how many character codes there are at most."""
    return sum(_count_codes(_split_at_fonts(data), _list_fonts(container)) for data, container in streams)


def _measure_strings(data: bytes) -> tuple[int, int]:
    """Return how many bytes the strings have at most, and how many strings there are at most.

    Brackets that stand elsewhere, as in a picture, can make these too high, never too low.
    """
    codes = np.frombuffer(_ESCAPE.sub(b"x", data) if b"\\" in data else data, np.uint8)
    is_literal, count = _find_enclosed(codes, b"()")
    size = np.count_nonzero(is_literal)
    if b"<" in data:
        is_hexadecimal, hexadecimal_count = _find_enclosed(codes, b"<>")
        size += (np.count_nonzero(_IS_DIGIT[codes[is_hexadecimal]]) + 1) // 2
        count += hexadecimal_count
    return int(size), count


def _find_enclosed(codes: np.ndarray, brackets: bytes) -> tuple[np.ndarray, int]:
    """Return which bytes are between brackets, and how many brackets are opened."""
    is_open, is_close = codes == brackets[0], codes == brackets[1]
    depth = np.cumsum(is_open.view(np.int8) - is_close.view(np.int8), dtype=np.int32)
    if depth.min(initial=0) < 0:  # a bracket is closed that was not opened: every byte may be in a string
        return np.ones(len(codes), bool), len(codes)
    is_outermost = is_open & (depth == 1)
    return (depth > 0) & ~is_outermost, int(np.count_nonzero(is_open))


def _iterate_forms(container: Any, seen: set[int]) -> Iterator[DecodedContent]:
    for form in map(_resolve, _resolve(_resolve(container.get("/Resources")).get("/XObject")).values()):
        if form.get("/Subtype") == "/Form" and id(form) not in seen:
            seen.add(id(form))
            yield DecodedContent(form.get_data(), form)
            yield from _iterate_forms(form, seen)


def _list_fonts(container: Any) -> dict[str, Any]:
    return dict(_resolve(_resolve(container.get("/Resources")).get("/Font")))


def _resolve(value: Any) -> Any:
    return {} if value is None else value.get_object()


def _split_at_fonts(data: bytes) -> list[tuple[bytes, list[bytes]]]:
    strings: list[bytes] = []
    runs = [(b"", strings)]
    for token in _TOKEN.findall(data):
        if token.startswith(b"/"):
            strings = []
            runs.append((token.split(None, 1)[0], strings))
        elif not token.startswith(b"<<"):
            strings.append(_decode_string(token))
    return runs


def _decode_string(string: bytes) -> bytes:
    """Return the bytes of a string, with "x" for each byte that is written as an escape."""
    if string.startswith(b"<"):
        digits = string[1:-1].translate(None, _WHITESPACE)
        return bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii"))
    return _ESCAPE.sub(b"x", string[1:-1]) if b"\\" in string else string[1:-1]


def _count_codes(runs: list[tuple[bytes, list[bytes]]], fonts: dict[str, Any]) -> int:
    counters: dict[bytes, CountCodes] = {b"": _count_single_bytes}
    font_by_name = {name.encode("latin-1", "replace"): font for name, font in fonts.items()}
    count = 0
    for name, strings in runs:
        if name not in counters:
            counters[name] = _choose_counter(_resolve(font_by_name.get(name)))
        count += counters[name](strings)
    return count


def _has_two_byte_codes(font: Any) -> bool:
    encoding = font.get("/Encoding")
    is_composite = font.get("/Subtype") == "/Type0" and isinstance(encoding, str)
    return is_composite and _TWO_BYTE_ENCODING.search(encoding) is not None


def _choose_counter(font: Any) -> CountCodes:
    if font.get("/Subtype") != "/Type0":
        return _count_single_bytes
    encoding = font.get("/Encoding")
    if not isinstance(encoding, str):
        return _count_bytes  # the file defines the encoding itself: codes may have any length
    return _choose_pair_counter(font) if _TWO_BYTE_ENCODING.search(encoding) else _count_mixed_bytes


def _choose_pair_counter(font: Any) -> CountCodes:
    to_unicode = _resolve(font.get("/ToUnicode"))
    match = _SPACE_CODE.search(to_unicode.get_data()) if hasattr(to_unicode, "get_data") else None
    if not match:
        return _count_byte_pairs
    space = bytes.fromhex(match[1].decode("ascii"))
    return lambda strings: _count_byte_pairs(strings) - _count_spaces(strings, space)


def _count_spaces(strings: list[bytes], space: bytes) -> int:
    return sum(_BYTE_PAIR.findall(string).count(space) for string in strings if space in string)


def _count_bytes(strings: list[bytes]) -> int:
    return sum(map(len, strings))


def _count_single_bytes(strings: list[bytes]) -> int:
    joined = b"".join(strings)
    return len(joined) - joined.count(b" ")


def _count_byte_pairs(strings: list[bytes]) -> int:
    return sum((len(string) + 1) // 2 for string in strings)


def _count_mixed_bytes(strings: list[bytes]) -> int:
    return sum(len(_MIXED_CODE.findall(string)) for string in strings)
