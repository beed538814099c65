"""What a paragraph's style says: heading level, numbering, hidden."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from ingest.readers.docx_package import child_value, is_switched_on, parse_number, w

_HEADING_STYLE_NAME = re.compile(r"heading ([1-9])")
_LIST_STYLE_NAME = re.compile(r"list (?:bullet|number) ([2-5])")
_BODY_TEXT_LEVEL = 9  # outline level 10 of the file format: none
_MAX_ANCESTORS = 20  # styles that are based on each other in a ring must end


@dataclass(frozen=True, slots=True)
class DocxStyle:
    level: int = 0  # of a heading; 0: none
    number_id: str = ""
    number_level: int = 0
    depth: int = 0  # of "List Bullet 2" and its like, which are the first level of a list of their own
    hidden: bool = False


class DocxStyles:
    """Styles by id, what they inherit worked out."""

    def __init__(self, root: etree._Element | None):
        self._elements = {one.get(w("styleId"), ""): one for one in root.iter(w("style"))} if root is not None else {}
        self._resolved_styles: dict[str, DocxStyle] = {}
        default = [
            one.get(w("styleId"), "")
            for one in self._elements.values()
            if one.get(w("type")) == "paragraph" and one.get(w("default")) in ("1", "true")
        ]
        self._default = default[0] if default else ""

    def get_style(self, style_id: str) -> DocxStyle:
        style_id = style_id or self._default
        if style_id not in self._resolved_styles:
            self._resolved_styles[style_id] = self._resolve(style_id)
        return self._resolved_styles[style_id]

    def _resolve(self, style_id: str) -> DocxStyle:
        level = number_level = 0
        number_id = ""
        hidden: bool | None = None
        listed = _LIST_STYLE_NAME.fullmatch(child_value(self._elements.get(style_id), "name").lower())
        depth = int(listed[1]) - 1 if listed else 0
        for _ in range(_MAX_ANCESTORS):
            style = self._elements.get(style_id)
            if style is None:
                break
            properties = style.find(w("pPr"))
            numbering = properties.find(w("numPr")) if properties is not None else None
            level = level or _read_own_level(style, properties)
            if not number_id and numbering is not None:
                number_id = child_value(numbering, "numId")
                number_level = parse_number(child_value(numbering, "ilvl"))
            if hidden is None:
                hidden = is_switched_on(style.find(w("rPr")), "vanish")
            style_id = child_value(style, "basedOn")
        return DocxStyle(max(level, 0), number_id, number_level, depth, bool(hidden))


def _read_own_level(style: etree._Element, properties: etree._Element | None) -> int:
    """Word keeps the English name of its own styles in every language; -1 ends the search among the ancestors."""
    name = child_value(style, "name").lower()
    if heading := _HEADING_STYLE_NAME.fullmatch(name):
        return int(heading[1])
    if name == "title":
        return 1
    if name.startswith("toc ") or name in ("toc heading", "normal", "list paragraph"):
        return -1
    outline = parse_number(child_value(properties, "outlineLvl", str(_BODY_TEXT_LEVEL)), _BODY_TEXT_LEVEL)
    return outline + 1 if 0 <= outline < _BODY_TEXT_LEVEL else 0
