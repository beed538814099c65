"""Format Word's formulas as one line of text, close to how they are read aloud."""

from __future__ import annotations

from lxml import etree

from ingest.readers import linear_formulas as linear
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
        text = linear.join_parts(text, format_linear(child))
    return text


def _format_child(element: etree._Element, name: str) -> str:
    child = element.find(m(name))
    return format_linear(child).strip() if child is not None else ""


def _read_property(element: etree._Element, properties: str, name: str, default: str) -> str:
    child = element.find(f"{m(properties)}/{m(name)}")
    return child.get(m("val"), default) if child is not None else default


def _format_fraction(element: etree._Element) -> str:
    upper, lower = _format_child(element, "num"), _format_child(element, "den")
    if _read_property(element, "fPr", "type", "bar") != "noBar":
        return linear.format_fraction(upper, lower)
    return linear.format_binomial(upper, lower) if _fills_brackets(element) else linear.format_rows([upper, lower])


def _fills_brackets(element: etree._Element) -> bool:
    """Return whether an element is all that stands between round brackets."""
    content = element.getparent()
    brackets = content.getparent() if content is not None else None
    return (
        content is not None
        and brackets is not None
        and brackets.tag == m("d")
        and _read_property(brackets, "dPr", "begChr", "(") == "("
        and sum(child.tag not in _PROPERTY_TAGS for child in content) == 1
    )


def _format_scripts(element: etree._Element) -> str:
    return linear.format_scripts(*(_format_child(element, name) for name in ("e", "sub", "sup")))


def _format_left_scripts(element: etree._Element) -> str:
    return linear.format_left_scripts(*(_format_child(element, name) for name in ("e", "sub", "sup")))


def _format_accent(element: etree._Element) -> str:
    return linear.format_accent(_format_child(element, "e"), _read_property(element, "accPr", "chr", "\u0302"))


def _format_bar(element: etree._Element) -> str:
    is_above = _read_property(element, "barPr", "pos", "bot") == "top"
    return linear.format_accent(_format_child(element, "e"), "¯" if is_above else "")


def _format_limit(element: etree._Element) -> str:
    return linear.format_limit(_format_child(element, "e"), _format_child(element, "lim"))


def _format_root(element: etree._Element) -> str:
    return linear.format_root(_format_child(element, "e"), _format_child(element, "deg"))


def _format_sum(element: etree._Element) -> str:
    sign = _read_property(element, "naryPr", "chr", "∫")
    low, high = _format_child(element, "sub"), _format_child(element, "sup")
    return linear.format_sum(sign, low, high) + _format_child(element, "e")


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
    return linear.format_rows(
        [
            " ".join(format_linear(cell).strip() for cell in row) if row.tag == m("mr") else format_linear(row).strip()
            for row in element
            if row.tag in (m("mr"), m("e"))
        ]
    )


_FORMATTERS = {
    m("f"): _format_fraction,
    m("sSup"): _format_scripts,
    m("sSub"): _format_scripts,
    m("sSubSup"): _format_scripts,
    m("sPre"): _format_left_scripts,
    m("acc"): _format_accent,
    m("bar"): _format_bar,
    m("rad"): _format_root,
    m("nary"): _format_sum,
    m("limLow"): _format_limit,
    m("limUpp"): _format_limit,
    m("d"): _format_brackets,
    m("func"): _format_function,
    m("m"): _format_rows,
    m("eqArr"): _format_rows,
}
