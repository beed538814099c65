"""PDFium called character by character, fast enough for books.

ctypes spends about a microsecond per call on converting and checking arguments. Here each function is bound once,
without releasing the interpreter lock, and driven by `map` over whole pages, with results written straight into numpy
arrays.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any, Protocol

import numpy as np
import pypdfium2.raw as raw

_POINTER, _INT, _UINT = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint


class _RawOwner(Protocol):
    """An object of pypdfium2 that holds an object of PDFium."""

    @property
    def raw(self) -> Any: ...


def _bind(name: str, result: type[Any], *arguments: type[Any]) -> Callable[..., Any]:
    """Return a function of PDFium with a prototype of its own.

    Setting argtypes on pypdfium2's shared function objects would change them for all its users.
    """
    address = ctypes.cast(getattr(raw, name), _POINTER).value
    if address is None:
        raise ImportError(f"PDFium lacks {name}")
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


_unicode = _bind("FPDFText_GetUnicode", _UINT, _POINTER, _INT)
_text = _bind("FPDFText_GetText", _INT, _POINTER, _INT, _INT, _POINTER)
_text_object = _bind("FPDFText_GetTextObject", ctypes.c_size_t, _POINTER, _INT)
_loose_box = _bind("FPDFText_GetLooseCharBox", _INT, _POINTER, _INT, _POINTER)
_tight_box = _bind("FPDFText_GetCharBox", _INT, _POINTER, _INT, _POINTER, _POINTER, _POINTER, _POINTER)
_origin = _bind("FPDFText_GetCharOrigin", _INT, _POINTER, _INT, _POINTER, _POINTER)
_matrix = _bind("FPDFText_GetMatrix", _INT, _POINTER, _INT, _POINTER)
_font_size = _bind("FPDFText_GetFontSize", ctypes.c_double, _POINTER, _INT)
_font_info = _bind("FPDFText_GetFontInfo", ctypes.c_ulong, _POINTER, _INT, _POINTER, ctypes.c_ulong, _POINTER)
_map_error = _bind("FPDFText_HasUnicodeMapError", _INT, _POINTER, _INT)
_render_mode = _bind("FPDFTextObj_GetTextRenderMode", _INT, _POINTER)
_fill_color = _bind("FPDFPageObj_GetFillColor", _INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)
_font = _bind("FPDFTextObj_GetFont", ctypes.c_size_t, _POINTER)
_base_font_name = _bind("FPDFFont_GetBaseFontName", ctypes.c_size_t, _POINTER, _POINTER, ctypes.c_size_t)
_object_count = _bind("FPDFPage_CountObjects", _INT, _POINTER)
_object_at = _bind("FPDFPage_GetObject", _POINTER, _POINTER, _INT)
_object_type = _bind("FPDFPageObj_GetType", _INT, _POINTER)
_form_object_count = _bind("FPDFFormObj_CountObjects", _INT, _POINTER)
_form_object_at = _bind("FPDFFormObj_GetObject", _POINTER, _POINTER, ctypes.c_ulong)
_object_bounds = _bind("FPDFPageObj_GetBounds", _INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)
_segment_count = _bind("FPDFPath_CountSegments", _INT, _POINTER)
_segment_at = _bind("FPDFPath_GetPathSegment", _POINTER, _POINTER, _INT)
_segment_point = _bind("FPDFPathSegment_GetPoint", _INT, _POINTER, _POINTER, _POINTER)
_segment_type = _bind("FPDFPathSegment_GetType", _INT, _POINTER)
_segment_close = _bind("FPDFPathSegment_GetClose", _INT, _POINTER)
_object_matrix = _bind("FPDFPageObj_GetMatrix", _INT, _POINTER, _POINTER)
_mark_count = _bind("FPDFPageObj_CountMarks", _INT, _POINTER)
_mark_at = _bind("FPDFPageObj_GetMark", _POINTER, _POINTER, ctypes.c_ulong)
_mark_name = _bind("FPDFPageObjMark_GetName", _INT, _POINTER, _POINTER, ctypes.c_ulong, _POINTER)
_draw_mode = _bind("FPDFPath_GetDrawMode", _INT, _POINTER, _POINTER, _POINTER)


_LAYER_MARK = "OC".encode("utf-16-le")
_WORD_JOINER = 0x2060  # a character without width, left out of every text


def get_handle(owner: _RawOwner) -> int:
    """Return the address of a pypdfium2 object in PDFium."""
    return ctypes.cast(owner.raw, _POINTER).value or 0


def _drain(calls: Iterable[object]) -> None:
    deque(calls, maxlen=0)


def read_characters(text_page: int, count: int) -> str:
    """Return one Python character for each of PDFium's, so that string offsets are PDFium's character indexes."""
    units = ctypes.create_string_buffer(2 * count + 2)
    written = _text(text_page, 0, count, ctypes.addressof(units)) - 1
    if written == count:
        characters = units.raw[: 2 * count].decode("utf-16-le", "replace")
        if len(characters) == count:
            return characters
    return "".join(map(_to_character, _merge_surrogates(list(map(_unicode, repeat(text_page, count), range(count))))))


def _merge_surrogates(codes: list[int]) -> list[int]:
    """Join surrogate pairs, which PDFium gives as two characters; the second is left without width."""
    for index in range(len(codes) - 1):
        high, low = codes[index], codes[index + 1]
        if 0xD800 <= high < 0xDC00 <= low < 0xE000:
            codes[index : index + 2] = [0x10000 + ((high - 0xD800) << 10) + low - 0xDC00, _WORD_JOINER]
    return codes


def _to_character(code: int) -> str:
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(code)


def read_loose_boxes(text_page: int, count: int) -> np.ndarray:
    """Return (left, top, right, bottom) of each character's cell: from ascent to descent, over its whole advance."""
    boxes = np.zeros((count, 4), np.float32)
    start = boxes.ctypes.data
    _drain(map(_loose_box, repeat(text_page, count), range(count), range(start, start + 16 * count, 16)))
    return boxes


