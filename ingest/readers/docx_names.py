"""The XML names of a Word file that its reader looks for."""

from __future__ import annotations

from lxml import etree

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


def w(name: str) -> str:
    return _W + name


def m(name: str) -> str:
    return _M + name


def value(element: etree._Element | None, name: str, default: str = "") -> str:
    """The `w:val` of a child; the default when there is no such child."""
    child = element.find(w(name)) if element is not None else None
    return child.get(w("val"), default) if child is not None else default


def switched_on(element: etree._Element | None, name: str) -> bool | None:
    """A property that is on by being there, unless it says otherwise; None when it says nothing."""
    child = element.find(w(name)) if element is not None else None
    if child is None:
        return None
    return child.get(w("val"), "true") not in ("0", "false", "off")


def number(text: str, default: int = 0) -> int:
    """Attributes are written by anybody's software: what is no number is the default."""
    try:
        return int(text)
    except ValueError:
        return default
