"""PDFium called character by character, fast enough for books.

ctypes spends about a microsecond per call on converting and checking arguments. Here each function is bound once,
without releasing the interpreter lock, and driven by `map` over whole pages, with results written straight into numpy
arrays. Those called for each character have no prototype: their arguments are converted beforehand.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any, Protocol

import numpy as np
import pypdfium2.raw as raw

_POINTER, _INT, _UINT, _ULONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, ctypes.c_ulong


class _RawOwner(Protocol):
    """An object of pypdfium2 that holds an object of PDFium."""

    @property
    def raw(self) -> Any: ...


def _bind(name: str, result: type[Any] | None, *arguments: type[Any]) -> Callable[..., Any]:
    """Return a function of PDFium with a prototype of its own.

    Setting argtypes on pypdfium2's shared function objects would change them for all its users.
    """
    return ctypes.PYFUNCTYPE(result, *arguments)(_find_address(name))


def _bind_unchecked(name: str, result: type[Any] | None) -> Callable[..., Any]:
    """Return a function of PDFium that takes small integers, and addresses as `_as_argument` returns them."""
    return ctypes.PYFUNCTYPE(result)(_find_address(name))


def _find_address(name: str) -> int:
    address = ctypes.cast(getattr(raw, name), _POINTER).value
    if address is None:
        raise ImportError(f"PDFium lacks {name}")
    return address


_as_argument = _POINTER.from_param

_unicode = _bind_unchecked("FPDFText_GetUnicode", _UINT)
_text = _bind("FPDFText_GetText", _INT, _POINTER, _INT, _INT, _POINTER)
_text_object = _bind_unchecked("FPDFText_GetTextObject", ctypes.c_size_t)
_loose_box = _bind_unchecked("FPDFText_GetLooseCharBox", None)
_tight_box = _bind_unchecked("FPDFText_GetCharBox", None)
_origin = _bind_unchecked("FPDFText_GetCharOrigin", None)
_matrix = _bind_unchecked("FPDFText_GetMatrix", None)
_font_size = _bind_unchecked("FPDFText_GetFontSize", ctypes.c_double)
_font_info = _bind("FPDFText_GetFontInfo", ctypes.c_ulong, _POINTER, _INT, _POINTER, ctypes.c_ulong, _POINTER)
_map_error = _bind_unchecked("FPDFText_HasUnicodeMapError", _INT)
_render_mode = _bind_unchecked("FPDFTextObj_GetTextRenderMode", _INT)
_fill_color = _bind_unchecked("FPDFPageObj_GetFillColor", _INT)
_stroke_color = _bind_unchecked("FPDFPageObj_GetStrokeColor", _INT)
_font = _bind_unchecked("FPDFTextObj_GetFont", ctypes.c_size_t)
_base_font_name = _bind("FPDFFont_GetBaseFontName", ctypes.c_size_t, _POINTER, _POINTER, ctypes.c_size_t)
_object_count = _bind("FPDFPage_CountObjects", _INT, _POINTER)
_object_at = _bind_unchecked("FPDFPage_GetObject", _POINTER)
_object_type = _bind_unchecked("FPDFPageObj_GetType", _INT)
_form_object_count = _bind("FPDFFormObj_CountObjects", _INT, _POINTER)
_form_object_at = _bind("FPDFFormObj_GetObject", _POINTER, _POINTER, ctypes.c_ulong)
_object_bounds = _bind_unchecked("FPDFPageObj_GetBounds", _INT)
_segment_count = _bind_unchecked("FPDFPath_CountSegments", _INT)
_segment_at = _bind_unchecked("FPDFPath_GetPathSegment", _POINTER)
_segment_point = _bind_unchecked("FPDFPathSegment_GetPoint", _INT)
_segment_type = _bind_unchecked("FPDFPathSegment_GetType", _INT)
_segment_close = _bind_unchecked("FPDFPathSegment_GetClose", _INT)
_object_matrix = _bind_unchecked("FPDFPageObj_GetMatrix", _INT)
_draw_mode = _bind_unchecked("FPDFPath_GetDrawMode", _INT)


_WORD_JOINER = 0x2060  # a character without width, left out of every text


def get_handle(owner: _RawOwner) -> int:
    """Return the address of a pypdfium2 object in PDFium."""
    return _POINTER.from_buffer(owner.raw).value or 0


class _Results:
    """Room for what a function of PDFium writes about each of many things, with an argument for each place in it."""

    _ROWS = 1024

    def __init__(self, kind: type[np.generic], columns: int, arguments: int) -> None:
        """Make room for rows of so many numbers; the function takes the addresses of the first `arguments` of a row."""
        self._rows = np.zeros((self._ROWS, columns), kind)
        start, (step, size) = self._rows.ctypes.data, self._rows.strides
        self._arguments = [
            [_as_argument(start + row * step + column * size) for row in range(self._ROWS)]
            for column in range(arguments)
        ]

    def collect(self, function: Callable[..., Any], text_page: int, indexes: Sequence[int]) -> np.ndarray:
        """Return the row that the function writes for each of these characters: zeros where it fails."""
        results = np.empty((len(indexes), self._rows.shape[1]), self._rows.dtype)
        for start in range(0, len(indexes), self._ROWS):
            part = indexes[start : start + self._ROWS]
            rows = self._rows[: len(part)]
            rows[:] = 0
            deque(map(function, repeat(_as_argument(text_page)), part, *self._arguments), maxlen=0)
            results[start : start + self._ROWS] = rows
        return results

    def collect_of_objects(self, function: Callable[..., Any], objects: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return the row that the function writes for each of these objects, and whether it succeeds."""
        results = np.zeros((len(objects), self._rows.shape[1]), self._rows.dtype)
        returned: list[int] = []
        for start in range(0, len(objects), self._ROWS):
            part = list(map(_as_argument, objects[start : start + self._ROWS]))
            returned += map(function, part, *self._arguments)
            results[start : start + self._ROWS] = self._rows[: len(part)]
        return results, np.array(returned, bool)