def read_tight_boxes(text_page: int, indexes: list[int]) -> np.ndarray:
    """Return (left, right, bottom, top) of the ink of each of these characters."""
    boxes = np.zeros((len(indexes), 4))
    start = boxes.ctypes.data
    columns = [range(start + 8 * k, start + 8 * k + 32 * len(indexes), 32) for k in range(4)]
    _drain(map(_tight_box, repeat(text_page), indexes, *columns))
    return boxes


def read_origins(text_page: int, indexes: list[int]) -> np.ndarray:
    points = np.zeros((len(indexes), 2))
    start, stop = points.ctypes.data, points.ctypes.data + 16 * len(indexes)
    _drain(map(_origin, repeat(text_page), indexes, range(start, stop, 16), range(start + 8, stop + 8, 16)))
    return points


def read_text_objects(text_page: int, count: int) -> np.ndarray:
    """Return the address of the text object of each character; 0 for characters that PDFium inserted."""
    return np.fromiter(map(_text_object, repeat(text_page, count), range(count)), np.uint64, count)


def read_matrices(text_page: int, indexes: list[int]) -> np.ndarray:
    """Return the effective transformation (a, b, c, d, e, f) of each of these characters."""
    values = np.zeros((len(indexes), 6), np.float32)
    start = values.ctypes.data
    _drain(map(_matrix, repeat(text_page), indexes, range(start, start + 24 * len(indexes), 24)))
    return values


def read_font_sizes(text_page: int, indexes: list[int]) -> np.ndarray:
    return np.fromiter(map(_font_size, repeat(text_page), indexes), float, len(indexes))


def count_map_errors(text_page: int, indexes: list[int]) -> int:
    """Return how many of these characters have a font that does not say which letters they are."""
    return sum(1 for error in map(_map_error, repeat(text_page), indexes) if error == 1)


_name_buffer = ctypes.create_string_buffer(256)
_font_flags = ctypes.c_int()


def read_font_name(text_page: int, index: int) -> str:
    length = _font_info(
        text_page, index, ctypes.addressof(_name_buffer), len(_name_buffer), ctypes.addressof(_font_flags)
    )
    return _name_buffer.raw[: max(min(length, len(_name_buffer)) - 1, 0)].decode("utf-8", "replace")


_color_buffer = (ctypes.c_uint * 4)()
_channel_pointers = [ctypes.addressof(_color_buffer) + 4 * k for k in range(4)]


def read_fill_color(obj: int) -> tuple[int, int, int, int] | None:
    """Return the fill colour of an object as (red, green, blue, alpha) of 255, or None."""
    if not obj or not _fill_color(obj, *_channel_pointers):
        return None
    red, green, blue, alpha = _color_buffer
    return red, green, blue, alpha


def read_render_mode(obj: int) -> int:
    """Return PDF's number for the way in which a text object is drawn."""
    return int(_render_mode(obj)) if obj else 0


