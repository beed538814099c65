"""Read the elements of an HTML page as blocks: headings, paragraphs, lists, tables, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from highlighter.models import DocumentTable
from ingest.readers.docx_numbering import format_number
from ingest.readers.html_visibility import HiddenElements
from ingest.readers.mathml import format_mathml, is_formula
from ingest.readers.superscripts import NOTE_LINK, SCRIPT_SIGNS, SUBSCRIPT, SUPERSCRIPT, write_scripts
from ingest.readers.table_structure import SourceCell, SourceRow, build_table
from ingest.readers.text_blocks import (
    CODE,
    DELETED,
    HEADING,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
    ExtractedBlock,
    collapse_white_space,
)
from ingest.readers.txt_structure import split_code_blocks

_BLOCK_TAGS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre search section "
    "summary table tbody td tfoot th thead tr ul".split()
)
_LIST_TAGS = frozenset(("ul", "ol", "menu", "dir"))
_DELETED_TAGS = frozenset(("del", "s", "strike"))
_HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}
_MAX_HEADING_CHARACTERS = 300  # a whole paragraph in a heading is a paragraph
_BULLETS = "•◦▪"
_NUMBER_KINDS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_LINE_BREAK, _OPENING_QUOTE, _CLOSING_QUOTE = "\x1e", "“", "”"
_LINE_BREAKS = re.compile(f" *{_LINE_BREAK}[ {_LINE_BREAK}]*")
_INVISIBLE = re.compile(f"[\xad\u200b\u2060\ufeff]|{SCRIPT_SIGNS.pattern}")
_SCRIPT_STYLE = re.compile(r"vertical-align\s*:\s*(super|sub)\b", re.IGNORECASE)
_NOTE_LINK_TYPES = ("noteref", "doc-noteref")
_TYPE_ATTRIBUTES = ("role", "epub:type", "{http://www.idpf.org/2007/ops}type")
_SCRIPT_SIGNS = {"sup": SUPERSCRIPT, "super": SUPERSCRIPT, "sub": SUBSCRIPT}
_SENTENCE_ENDS = ".!?:;。！？：；"
_MAX_SPAN = 60  # columns or rows of a merged cell
_MIN_LAYOUT_BLOCKS = 5  # in one cell of a table of one or two rows: the table then only lays out text
_CHECKBOX_TYPES, _CHECKBOX_PARENTS = ("checkbox", "radio"), ("li", "p", "label", "td", "th", "dd")
_MIN_PAIRS, _MAX_PAIR_CHARACTERS = 2, 80  # of terms with values, and of each of them, that are rows of a table
_CELL_BLOCK_TAGS = ("p", "div", "li", "br")


@dataclass(slots=True)
class _OpenList:
    """A list whose items are being read, and the number of its last item."""

    number_kind: str  # "": a bulleted list
    number: int
    bullet: str

    def next_marker(self, value: str | None) -> str:
        if not self.number_kind:
            return self.bullet
        self.number = _parse_number(value, self.number + 1)
        return f"{format_number(self.number, self.number_kind)}."


def read_blocks(root: etree._Element) -> list[ExtractedBlock]:
    """Return the visible blocks of a page in order."""
    reader = _HtmlBlockReader(HiddenElements(root))
    reader.read(root)
    return reader.blocks


class _HtmlBlockReader:
    """A reader of blocks that walks through elements without recursion, however deeply they are nested."""

    def __init__(self, hidden_elements: HiddenElements, *, has_tables: bool = True):
        self.blocks: list[ExtractedBlock] = []
        self._has_tables = has_tables
        self._hidden_elements = hidden_elements
        self._pieces: list[str] = []  # of the block that is being read
        self._deleted_pieces: list[str] = []
        self._deleted_depth = 0
        self._level = 0
        self._lists: list[_OpenList] = []
        self._marker = ""  # of the list item whose text has not begun
        self._is_figure_caption = False

    def read(self, root: etree._Element) -> None:
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if event == "end":
                self._close(element)
                if element is not root:
                    self._add_text(element.tail)
            elif element.tag == "input":
                self._add_checkbox(element)
                walker.skip_subtree()
            elif self._hidden_elements.is_hidden(element) or _draws_formula(element):
                if (formula := _find_drawn_formula(element)) is not None:
                    self._add_text(format_mathml(formula).strip())
                walker.skip_subtree()
            elif element.tag == "pre":
                self._read_code(element)
                walker.skip_subtree()
            elif self._has_tables and element.tag == "table" and _is_data_table(element):
                self._read_table(element)
                walker.skip_subtree()
            elif element.tag == "dl" and (pairs := self._read_pairs(element)):
                self._add_pairs(pairs)
                walker.skip_subtree()
            elif element.tag == "math" and is_formula(element):
                self._add_text(format_mathml(element).strip())
                walker.skip_subtree()
            else:
                self._open(element)
                self._add_text(element.text)
        self._end_block()

    def _open(self, element: etree._Element) -> None:
        tag = element.tag
        if tag in _BLOCK_TAGS:
            self._end_block()
        if tag in _LIST_TAGS:
            self._open_list(element)
        elif tag == "li":
            self._marker = self._lists[-1].next_marker(element.get("value")) if self._lists else _BULLETS[0]
        elif tag in _HEADING_LEVELS:
            self._level = _HEADING_LEVELS[tag]
        elif tag == "figcaption":
            figure = element.getparent()
            self._is_figure_caption = figure is not None and next(figure.iterdescendants("table"), None) is None
        elif tag in _DELETED_TAGS:
            self._deleted_depth += 1
        elif tag == "br":
            self._add_piece(_LINE_BREAK)
        elif tag == "q":
            self._add_piece(_OPENING_QUOTE)
        self._add_piece(_find_script_signs(element)[0])

    def _close(self, element: etree._Element) -> None:
        tag = element.tag
        if self._hidden_elements.is_hidden(element):
            return
        self._add_piece(_find_script_signs(element)[1])
        if tag in _BLOCK_TAGS:
            self._end_block()
        if tag in _LIST_TAGS and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._marker = ""
        elif tag in _HEADING_LEVELS:
            self._level = 0
        elif tag == "figcaption":
            self._is_figure_caption = False
        elif tag in _DELETED_TAGS:
            self._deleted_depth -= 1
            if not self._deleted_depth:
                self._end_deleted()
        elif tag == "q":
            self._add_piece(_CLOSING_QUOTE)

    def _open_list(self, element: etree._Element) -> None:
        is_numbered = element.tag == "ol"
        number_kind = _NUMBER_KINDS.get(element.get("type", ""), "decimal") if is_numbered else ""
        bullet = _BULLETS[min(len(self._lists), len(_BULLETS) - 1)]
        self._lists.append(_OpenList(number_kind, _parse_number(element.get("start"), 1) - 1, bullet))

    def _add_text(self, text: str | None) -> None:
        if text:
            self._add_piece(_INVISIBLE.sub("", text.replace(_LINE_BREAK, " ")))

    def _add_piece(self, piece: str) -> None:
        (self._deleted_pieces if self._deleted_depth else self._pieces).append(piece)

    def _end_block(self) -> None:
        text = collapse_white_space(write_scripts("".join(self._pieces)))
        self._pieces.clear()
        if text.isspace() or not text:
            return
        for paragraph in _split_paragraphs(text):
            self._add_block(paragraph)

    def _add_block(self, text: str) -> None:
        line = text.replace("\n", " ")
        if self._level and len(text) <= _MAX_HEADING_CHARACTERS:
            self.blocks.append(ExtractedBlock(HEADING, f"{self._marker} {line}".strip(), self._level))
        elif self._lists or self._marker:
            self.blocks.append(ExtractedBlock(LIST_ITEM, f"{self._marker} {line}".strip()))
        else:
            self.blocks.append(ExtractedBlock(PARAGRAPH, text, is_figure_caption=self._is_figure_caption))
        self._marker = ""

    def _end_deleted(self) -> None:
        text = write_scripts("".join(self._deleted_pieces)).replace(_LINE_BREAK, " ")
        text = " ".join(collapse_white_space(text).split())
        self._deleted_pieces.clear()
        if text:
            self.blocks.append(ExtractedBlock(DELETED, text))

    def _add_checkbox(self, element: etree._Element) -> None:
        """Add the box of a checkbox or radio button that stands in text; those elsewhere open menus."""
        parent = element.getparent()
        is_in_text = parent is not None and parent.tag in _CHECKBOX_PARENTS
        if (
            is_in_text
            and element.get("type", "").lower() in _CHECKBOX_TYPES
            and not self._hidden_elements.is_styled_hidden(element)
        ):
            self._add_piece("☐ " if element.get("checked") is None else "☑ ")

    def _read_pairs(self, description_list: etree._Element) -> list[tuple[str, str]]:
        """Return the terms and values of a list of short ones; nothing for other lists."""
        elements = _list_own_terms_and_values(description_list)
        if len(elements) < 2 * _MIN_PAIRS or [element.tag for element in elements] != ["dt", "dd"] * (
            len(elements) // 2
        ):
            return []
        blocks = [[] if self._hidden_elements.is_hidden(element) else self._read_apart(element) for element in elements]
        if any(
            len(group) != 1 or group[0].kind != PARAGRAPH or len(group[0].text) > _MAX_PAIR_CHARACTERS
            for group in blocks
        ):
            return []
        texts = [" ".join(group[0].text.split()) for group in blocks]
        pairs = list(zip(texts[::2], texts[1::2], strict=True))
        return [] if any(value[-1] in _SENTENCE_ENDS for _, value in pairs) else pairs

    def _add_pairs(self, pairs: list[tuple[str, str]]) -> None:
        """Add terms and values as the rows of a table whose first column is a header."""
        self._end_block()
        text = "\n".join(map("\t".join, pairs))
        self.blocks.append(ExtractedBlock(TABLE, text, table=DocumentTable(0, len(text), 0, 1, ())))

    def _read_code(self, element: etree._Element) -> None:
        self._end_block()
        pieces = [element.text or ""]
        for child in element.iterdescendants():
            if child.tag == "br":
                pieces.append("\n")
            pieces += [child.text or "", child.tail or ""]
        code = "".join(pieces).replace(_LINE_BREAK, " ")
        self.blocks += [ExtractedBlock(CODE, block) for block in split_code_blocks(code)]

    def _read_table(self, table: etree._Element) -> None:
        self._end_block()
        captions = [block for caption in table.iterchildren("caption") for block in self._read_apart(caption)]
        self.blocks += captions
        rows: list[str] = []
        source_rows: list[SourceRow] = []
        deleted: list[ExtractedBlock] = []
        header_rows = 0
        merged_rows: dict[int, int] = {}  # by column: the rows below that a cell extends to
        for row in _iterate_own_rows(table):
            if self._hidden_elements.is_hidden(row):
                continue
            cells, source_cells = self._read_row(row, merged_rows, deleted)
            text = "\t".join(cells).rstrip("\t")
            source_rows.append(SourceRow(tuple(source_cells), bool(text.strip()), row.getparent().tag == "thead"))
            if text.strip():
                header_rows += len(rows) == header_rows and _is_header_row(row)
                rows.append(text)
        if rows:
            header_characters = len("\n".join(rows[:header_rows])) if header_rows < len(rows) else 0
            text = "\n".join(rows)
            table_structure = build_table(source_rows, len(text))
            if len(captions) == 1 and captions[0].kind == PARAGRAPH:  # the span of the block right before the table
                table_structure = replace(table_structure, caption=(-2 - len(captions[0].text), -2))
            self.blocks.append(ExtractedBlock(TABLE, text, header_characters=header_characters, table=table_structure))
        self.blocks += deleted

    def _read_row(
        self, row: etree._Element, merged_rows: dict[int, int], deleted: list[ExtractedBlock]
    ) -> tuple[list[str], list[SourceCell]]:
        """Return one text for each column, and the cells; the text of a merged cell stands in its first column and row."""
        cells: list[str] = []
        source_cells: list[SourceCell] = []
        for cell in row.iterchildren("td", "th"):
            _fill_merged_columns(cells, merged_rows)
            blocks = self._read_apart(cell)
            deleted += [block for block in blocks if block.kind == DELETED]
            text = " ".join(block.text for block in blocks if block.kind != DELETED)
            columns = min(max(_parse_number(cell.get("colspan"), 1), 1), _MAX_SPAN)
            rows_below = min(max(_parse_number(cell.get("rowspan"), 1), 1), _MAX_SPAN) - 1
            merged_rows |= {len(cells) + number: rows_below for number in range(columns) if rows_below}
            text = " ".join(text.split())
            is_bold = bool(text) and _is_bold(cell)
            source_cells.append(
                SourceCell(len(cells), text, rows_below + 1, columns, is_header=cell.tag == "th", is_bold=is_bold)
            )
            cells += [text, *[""] * (columns - 1)]
        _fill_merged_columns(cells, merged_rows)
        return cells, source_cells

    def _read_apart(self, element: etree._Element) -> list[ExtractedBlock]:
        """Return the blocks of a cell, caption, term or value: a table within it is paragraphs."""
        reader = _HtmlBlockReader(self._hidden_elements, has_tables=False)
        reader.read(element)
        return reader.blocks


def _draws_formula(element: etree._Element) -> bool:
    """Return whether an element draws a formula that stands beside it as MathML, which is read instead."""
    return element.get("aria-hidden") == "true" and any(
        sibling is not None and next(sibling.iter("math"), None) is not None
        for sibling in (element.getprevious(), element.getnext())
    )


def _find_drawn_formula(element: etree._Element) -> etree._Element | None:
    """Return the formula in a hidden element that a picture after it shows."""
    following = element.getnext()
    formula = next(element.iter("math"), None) if following is not None and following.tag == "img" else None
    return formula if formula is not None and is_formula(formula) else None


def _find_script_signs(element: etree._Element) -> tuple[str, str]:
    """Return the signs around what stands high or low; empty for other elements."""
    name = element.tag
    if name == "a" and any(element.get(attribute) in _NOTE_LINK_TYPES for attribute in _TYPE_ATTRIBUTES):
        return NOTE_LINK
    if name not in _SCRIPT_SIGNS:
        style = _SCRIPT_STYLE.search(element.get("style", ""))
        name = style[1].lower() if style and name not in _BLOCK_TAGS else ""
    signs = _SCRIPT_SIGNS.get(name, ("", ""))
    return NOTE_LINK if signs == SUPERSCRIPT and _is_link(element) else signs


def _is_link(element: etree._Element) -> bool:
    """Return whether the whole of an element is a link, inside or around it."""
    parent = element.getparent()
    is_inside = parent is not None and parent.tag == "a" and len(parent) == 1 and not (parent.text or "").strip()
    return is_inside or (next(element.iter("a"), None) is not None and not (element.text or "").strip())


def _is_bold(cell: etree._Element) -> bool:
    """Return whether all text of a cell is in one bold element, as in the sheets that LibreOffice writes."""
    element = cell
    while len(element) == 1 and not (element.text or "").strip() and not (element[0].tail or "").strip():
        element = element[0]
        if element.tag in ("b", "strong"):
            return True
    return False


def _fill_merged_columns(cells: list[str], merged_rows: dict[int, int]) -> None:
    """Add an empty cell for each next column that a cell above extends to."""
    while rows_below := merged_rows.get(len(cells), 0):
        merged_rows[len(cells)] = rows_below - 1
        cells.append("")


def _list_own_terms_and_values(description_list: etree._Element) -> list[etree._Element]:
    """Return the terms and values of a list, also those in `div`s; none where it holds another list or anything else."""
    if next(description_list.iterdescendants("dl"), None) is not None:
        return []
    groups = [description_list, *description_list.iterchildren("div")]
    texts = [text for group in groups for text in (group.text, *(child.tail for child in group))]
    elements: list[etree._Element] = []
    for child in description_list:
        elements += list(child) if child.tag == "div" else [child]
    has_others = any(text and text.strip() for text in texts) or any(
        child.tag not in ("dt", "dd") for child in elements
    )
    return [] if has_others else elements


def _is_data_table(table: etree._Element) -> bool:
    """Return whether a table has rows and columns of data: many pages and e-mails only lay out their text with one."""
    has_nested = next(table.iterdescendants("table"), None) is not None
    if table.get("role") in ("presentation", "none") or (has_nested and not _has_own_headers(table)):
        return False
    rows = [list(row.iterchildren("td", "th")) for row in _iterate_own_rows(table)]
    if max(map(len, rows), default=0) < 2 or next(table.iter("h1", "h2", "h3", "pre"), None) is not None:
        return False
    return len(rows) > 2 or not any(
        sum(1 for _ in cell.iter(*_CELL_BLOCK_TAGS)) >= _MIN_LAYOUT_BLOCKS for row in rows for cell in row
    )


def _has_own_headers(table: etree._Element) -> bool:
    """Return whether a table has a caption, or a header row that holds no table: one that lays out text has neither."""
    if next(table.iterchildren("caption"), None) is not None:
        return True
    row = next(_iterate_own_rows(table), None)
    return row is not None and _is_header_row(row) and next(row.iterdescendants("table"), None) is None


def _iterate_own_rows(table: etree._Element) -> Iterator[etree._Element]:
    """Yield the rows of a table without those of tables in its cells."""
    return (row for row in table.iter("tr") if next(row.iterancestors("table")) is table)


def _is_header_row(row: etree._Element) -> bool:
    cells = list(row.iterchildren("td", "th"))
    return row.getparent().tag == "thead" or (len(cells) > 1 and all(cell.tag == "th" for cell in cells))


def _split_paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text with line breaks: two breaks in a row end one, a break in a sentence is a space."""
    paragraphs: list[str] = []
    is_new = True
    for part in re.split(f"({_LINE_BREAKS.pattern})", text):
        if part.strip(f" {_LINE_BREAK}") == "":
            is_new = is_new or part.count(_LINE_BREAK) > 1
            continue
        line = part.strip()
        if is_new:
            paragraphs.append(line)
        else:
            is_mid_sentence = line[0].islower() and paragraphs[-1][-1] not in _SENTENCE_ENDS
            paragraphs[-1] += (" " if is_mid_sentence else "\n") + line
        is_new = False
    return paragraphs


def _parse_number(text: str | None, default: int) -> int:
    return int(text) if text and re.fullmatch(r"\s*-?[0-9]{1,6}\s*", text) else default
