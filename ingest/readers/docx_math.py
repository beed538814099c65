"""Format Word's formulas as one line of text, close to how they are read aloud."""

from __future__ import annotations

import re
import unicodedata

from lxml import etree

from ingest.readers.docx_package import m

_PROPERTY_TAGS = frozenset(
    m(name)
    for name in (
        "ctrlPr",
        "rPr",
        "fPr",
        "sSupPr",
        "sSubPr",
        "sSubSupPr",
        "radPr",
        "naryPr",
        "dPr",
        "funcPr",
        "accPr",
        "barPr",
        "mPr",
        "eqArrPr",
        "limLowPr",
        "limUppPr",
        "groupChrPr",
        "boxPr",
        "borderBoxPr",
        "phantPr",
        "sPrePr",
        "oMathParaPr",
    )
)


_SUPERSCRIPTS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_SMALL_CHARACTERS = "".join(map(chr, {*_SUPERSCRIPTS.values(), *_SUBSCRIPTS.values()}))
_OPEN_SCRIPT = re.compile(r"[_^]\w+$")
_MAX_RAISED_CHARACTERS = 4  # longer ones are hard to read so small


def format_linear(element: etree._Element) -> str:
    """Return an element of a formula as one line of text."""
    formatter = _FORMATTERS.get(element.tag)
    if formatter:
        return formatter(element)
    if element.tag == m("t"):
        return element.text or ""
    if element.tag in _PROPERTY_TAGS:
        return ""
    text = ""
    for child in element:
        part = format_linear(child)
        # A space ends an index or exponent without brackets: "x_k a".
        text += (" " if part[:1].isalnum() and _OPEN_SCRIPT.search(text) else "") + part
    return text


def _format_child(element: etree._Element, name: str, *, grouped: bool = False) -> str:
    child = element.find(m(name))
    text = format_linear(child).strip() if child is not None else ""
    # "2h" below a line or a root sign is a product, "r²" is not.
    is_whole = text.isdigit() or text.isalpha() or len(text.rstrip(_SMALL_CHARACTERS)) == 1
    return f"({text})" if grouped and len(text) > 1 and not is_whole else text


def _read_property(element: etree._Element, properties: str, name: str, default: str) -> str:
    child = element.find(f"{m(properties)}/{m(name)}")
    return child.get(m("val"), default) if child is not None else default


def _format_fraction(element: etree._Element) -> str:
    return f"{_format_child(element, 'num', grouped=True)}/{_format_child(element, 'den', grouped=True)}"


def _format_scripts(element: etree._Element) -> str:
    low, high = (_format_child(element, name) for name in ("sub", "sup"))
    return _format_child(element, "e") + _lower(low) + _raise(high)


def _format_left_scripts(element: etree._Element) -> str:
    low, high = (_format_child(element, name) for name in ("sub", "sup"))
    return _raise(high) + _lower(low) + _format_child(element, "e")


def _raise(text: str) -> str:
    """Return an exponent as small raised characters where all of them exist: "x²", else "x^(a+b)"."""
    raised = text.translate(_SUPERSCRIPTS)
    return raised if _is_small(text, _SUPERSCRIPTS) else _mark("^", text)


def _lower(text: str) -> str:
    """Return an index as small lowered characters where all of them exist: "x₁", else "x_i"."""
    return text.translate(_SUBSCRIPTS) if _is_small(text, _SUBSCRIPTS) else _mark("_", text)


def _is_small(text: str, characters: dict[int, int]) -> bool:
    return len(text) <= _MAX_RAISED_CHARACTERS and all(ord(character) in characters for character in text)


def _mark(sign: str, text: str) -> str:
    is_whole = len(text) == 1 or (text.isalnum() if sign == "_" else text.isdigit())
    return (f"{sign}{text}" if is_whole else f"{sign}({text})") if text else ""


def _format_accent(element: etree._Element) -> str:
    """Return a letter with its accent; an accent over several characters has no place in a line."""
    text, accent = _format_child(element, "e"), _read_property(element, "accPr", "chr", "\u0302")
    return text + accent if len(text) == 1 and unicodedata.combining(accent[:1]) else text


def _format_limit(element: etree._Element) -> str:
    return f"{_format_child(element, 'e')}_{_format_child(element, 'lim', grouped=True)}"


def _format_root(element: etree._Element) -> str:
    return f"{_format_child(element, 'deg')}√{_format_child(element, 'e', grouped=True)}"


def _format_sum(element: etree._Element) -> str:
    low, high = _format_child(element, "sub"), _format_child(element, "sup")
    sign = _read_property(element, "naryPr", "chr", "∫")
    return f"{sign}{_mark('_', low)}{_mark('^', high)} {_format_child(element, 'e')}"


def _format_brackets(element: etree._Element) -> str:
    parts = [format_linear(child).strip() for child in element.findall(m("e"))]
    separator = _read_property(element, "dPr", "sepChr", "|")
    return (
        _read_property(element, "dPr", "begChr", "(")
        + separator.join(parts)
        + _read_property(element, "dPr", "endChr", ")")
    )


def _format_function(element: etree._Element) -> str:
    return f"{_format_child(element, 'fName')} {_format_child(element, 'e')}"


def _format_rows(element: etree._Element) -> str:
    return "; ".join(
        " ".join(format_linear(cell).strip() for cell in row) if row.tag == m("mr") else format_linear(row).strip()
        for row in element
        if row.tag in (m("mr"), m("e"))
    )


_FORMATTERS = {
    m("f"): _format_fraction,
    m("sSup"): _format_scripts,
    m("sSub"): _format_scripts,
    m("sSubSup"): _format_scripts,
    m("sPre"): _format_left_scripts,
    m("acc"): _format_accent,
    m("rad"): _format_root,
    m("nary"): _format_sum,
    m("limLow"): _format_limit,
    m("limUpp"): _format_limit,
    m("d"): _format_brackets,
    m("func"): _format_function,
    m("m"): _format_rows,
    m("eqArr"): _format_rows,
}
