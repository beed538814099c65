"""Format Word's formulas as one line of text, close to how they are read aloud."""

from __future__ import annotations

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


def format_linear(element: etree._Element) -> str:
    """Return an element of a formula as one line of text."""
    formatter = _FORMATTERS.get(element.tag)
    if formatter:
        return formatter(element)
    if element.tag == m("t"):
        return element.text or ""
    if element.tag in _PROPERTY_TAGS:
        return ""
    return "".join(format_linear(child) for child in element)


def _format_child(element: etree._Element, name: str, *, grouped: bool = False) -> str:
    child = element.find(m(name))
    text = format_linear(child).strip() if child is not None else ""
    return f"({text})" if grouped and len(text) > 1 and not text.isalnum() else text


def _read_property(element: etree._Element, properties: str, name: str, default: str) -> str:
    child = element.find(f"{m(properties)}/{m(name)}")
    return child.get(m("val"), default) if child is not None else default


def _format_fraction(element: etree._Element) -> str:
    return f"{_format_child(element, 'num', grouped=True)}/{_format_child(element, 'den', grouped=True)}"


def _format_scripts(element: etree._Element) -> str:
    low, high = _format_child(element, "sub", grouped=True), _format_child(element, "sup", grouped=True)
    return _format_child(element, "e") + (f"_{low}" if low else "") + (f"^{high}" if high else "")


def _format_limit(element: etree._Element) -> str:
    return f"{_format_child(element, 'e')}_{_format_child(element, 'lim', grouped=True)}"


def _format_root(element: etree._Element) -> str:
    return f"{_format_child(element, 'deg')}√{_format_child(element, 'e', grouped=True)}"


def _format_sum(element: etree._Element) -> str:
    low, high = _format_child(element, "sub", grouped=True), _format_child(element, "sup", grouped=True)
    sign = _read_property(element, "naryPr", "chr", "∫")
    return sign + (f"_{low}" if low else "") + (f"^{high}" if high else "") + f" {_format_child(element, 'e')}"


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
    m("rad"): _format_root,
    m("nary"): _format_sum,
    m("limLow"): _format_limit,
    m("limUpp"): _format_limit,
    m("d"): _format_brackets,
    m("func"): _format_function,
    m("m"): _format_rows,
    m("eqArr"): _format_rows,
}
