"""Find the captions of tables and figures in a canonical text: "Table 3. Fees", "Figure 2: The mole"."""

from __future__ import annotations

import re
from dataclasses import replace

from highlighter.models import DocumentTable

_MAX_CAPTION_CHARACTERS = 600
_MAX_SHORT_LINE_CHARACTERS = 60
_HAS_ROWS_OR_STOP = re.compile(r"[\t\n]|[.!?。]$")
_NUMBER = r"(?:[A-Z]{1,3}[.-]?)?(?:\d{1,3}(?:[.-]\d{1,3})*[a-z]?|[IVX]{1,6}|[一二三四五六七八九十]{1,3})"
# What follows tells a caption from a sentence about the table: "Table 3 shows ...", "그림 3 참조", "ภาพที่ 3 แสดง". Words of
# scripts from Hebrew to Sinhala, which have no capitals, are a title only after a stop or a dash.
_AFTER = r"(?=\s*$|\s*[.:：。|–—-]|\s+(?!참조|참고|แสดง)[^\W\d_a-zà-öø-ÿа-яё\u0590-\u0dff]|\s+\d|\n|[\]>】〉]\s*\S)"
_OPENING = r"[\[<【〈]?"
_TABLE_WORDS = (
    "Table|TABLE|Tab\\.|Tabelle|Tableau|TABLEAU|Tabla|TABLA|Tabela|Tabella|Cuadro|CUADRO|Quadro|Таблица|ТАБЛИЦА|Табл\\.|"
    "[表附]表?|표|جدول|الجدول|तालिका|सारणी|ตารางที่|ตาราง|טבלה"
)
_FIGURE_WORDS = (
    "Figure|FIGURE|Fig\\.|Abbildung|Abb\\.|Figura|FIGURA|Chart|Diagram|Photo|Gráfico|GRÁFICO|Ilustración|Graphique|GRAPHIQUE|"
    "Grafico|Schéma|Рисунок|РИСУНОК|Рис\\.|Rysunek|Rys\\.|[圖图図]|그림|شكل|الشكل|चित्र|आकृति|ภาพที่|รูปที่|איור"
)
_TABLE = re.compile(rf"{_OPENING}(?:{_TABLE_WORDS})\s?(?:رقم\s)?{_NUMBER}{_AFTER}")
_FIGURE = re.compile(rf"{_OPENING}(?:{_FIGURE_WORDS})\s?(?:رقم\s)?{_NUMBER}{_AFTER}")
_BLOCK = re.compile(r"[^\n].*(?:\n[^\n].*)*")


def tie_captions(text: str, tables: tuple[DocumentTable, ...]) -> tuple[DocumentTable, ...]:
    """Return the tables with the captions that stand right before or after them."""
    taken: set[int] = set()
    tied = []
    for number, table in enumerate(tables):
        caption = table.caption or _find_before(text, table.start, taken)
        if caption is None and not _stands_before_table(text, table.end, tables[number + 1 :]):
            caption = _find_after(text, table.end)
        if caption:
            taken.add(caption[0])
        tied.append(replace(table, caption=caption))
    return tuple(tied)


def find_figure_captions(text: str) -> list[tuple[int, int]]:
    """Return the spans of the paragraphs that are captions of figures."""
    return [block.span() for block in _BLOCK.finditer(text) if _is_caption(_FIGURE, block[0])]


def _find_before(text: str, start: int, taken: set[int]) -> tuple[int, int] | None:
    """Return the caption above a table; a short line may stand between them: its unit, or a header over columns."""
    above = _find_block_before(text, start)
    if above and not _is_caption(_TABLE, text[slice(*above)]) and _is_short_line(text[slice(*above)]):
        above = _find_block_before(text, above[0])
    return above if above and above[0] not in taken and _is_caption(_TABLE, text[slice(*above)]) else None


def _find_block_before(text: str, start: int) -> tuple[int, int] | None:
    end = start - 2
    if end <= 0 or text[end:start] != "\n\n":
        return None
    begin = text.rfind("\n\n", max(end - _MAX_CAPTION_CHARACTERS - 2, 0), end)
    return (begin + 2 if begin >= 0 else 0), end


def _is_short_line(block: str) -> bool:
    return len(block) <= _MAX_SHORT_LINE_CHARACTERS and not _HAS_ROWS_OR_STOP.search(block)


def _find_after(text: str, end: int) -> tuple[int, int] | None:
    block = _BLOCK.match(text, end + 2) if text[end : end + 2] == "\n\n" else None
    return block.span() if block and _is_caption(_TABLE, block[0]) else None


def _stands_before_table(text: str, end: int, following: tuple[DocumentTable, ...]) -> bool:
    """Return whether the paragraph after a table is right before the next one, whose caption it then is."""
    after = _find_after(text, end)
    return bool(after and following and following[0].start == after[1] + 2)


def _is_caption(pattern: re.Pattern[str], block: str) -> bool:
    return len(block) <= _MAX_CAPTION_CHARACTERS and "\t" not in block and bool(pattern.match(block))
