"""Format the MathML of web pages and books as one line of text, as the formulas of Word files are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lxml import etree

from ingest.readers import linear_formulas as linear

_MAX_DEPTH = 100  # what is nested more deeply is read as its text alone
_TOKEN_TAGS = frozenset(("mi", "mn", "mo", "ms", "mtext"))
_ANNOTATION_TAGS = frozenset(("annotation", "annotation-xml"))
_UNREAD_TAGS = _ANNOTATION_TAGS | {"mphantom", "mprescripts", "none", "maligngroup", "malignmark"}
_ROW_TAGS = frozenset("math menclose merror mpadded mrow mspace mstyle mtd mtr mlabeledtr".split())
_LARGE_OPERATORS = frozenset("∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂")
_SPACES_FOR_OPERATORS = str.maketrans({"\u2061": " ", "\u2062": "", "\u2063": ",", "\u2064": "", "\u200b": ""})
_BRACES = frozenset("⏞⏟⏜⏝︷︸︵︶⎴⎵_")  # above or below a part that they only mark


def is_formula(element: etree._Element) -> bool:
    """Return whether an element holds nothing but MathML: text that a formula has no place for must not be lost."""
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, part in walker:
        tag = _get_tag(part)
        if event == "end":
            if part is not element and (part.tail or "").strip():
                return False
        elif tag in _ANNOTATION_TAGS:
            walker.skip_subtree()
        elif tag not in _FORMULA_TAGS or (tag not in _TOKEN_TAGS and (part.text or "").strip()):
            return False
    return True


def format_mathml(element: etree._Element, depth: int = 0) -> str:
    """Return an element of a formula as one line of text."""
    tag = _get_tag(element)
    if tag in _UNREAD_TAGS:
        return ""
    if tag in _TOKEN_TAGS or depth > _MAX_DEPTH:
        text = "".join(element.itertext()).translate(_SPACES_FOR_OPERATORS)
        return text if tag == "mtext" else " ".join(text.split()) or (" " if " " in text else "")
    if tag == "mspace":
        return " "
    formatter = _FORMATTERS.get(tag)
    if formatter:
        return formatter(element, depth + 1)
    return _join([format_mathml(child, depth + 1) for child in _list_parts(element)])


def _get_tag(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2].rpartition(":")[2] if isinstance(element.tag, str) else "none"


def _list_parts(element: etree._Element) -> list[etree._Element]:
    return [child for child in element if isinstance(child.tag, str)]


def _join(texts: list[str]) -> str:
    """Join the parts of a row; words ("sin", "mod") stand apart from the letters and figures beside them."""
    joined = before = ""
    for text in filter(None, texts):
        is_word_beside = before[-1:].isalnum() and text[:1].isalnum() and (_is_word(before[-2:]) or _is_word(text[:2]))
        joined = f"{joined} {text}" if is_word_beside else linear.join_parts(joined, text)
        before = text
    return joined


def _is_word(letters: str) -> bool:
    return len(letters) > 1 and letters.isalpha()


def _format_parts(element: etree._Element, depth: int, count: int) -> list[str]:
    """Return the first parts of an element; missing ones are empty."""
    texts = [format_mathml(child, depth).strip() for child in _list_parts(element)[:count]]
    return texts + [""] * (count - len(texts))


def _format_fraction(element: etree._Element, depth: int) -> str:
    upper, lower = _format_parts(element, depth, 2)
    if element.get("linethickness", "").rstrip("%empxtc") not in ("0", "0.0"):
        return linear.format_fraction(upper, lower)
    return linear.format_binomial(upper, lower) if _is_bracketed(element) else linear.format_rows([upper, lower])


def _is_bracketed(element: etree._Element) -> bool:
    """Return whether round brackets stand on both sides of an element."""
    before, after, parent = element.getprevious(), element.getnext(), element.getparent()
    if parent is not None and _get_tag(parent) == "mfenced":
        return parent.get("open", "(") == "(" and len(_list_parts(parent)) == 1
    return "".join("" if other is None else "".join(other.itertext()).strip() for other in (before, after)) == "()"


def _format_sub(element: etree._Element, depth: int) -> str:
    base, low = _format_parts(element, depth, 2)
    return _format_scripts(base, low, "")


def _format_sup(element: etree._Element, depth: int) -> str:
    base, high = _format_parts(element, depth, 2)
    return _format_scripts(base, "", high)


def _format_sub_sup(element: etree._Element, depth: int) -> str:
    return _format_scripts(*_format_parts(element, depth, 3))


def _format_scripts(base: str, low: str, high: str) -> str:
    if base in _LARGE_OPERATORS:
        return linear.format_sum(base, low, high)
    is_prime = high and not high.strip("′″‴'*†")
    return base + linear.lower_text(low) + high if is_prime else linear.format_scripts(base, low, high)


def _format_under(element: etree._Element, depth: int) -> str:
    base, low = _format_parts(element, depth, 2)
    return _format_limits(base, low, "")


def _format_over(element: etree._Element, depth: int) -> str:
    base, high = _format_parts(element, depth, 2)
    is_accent = len(high) == 1 and not high.isalnum()
    return linear.format_accent(base, high) if is_accent else _format_limits(base, "", high)


def _format_under_over(element: etree._Element, depth: int) -> str:
    return _format_limits(*_format_parts(element, depth, 3))


def _format_limits(base: str, low: str, high: str) -> str:
    low, high = ("" if text in _BRACES else text for text in (low, high))
    if base in _LARGE_OPERATORS:
        return linear.format_sum(base, low, high)
    return (linear.format_limit(base, low) if low else base) + linear.mark_script("^", high)


def _format_left_scripts(element: etree._Element, depth: int) -> str:
    tags = [_get_tag(part) for part in _list_parts(element)]
    base, *scripts = [format_mathml(part, depth).strip() for part in _list_parts(element)] or [""]
    split = tags.index("mprescripts") - 1 if "mprescripts" in tags else len(scripts)
    text = linear.format_scripts(base, *_join_scripts(scripts[:split]))
    return linear.format_left_scripts(text, *_join_scripts(scripts[split + 1 :]))


def _join_scripts(scripts: list[str]) -> tuple[str, str]:
    return "".join(scripts[::2]), "".join(scripts[1::2])


def _format_square_root(element: etree._Element, depth: int) -> str:
    return linear.format_root(_join([format_mathml(child, depth) for child in _list_parts(element)]).strip())


def _format_root(element: etree._Element, depth: int) -> str:
    return linear.format_root(*_format_parts(element, depth, 2))


def _format_brackets(element: etree._Element, depth: int) -> str:
    separators = "".join(element.get("separators", ",").split())
    texts = [format_mathml(child, depth).strip() for child in _list_parts(element)]
    joined = texts[0] if texts else ""
    for number, (_, text) in enumerate(pairwise(texts)):
        joined += (separators[min(number, len(separators) - 1)] if separators else "") + text
    return f"{element.get('open', '(')}{joined}{element.get('close', ')')}"


def _format_first(element: etree._Element, depth: int) -> str:
    return _format_parts(element, depth, 1)[0]


def _format_table(element: etree._Element, depth: int) -> str:
    return linear.format_rows([" ".join(_format_cells(row, depth)) for row in _list_parts(element)])


def _format_cells(row: etree._Element, depth: int) -> Iterator[str]:
    """Yield the cells of a row; the number of an equation, which stands first in the file, comes last."""
    cells = [text for cell in _list_parts(row) if (text := format_mathml(cell, depth).strip())]
    yield from cells[1:] + cells[:1] if _get_tag(row) == "mlabeledtr" else cells


_FORMATTERS = {
    "mfrac": _format_fraction,
    "msub": _format_sub,
    "msup": _format_sup,
    "msubsup": _format_sub_sup,
    "munder": _format_under,
    "mover": _format_over,
    "munderover": _format_under_over,
    "mmultiscripts": _format_left_scripts,
    "msqrt": _format_square_root,
    "mroot": _format_root,
    "mfenced": _format_brackets,
    "mtable": _format_table,
    "semantics": _format_first,
    "maction": _format_first,
}
_FORMULA_TAGS = _TOKEN_TAGS | _UNREAD_TAGS | _ROW_TAGS | _FORMATTERS.keys()
