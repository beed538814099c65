"""Word's formulas as one line of text, close to how they are read aloud."""

from __future__ import annotations

from lxml import etree

from ingest.readers.docx_names import m

_PROPERTIES = frozenset(
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


def linear(element: etree._Element) -> str:
    write = _WRITERS.get(element.tag)
    if write:
        return write(element)
    if element.tag == m("t"):
        return element.text or ""
    if element.tag in _PROPERTIES:
        return ""
    return "".join(linear(child) for child in element)


def _inner(element: etree._Element, name: str, *, grouped: bool = False) -> str:
    child = element.find(m(name))
    text = linear(child).strip() if child is not None else ""
    return f"({text})" if grouped and len(text) > 1 and not text.isalnum() else text


def _chosen(element: etree._Element, properties: str, name: str, default: str) -> str:
    child = element.find(f"{m(properties)}/{m(name)}")
    return child.get(m("val"), default) if child is not None else default


def _fraction(element: etree._Element) -> str:
    return f"{_inner(element, 'num', grouped=True)}/{_inner(element, 'den', grouped=True)}"


def _scripts(element: etree._Element) -> str:
    low, high = _inner(element, "sub", grouped=True), _inner(element, "sup", grouped=True)
    return _inner(element, "e") + (f"_{low}" if low else "") + (f"^{high}" if high else "")


def _limit(element: etree._Element) -> str:
    return f"{_inner(element, 'e')}_{_inner(element, 'lim', grouped=True)}"


def _root(element: etree._Element) -> str:
    return f"{_inner(element, 'deg')}√{_inner(element, 'e', grouped=True)}"


def _sum(element: etree._Element) -> str:
    low, high = _inner(element, "sub", grouped=True), _inner(element, "sup", grouped=True)
    sign = _chosen(element, "naryPr", "chr", "∫")
    return sign + (f"_{low}" if low else "") + (f"^{high}" if high else "") + f" {_inner(element, 'e')}"


def _brackets(element: etree._Element) -> str:
    parts = [linear(child).strip() for child in element.findall(m("e"))]
    between = _chosen(element, "dPr", "sepChr", "|")
    return _chosen(element, "dPr", "begChr", "(") + between.join(parts) + _chosen(element, "dPr", "endChr", ")")


def _function(element: etree._Element) -> str:
    return f"{_inner(element, 'fName')} {_inner(element, 'e')}"


def _rows(element: etree._Element) -> str:
    return "; ".join(
        " ".join(linear(cell).strip() for cell in row) if row.tag == m("mr") else linear(row).strip()
        for row in element
        if row.tag in (m("mr"), m("e"))
    )


_WRITERS = {
    m("f"): _fraction,
    m("sSup"): _scripts,
    m("sSub"): _scripts,
    m("sSubSup"): _scripts,
    m("rad"): _root,
    m("nary"): _sum,
    m("limLow"): _limit,
    m("limUpp"): _limit,
    m("d"): _brackets,
    m("func"): _function,
    m("m"): _rows,
    m("eqArr"): _rows,
}