def read_render_modes(objects: list[int]) -> np.ndarray:
    """Return PDF's number for the way in which each of these text objects is drawn; 0 for the object 0."""
    return np.fromiter((_render_mode(obj) if obj else 0 for obj in objects), int, len(objects))


def read_fill_colors(objects: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return (red, green, blue, alpha) of 255 of each object's fill, and which objects have a fill."""
    colors = np.zeros((len(objects), 4), np.uint32)
    start, stop = colors.ctypes.data, colors.ctypes.data + 16 * len(objects)
    channels = [range(start + 4 * k, stop + 4 * k, 16) for k in range(4)]
    has_color = np.fromiter(map(_fill_color, objects, *channels), bool, len(objects))
    return colors, has_color


def read_fonts(objects: list[int]) -> list[int]:
    """Return the address of the font of each text object; 0 for the object 0."""
    return [_font(obj) if obj else 0 for obj in objects]


def read_base_font_name(font: int) -> str:
    """Return the name that the file gives a font, or "" for the font 0."""
    length = _base_font_name(font, ctypes.addressof(_name_buffer), len(_name_buffer)) if font else 0
    return _name_buffer.raw[: max(min(length, len(_name_buffer)) - 1, 0)].decode("utf-8", "replace")


_bounds_buffer = (ctypes.c_float * 4)()
_bound_pointers = [ctypes.addressof(_bounds_buffer) + 4 * k for k in range(4)]
_mode_buffer = (ctypes.c_int * 2)()


def list_page_objects(page: int, max_objects: int) -> list[tuple[int, int]]:
    """Return (address, type) of the objects on a page in painting order, or none when there are too many."""
    count = _object_count(page)
    if count > max_objects:
        return []
    objects = [obj for obj in map(_object_at, repeat(page, count), range(count)) if obj]
    return list(zip(objects, map(_object_type, objects), strict=True))


def list_form_objects(form: int, max_objects: int) -> list[tuple[int, int]]:
    """Return (address, type) of the objects in a form object, or none when there are too many."""
    count = _form_object_count(form)
    if count > max_objects:
        return []
    objects = [obj for obj in map(_form_object_at, repeat(form, count), range(count)) if obj]
    return list(zip(objects, map(_object_type, objects), strict=True))


def read_object_bounds(obj: int) -> tuple[float, float, float, float] | None:
    """Return (left, bottom, right, top) of an object, or None."""
    if not _object_bounds(obj, *_bound_pointers):
        return None
    left, bottom, right, top = _bounds_buffer
    return left, bottom, right, top


def read_path_paint(obj: int) -> tuple[bool, bool]:
    """Return whether a path is filled, and whether it is stroked."""
    start = ctypes.addressof(_mode_buffer)
    if not _draw_mode(obj, start, start + 4):
        return False, False
    return bool(_mode_buffer[0]), bool(_mode_buffer[1])


_matrix_buffer = (ctypes.c_float * 6)()


def read_path_lines(obj: int, max_segments: int) -> list[tuple[float, float, float, float]]:
    """Return the straight lines (x0, y0, x1, y1) of a path as stored on the page, or none when it has too many
    segments.
    """
    count, start = _segment_count(obj), ctypes.addressof(_matrix_buffer)
    if not 0 < count <= max_segments:
        return []
    a, b, c, d, e, f = tuple(_matrix_buffer) if _object_matrix(obj, start) else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    lines: list[tuple[float, float, float, float]] = []
    first = last = None
    for index in range(count):
        segment = _segment_at(obj, index)
        if not segment or not _segment_point(segment, start, start + 4):
            continue
        x, y = _matrix_buffer[0], _matrix_buffer[1]
        point = (a * x + c * y + e, b * x + d * y + f)
        kind = _segment_type(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == raw.FPDF_SEGMENT_LINETO and last:
            lines.append((*last, *point))
        last = point
        if _segment_close(segment) and first:
            lines.append((*last, *first))
    return lines


_label_buffer = ctypes.create_string_buffer(64)
_label_length = ctypes.c_ulong()


def is_on_layer(obj: int) -> bool:
    """Return whether an object belongs to a layer that can be switched off."""
    for number in range(max(_mark_count(obj), 0) if obj else 0):
        mark = _mark_at(obj, number)
        has_name = mark and _mark_name(
            mark, ctypes.addressof(_label_buffer), len(_label_buffer), ctypes.addressof(_label_length)
        )
        if has_name and _label_buffer.raw[: max(_label_length.value - 2, 0)] == _LAYER_MARK:
            return True
    return False
