"""The marks that PDFium reports around the objects of a page: numbers in the structure tree, and ActualText."""

from __future__ import annotations

import ctypes
from itertools import compress, repeat
from typing import NamedTuple

import numpy as np

from highlighter.pages.pdfium import _INT, _POINTER, _ULONG, _as_argument, _bind, _bind_unchecked

_mark_count = _bind_unchecked("FPDFPageObj_CountMarks", _INT)
_mark_at = _bind("FPDFPageObj_GetMark", _POINTER, _POINTER, _ULONG)
_mark_name = _bind("FPDFPageObjMark_GetName", _INT, _POINTER, _POINTER, _ULONG, _POINTER)
_mark_text = _bind("FPDFPageObjMark_GetParamBlobValue", _INT, _POINTER, _POINTER, _POINTER, _ULONG, _POINTER)
_mark_number = _bind("FPDFPageObjMark_GetParamIntValue", _INT, _POINTER, _POINTER, _POINTER)
_object_matrix = _bind("FPDFPageObj_GetMatrix", _INT, _POINTER, _POINTER)
_object_type = _bind("FPDFPageObj_GetType", _INT, _POINTER)
_form_object_count = _bind("FPDFFormObj_CountObjects", _INT, _POINTER)
_form_object_at = _bind("FPDFFormObj_GetObject", _POINTER, _POINTER, _ULONG)
_is_generated = _bind("FPDFText_IsGenerated", _INT, _POINTER, _INT)

_ACTUAL_TEXT, _CONTENT_ID = ctypes.create_string_buffer(b"ActualText"), ctypes.create_string_buffer(b"MCID")
_buffer = ctypes.create_string_buffer(4096)
_length = ctypes.c_ulong()
_number = ctypes.c_int()
_matrix = (ctypes.c_float * 6)()


class ContentMark(NamedTuple):
    """A mark around objects of a page; objects between the same operators have the mark with the same address."""

    address: int
    name: str
    content_id: int  # its number in the structure tree, or -1
    actual_text: str | None  # what its objects stand for together


def find_marked(objects: list[int]) -> set[int]:
    """Return those of the objects that stand in marks: few in files without a structure tree."""
    return set(compress(objects, map(_mark_count, map(_as_argument, objects))))


def read_marks(obj: int, known: dict[int, ContentMark]) -> list[ContentMark]:
    """Return the marks around an object, the outermost first; `known` holds those that were read before, by address."""
    marks: list[ContentMark] = []
    for number in range(_mark_count(_as_argument(obj))):
        address = _mark_at(obj, number)
        if address:
            if address not in known:
                known[address] = _read_mark(address)
            marks.append(known[address])
    return marks


def _read_mark(mark: int) -> ContentMark:
    start, size, length = ctypes.addressof(_buffer), len(_buffer), ctypes.addressof(_length)
    name = _read_buffer().decode("utf-16-le", "replace").rstrip("\0") if _mark_name(mark, start, size, length) else ""
    has_number = _mark_number(mark, ctypes.addressof(_CONTENT_ID), ctypes.addressof(_number))
    content_id = _number.value if has_number else -1
    # PDFium's own decoding loses characters, so the bytes are read.
    has_text = _mark_text(mark, ctypes.addressof(_ACTUAL_TEXT), start, size, length) and _length.value <= size
    return ContentMark(mark, name, content_id, _decode_text(_read_buffer()) if has_text else None)


def _read_buffer() -> bytes:
    return _buffer.raw[: min(_length.value, len(_buffer))]


def _decode_text(text: bytes) -> str:
    """Decode a PDF text string, whose first bytes name its encoding."""
    for start, encoding in ((b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"), (b"\xef\xbb\xbf", "utf-8")):
        if text.startswith(start):
            return text[len(start) :].decode(encoding, "replace")
    return text.decode("latin-1")


def list_form_objects(form: int, max_objects: int) -> list[tuple[int, int]]:
    """Return (address, type) of the objects in a form object, or none when there are too many."""
    count = _form_object_count(form)
    if not 0 < count <= max_objects:
        return []
    objects = [obj for obj in map(_form_object_at, repeat(form, count), range(count)) if obj]
    return list(zip(objects, map(_object_type, objects), strict=True))


def read_object_origin(obj: int) -> tuple[float, float]:
    """Return the point at which a text object begins, in the coordinates of its page or form."""
    return (_matrix[4], _matrix[5]) if _object_matrix(obj, ctypes.addressof(_matrix)) else (0.0, 0.0)


def find_generated(text_page: int, count: int) -> np.ndarray:
    """Return which characters PDFium inserted: spaces and line breaks that it concludes from positions."""
    is_generated: np.ndarray = np.fromiter(map(_is_generated, repeat(text_page, count), range(count)), np.int32, count)
    return is_generated.astype(bool)
