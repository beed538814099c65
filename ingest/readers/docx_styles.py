"""Resolve paragraph styles of Word files: heading level, numbering and hidden text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from ingest.readers.docx_package import child_value, is_switched_on, parse_number, w

_HEADING_STYLE_NAME = re.compile(r"heading ([1-9])")
_LIST_STYLE_NAME = re.compile(r"list (?:bullet|number) ([2-5])")
_BODY_TEXT_LEVEL = 9  # outline level 10 in Word: body text
_MAX_ANCESTORS = 20  # ends a cycle of styles that are based on each other


@dataclass(frozen=True, slots=True)
class DocxStyle:
    """The properties of a style, with those it inherits."""

    level: int = 0  # of a heading; 0: none
    number_id: str = ""
    number_level: int = 0
    depth: int = 0  # of styles such as "List Bullet 2", each the first level of a list of its own
    hidden: bool = False
    script: str = ""  # "superscript" or "subscript"


class DocxStyles:
    """The styles of a Word file by id, with inheritance resolved."""

    def __init__(self, root: etree._Element | None):
        self._elements = (
            {style.get(w("styleId"), ""): style for style in root.iter(w("style"))} if root is not None else {}
        )
        self._resolved_styles: dict[str, DocxStyle] = {}
        default_ids = [
            style.get(w("styleId"), "")
            for style in self._elements.values()
            if style.get(w("type")) == "paragraph" and style.get(w("default")) in ("1", "true")
        ]
        self._default = default_ids[0] if default_ids else ""

    def get_style(self, style_id: str) -> DocxStyle:
        style_id = style_id or self._default
        if style_id not in self._resolved_styles:
            self._resolved_styles[style_id] = self._resolve(style_id)
        return self._resolved_styles[style_id]

    def formats_table_part(self, style_id: str, part: str) -> bool:
        """Return whether a table style sets a part of its tables apart: their "firstRow" or "firstCol"."""
        for _ in range(_MAX_ANCESTORS):
            style = self._elements.get(style_id)
            if style is None:
                return False
            parts = (formatted for formatted in style.iterchildren(w("tblStylePr")) if len(formatted))
            if any(formatted.get(w("type")) == part for formatted in parts):
                return True
            style_id = child_value(style, "basedOn")
        return False

    def _resolve(self, style_id: str) -> DocxStyle:
        level = number_level = 0
        number_id = script = ""
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
            script = script or child_value(style.find(w("rPr")), "vertAlign")
            style_id = child_value(style, "basedOn")
        return DocxStyle(max(level, 0), number_id, number_level, depth, bool(hidden), script)


def _read_own_level(style: etree._Element, properties: etree._Element | None) -> int:
    """Return the heading level that a style itself sets, 0 when it sets none, -1 to stop looking at its ancestors.

    Word keeps the English names of its built-in styles in every language.
    """
    name = child_value(style, "name").lower()
    if heading := _HEADING_STYLE_NAME.fullmatch(name):
        return int(heading[1])
    if name == "title":
        return 1
    if name.startswith("toc ") or name in ("toc heading", "normal", "list paragraph"):
        return -1
    outline = parse_number(child_value(properties, "outlineLvl", str(_BODY_TEXT_LEVEL)), _BODY_TEXT_LEVEL)
    return outline + 1 if 0 <= outline < _BODY_TEXT_LEVEL else 0
