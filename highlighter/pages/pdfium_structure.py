"""The structure tree of a tagged page, whose elements PDFium gives one by one."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

from highlighter.pages.pdfium import _INT, _POINTER, _ULONG, _as_argument, _bind, _bind_unchecked

_page_tree = _bind("FPDF_StructTree_GetForPage", _POINTER, _POINTER)
_close_tree = _bind("FPDF_StructTree_Close", None, _POINTER)
_root_count = _bind("FPDF_StructTree_CountChildren", _INT, _POINTER)
_root_at = _bind("FPDF_StructTree_GetChildAtIndex", _POINTER, _POINTER, _INT)
_child_count = _bind_unchecked("FPDF_StructElement_CountChildren", _INT)
_child_at = _bind_unchecked("FPDF_StructElement_GetChildAtIndex", _POINTER)
_content_at = _bind_unchecked("FPDF_StructElement_GetChildMarkedContentID", _INT)
_element_type = _bind_unchecked("FPDF_StructElement_GetType", _ULONG)
_attribute_count = _bind("FPDF_StructElement_GetAttributeCount", _INT, _POINTER)
_attribute_at = _bind("FPDF_StructElement_GetAttributeAtIndex", _POINTER, _POINTER, _INT)
_attribute_value = _bind("FPDF_StructElement_Attr_GetValue", _POINTER, _POINTER, _POINTER)
_attribute_number = _bind("FPDF_StructElement_Attr_GetNumberValue", _INT, _POINTER, _POINTER)

_buffer = ctypes.create_string_buffer(128)
_number = ctypes.c_float()
_buffer_start, _number_start = ctypes.addressof(_buffer), ctypes.addressof(_number)
_buffer_argument = _as_argument(_buffer_start)


@contextmanager
def open_tree(page: int) -> Iterator[list[int | None]]:
    """Return the outermost elements of a page's tree, none when it has no tree; they are valid until the tree is closed."""
    tree = _page_tree(page)
    try:
        yield [_root_at(tree, index) for index in range(_root_count(tree))] if tree else []
    finally:
        if tree:
            _close_tree(tree)


def list_children(element: int) -> Iterator[tuple[int, int | None]]:
    """Yield for each child of an element the number of its marked content, or -1 and the element that it is."""
    parent = _as_argument(element)
    for index in range(_child_count(parent)):
        content = _content_at(parent, index)
        yield content, _child_at(parent, index) if content < 0 else None


def read_type(element: int) -> str:
    """Return the type of an element, or "" when it has none."""
    length = _element_type(_as_argument(element), _buffer_argument, len(_buffer))
    if not 2 <= length <= len(_buffer):
        return ""
    return ctypes.string_at(_buffer_start, length - 2).decode("utf-16-le", "replace")


def read_numbers(element: int, name: ctypes.Array[ctypes.c_char]) -> Iterator[float]:
    """Yield the values of an attribute of an element that are numbers."""
    address = ctypes.addressof(name)
    for index in range(_attribute_count(element)):
        attribute = _attribute_at(element, index)
        value = _attribute_value(attribute, address) if attribute else None
        if value and _attribute_number(value, _number_start):
            yield _number.value