_boxes = _Results(np.float32, 4, 1)  # FS_RECTF
_ink_boxes = _Results(np.float64, 4, 4)
_points = _Results(np.float64, 2, 2)
_matrices = _Results(np.float32, 6, 1)  # FS_MATRIX
_colors = _Results(np.uint32, 4, 4)
_bounds = _Results(np.float32, 4, 4)


def read_characters(text_page: int, count: int) -> str:
    """Return one Python character for each of PDFium's, so that string offsets are PDFium's character indexes."""
    units = np.zeros(count + 1, np.uint16)
    written = _text(text_page, 0, count, units.ctypes.data) - 1
    if written == count:
        characters = units[:count].tobytes().decode("utf-16-le", "replace")
        if len(characters) == count:
            return characters
    return "".join(
        map(_to_character, _merge_surrogates(list(map(_unicode, repeat(_as_argument(text_page)), range(count)))))
    )


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
    return _boxes.collect(_loose_box, text_page, range(count))


def read_tight_boxes(text_page: int, indexes: list[int]) -> np.ndarray:
    """Return (left, right, bottom, top) of the ink of each of these characters."""
    return _ink_boxes.collect(_tight_box, text_page, indexes)


def read_origins(text_page: int, indexes: list[int]) -> np.ndarray:
    return _points.collect(_origin, text_page, indexes)


def read_text_objects(text_page: int, count: int, is_inner: np.ndarray | None = None) -> np.ndarray:
    """Return the address of the text object of each character; 0 for characters that PDFium inserted.

    `is_inner` are characters that follow another one in a word. They are not asked for when the word begins and ends
    with the same object.
    """
    if is_inner is None or not is_inner.any():
        return _read_text_objects(text_page, range(count))
    outer = np.flatnonzero(~is_inner)
    objects = _read_text_objects(text_page, outer.tolist())
    drawn = np.flatnonzero(objects)
    is_doubtful = np.ones(len(outer), bool)
    is_doubtful[drawn[:-1]] = objects[drawn[:-1]] != objects[drawn[1:]]
    lengths = np.concatenate((outer[1:], [count])) - outer
    words = np.flatnonzero(is_doubtful & (lengths > 1))
    last = _read_text_objects(text_page, (outer + lengths - 1)[words].tolist())
    is_doubtful[words] = last != objects[words]
    objects = np.repeat(objects, lengths)
    doubtful = np.flatnonzero(np.repeat(is_doubtful, lengths) & is_inner)
    objects[doubtful] = _read_text_objects(text_page, doubtful.tolist())
    return objects


def _read_text_objects(text_page: int, indexes: Sequence[int]) -> np.ndarray:
    return np.fromiter(map(_text_object, repeat(_as_argument(text_page)), indexes), np.uint64, len(indexes))


def read_matrices(text_page: int, indexes: list[int]) -> np.ndarray:
    """Return the effective transformation (a, b, c, d, e, f) of each of these characters."""
    return _matrices.collect(_matrix, text_page, indexes)


def read_font_sizes(text_page: int, indexes: list[int]) -> np.ndarray:
    return np.fromiter(map(_font_size, repeat(_as_argument(text_page)), indexes), float, len(indexes))


def count_map_errors(text_page: int, indexes: list[int]) -> int:
    """Return how many of these characters have a font that does not say which letters they are."""
    return list(map(_map_error, repeat(_as_argument(text_page)), indexes)).count(1)


_name_buffer = ctypes.create_string_buffer(256)
_font_flags = ctypes.c_int()


def read_font_name(text_page: int, index: int) -> str:
    length = _font_info(
        text_page, index, ctypes.addressof(_name_buffer), len(_name_buffer), ctypes.addressof(_font_flags)
    )
    return _name_buffer.raw[: max(min(length, len(_name_buffer)) - 1, 0)].decode("utf-8", "replace")


_color_buffer = (ctypes.c_uint * 4)()
_channels = [_as_argument(ctypes.addressof(_color_buffer) + 4 * k) for k in range(4)]


def read_fill_color(obj: int) -> tuple[int, int, int, int] | None:
    """Return the fill colour of an object as (red, green, blue, alpha) of 255, or None."""
    return _read_color(_fill_color, obj)


