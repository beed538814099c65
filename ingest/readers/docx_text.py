"""Read one paragraph of a Word file: its visible, deleted and hidden text, its notes and its text boxes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from ingest.readers.docx_math import format_linear
from ingest.readers.docx_numbering import format_number
from ingest.readers.docx_package import MC, child_value, is_switched_on, m, parse_number, w
from ingest.readers.docx_styles import DocxStyles
from ingest.readers.superscripts import SUBSCRIPT, SUPERSCRIPT, write_scripts

_SKIPPED_TAGS = frozenset(
    w(name)
    for name in (
        "pPr",
        "rPr",
        "sdtPr",
        "sdtEndPr",
        "instrText",
        "delInstrText",
        "rt",
        "rubyPr",
        "tblPr",
        "commentReference",
        "annotationRef",
        "footnoteRef",
        "endnoteRef",
    )
)
_DELETED_TAGS = frozenset((w("del"), w("moveFrom")))
_SCRIPT_SIGNS = {"superscript": SUPERSCRIPT, "subscript": SUBSCRIPT}
_TEXT_BY_TAG = {w("tab"): " ", w("ptab"): " ", w("noBreakHyphen"): "-", w("cr"): "\n"}
_DRAWING_TAGS = frozenset((w("drawing"), w("pict"), w("object")))
_CONTROL_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
# The characters of the Symbol font, by the code that Word stores.
_SYMBOL_FONT = (
    dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True))
    | dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True))
    | {
        0xA3: "≤",
        0xA5: "∞",
        0xAE: "→",
        0xB0: "°",
        0xB1: "±",
        0xB3: "≥",
        0xB4: "×",
        0xB7: "•",
        0xB9: "≠",
        0xBB: "≈",
        0xD6: "√",
        0xE5: "∑",
        0xF2: "∫",
    }
)
_WINGDINGS_FONT = {
    0x6C: "●",
    0x6E: "■",
    0xA7: "▪",
    0xA8: "□",
    0xD8: "➢",
    0xE0: "→",
    0xFB: "✗",
    0xFC: "✓",
    0xFE: "☑",
    0x6F: "□",
}


@dataclass(slots=True)
class ParagraphText:
    """The text of a paragraph; `boxes` are the text boxes anchored in the paragraph, to be read after it."""

    visible: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    boxes: list[etree._Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        return normalise_spaces("".join(self.visible))


@dataclass(slots=True)
class NoteReferences:
    """The notes in the order in which the text refers to them, with the mark of each."""

    footnotes: dict[str, str] = field(default_factory=dict)
    endnotes: dict[str, str] = field(default_factory=dict)

    def get_mark(self, element: etree._Element) -> str:
        """Return the mark of the note that a reference refers to."""
        is_footnote = element.tag == w("footnoteReference")
        marks = self.footnotes if is_footnote else self.endnotes
        count = len(marks) + 1
        return marks.setdefault(
            element.get(w("id"), ""), f"[{count if is_footnote else format_number(count, 'lowerRoman')}]"
        )


def normalise_spaces(text: str) -> str:
    """Return the text with its superscripts, with single spaces and without blank lines; line breaks stay."""
    text = _CONTROL_CHARACTERS.sub("\ufffd", write_scripts(text))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


class ParagraphReader:
    """A reader of paragraphs that collects their notes."""

    def __init__(self, styles: DocxStyles):
        self._styles = styles
        self.notes = NoteReferences()
        self.formulas = 0  # that were read

    def read(self, paragraph: etree._Element, *, hidden: bool = False) -> ParagraphText:
        """Read one paragraph."""
        content = ParagraphText()
        fields: list[str] = []  # kept per paragraph, so that an unclosed field does not swallow the rest of the text
        for child in paragraph:
            self._walk(child, content, content.hidden if hidden else content.visible, fields)
        return content

    def _walk(self, element: etree._Element, content: ParagraphText, target: list[str], fields: list[str]) -> None:
        tag = element.tag
        if tag in _SKIPPED_TAGS:
            return
        if tag == w("r"):
            self._read_run(element, content, target, fields)
        elif tag in _DRAWING_TAGS:
            content.boxes += _find_outermost(element, w("txbxContent"))
        elif tag in (m("oMath"), m("oMathPara")):
            formula = format_linear(element)
            self.formulas += bool(formula.strip())
            target.append(formula)
        elif tag == MC + "AlternateContent":
            chosen = next(iter(element), None)  # the newest alternative comes first
            for child in chosen if chosen is not None else ():
                self._walk(child, content, target, fields)
        else:
            child_target = content.deleted if tag in _DELETED_TAGS else target
            for child in element:
                self._walk(child, content, child_target, fields)

    def _read_run(self, run: etree._Element, content: ParagraphText, target: list[str], fields: list[str]) -> None:
        properties = run.find(w("rPr"))
        is_hidden = is_switched_on(properties, "vanish")
        if is_hidden is None:
            style = child_value(properties, "rStyle")
            is_hidden = bool(style) and self._styles.get_style(style).hidden
        if is_hidden and target is content.visible:
            target = content.hidden
        opening, closing = _SCRIPT_SIGNS.get(self._find_script(properties), ("", ""))
        for child in run:
            if child.tag == w("fldChar"):
                _update_fields(fields, child.get(w("fldCharType"), ""))
            elif "instruction" in fields:
                continue
            elif child.tag in (w("t"), w("delText")):
                target.append(f"{opening}{child.text or ''}{closing}")
            elif child.tag in _TEXT_BY_TAG:
                target.append(_TEXT_BY_TAG[child.tag])
            elif child.tag == w("br"):
                target.append("\n")
            elif child.tag == w("sym"):
                target.append(_decode_symbol(child))
            elif child.tag in (w("footnoteReference"), w("endnoteReference")):
                target.append(self.notes.get_mark(child))
            else:
                self._walk(child, content, target, fields)

    def _find_script(self, properties: etree._Element | None) -> str:
        """Return whether a run is "superscript" or "subscript" by its own properties or its style's."""
        style = child_value(properties, "rStyle")
        return child_value(properties, "vertAlign") or (self._styles.get_style(style).script if style else "")


def _update_fields(fields: list[str], kind: str) -> None:
    """Follow a field, which is an instruction and then its result: only the result is text."""
    if kind == "begin":
        fields.append("instruction")
    elif kind == "separate" and fields:
        fields[-1] = "result"
    elif kind == "end" and fields:
        fields.pop()


def _decode_symbol(element: etree._Element) -> str:
    try:
        code = int(element.get(w("char"), ""), 16)
    except ValueError:
        return ""
    font = element.get(w("font"), "").lower()
    table = _SYMBOL_FONT if font == "symbol" else _WINGDINGS_FONT
    if 0xF000 <= code <= 0xF0FF:
        return table.get(code - 0xF000, chr(code - 0xF000) if font == "symbol" else "•")
    return chr(code) if parse_number(str(code)) and not 0xD800 <= code <= 0xDFFF and code < 0x110000 else ""


def _find_outermost(element: etree._Element, tag: str) -> list[etree._Element]:
    """Return the outermost text boxes, without the duplicate that is stored for older programs."""
    boxes: list[etree._Element] = []
    for child in element:
        if child.tag == tag:
            boxes.append(child)
        elif child.tag == MC + "AlternateContent":
            chosen = next(iter(child), None)
            boxes += _find_outermost(chosen, tag) if chosen is not None else []
        else:
            boxes += _find_outermost(child, tag)
    return boxes