def read_stroke_color(obj: int) -> tuple[int, int, int, int] | None:
    """Return the colour of an object's lines as (red, green, blue, alpha) of 255, or None."""
    return _read_color(_stroke_color, obj)


def _read_color(function: Callable[..., int], obj: int) -> tuple[int, int, int, int] | None:
    if not function(_as_argument(obj), *_channels):
        return None
    red, green, blue, alpha = _color_buffer
    return red, green, blue, alpha


def read_render_mode(obj: int) -> int:
    """Return PDF's number for the way in which a text object is drawn; -1 for the object 0."""
    return int(_render_mode(_as_argument(obj)))


def read_render_modes(objects: list[int]) -> np.ndarray:
    """Return PDF's number for the way in which each of these text objects is drawn; -1 for the object 0."""
    return np.fromiter(map(_render_mode, map(_as_argument, objects)), int, len(objects))


def read_fill_colors(objects: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return (red, green, blue, alpha) of 255 of each object's fill, and which objects have a fill."""
    return _colors.collect_of_objects(_fill_color, objects)


def read_fonts(objects: list[int]) -> list[int]:
    """Return the address of the font of each text object; 0 for the object 0."""
    return list(map(_font, map(_as_argument, objects)))


def read_base_font_name(font: int) -> str:
    """Return the name that the file gives a font, or "" for the font 0."""
    length = _base_font_name(font, ctypes.addressof(_name_buffer), len(_name_buffer)) if font else 0
    return _name_buffer.raw[: max(min(length, len(_name_buffer)) - 1, 0)].decode("utf-8", "replace")


_mode_buffer = (ctypes.c_int * 2)()
_mode_arguments = [_as_argument(ctypes.addressof(_mode_buffer) + 4 * k) for k in range(2)]


def list_page_objects(page: int, max_objects: int) -> list[tuple[int, int]]:
    """Return (address, type) of the objects on a page in painting order, or none when there are too many."""
    count = _object_count(page)
    if count > max_objects:
        return []
    objects = list(filter(None, map(_object_at, repeat(_as_argument(page)), range(count))))
    return list(zip(objects, map(_object_type, map(_as_argument, objects)), strict=True))


def list_form_objects(form: int, max_objects: int) -> list[tuple[int, int]]:
    """Return (address, type) of the objects in a form object, or none when there are too many."""
    count = _form_object_count(form)
    if count > max_objects:
        return []
    objects = [obj for obj in map(_form_object_at, repeat(form, count), range(count)) if obj]
    return list(zip(objects, map(_object_type, map(_as_argument, objects)), strict=True))


_bounds_buffer = (ctypes.c_float * 4)()
_bound_arguments = [_as_argument(ctypes.addressof(_bounds_buffer) + 4 * k) for k in range(4)]


def read_object_bounds(obj: int) -> tuple[float, float, float, float] | None:
    """Return (left, bottom, right, top) of an object, or None."""
    if not _object_bounds(_as_argument(obj), *_bound_arguments):
        return None
    left, bottom, right, top = _bounds_buffer
    return left, bottom, right, top


def read_bounds(objects: list[int]) -> list[tuple[float, float, float, float] | None]:
    """Return (left, bottom, right, top) of each object, or None."""
    bounds, has_bounds = _bounds.collect_of_objects(_object_bounds, objects)
    return [
        (left, bottom, right, top) if is_known else None
        for (left, bottom, right, top), is_known in zip(bounds.tolist(), has_bounds.tolist(), strict=True)
    ]


def read_path_paint(obj: int) -> tuple[bool, bool]:
    """Return whether a path is filled, and whether it is stroked."""
    if not _draw_mode(_as_argument(obj), *_mode_arguments):
        return False, False
    return bool(_mode_buffer[0]), bool(_mode_buffer[1])


_matrix_buffer = (ctypes.c_float * 6)()
_matrix_argument, _second_argument = (_as_argument(ctypes.addressof(_matrix_buffer) + 4 * k) for k in range(2))


def read_object_matrix(obj: int) -> tuple[float, float, float, float, float, float]:
    """Return the matrix by which an object is placed on its page or in its form."""
    if not _object_matrix(_as_argument(obj), _matrix_argument):
        return 1.0, 0.0, 0.0, 1.0, 0.0, 0.0
    a, b, c, d, e, f = _matrix_buffer
    return a, b, c, d, e, f


def read_path_lines(obj: int, max_segments: int) -> list[tuple[float, float, float, float]]:
    """Return the straight lines (x0, y0, x1, y1) of a path as stored on the page, or none when it has too many
    segments.
    """
    path = _as_argument(obj)
    count = _segment_count(path)
    if not 0 < count <= max_segments:
        return []
    a, b, c, d, e, f = read_object_matrix(obj)
    lines: list[tuple[float, float, float, float]] = []
    first = last = None
    for index in range(count):
        segment = _as_argument(_segment_at(path, index))
        if not _segment_point(segment, _matrix_argument, _second_argument):
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
