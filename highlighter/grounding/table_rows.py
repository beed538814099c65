"""Rows of tables in sources, and claims that join what stands in different rows or under another header.

A model that reads a table's rows one after another mixes them up: each word of "Berries have 95 calories" stands there,
though not in one row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from highlighter.cpu_budget import check_cpu
from highlighter.grounding.differences import join_spans
from highlighter.grounding.table_units import (
    TableUnit,
    add_scaled_keys,
    find_unit,
    has_own_unit,
    has_power,
    is_plain_number,
    is_sum_of_money,
    list_scaled_keys,
    strip_unit,
)
from highlighter.grounding.wording import DATE, NUMBER, KeyedWord, Wording, join_keys, parse_wording
from highlighter.locale import N_
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.document_tables import format_row

_TABLE = re.compile(r"(?:^[^\n\t]*\t[^\n]*(?:\n|\Z)){2,}|(?:^ {0,3}\|[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
# A row with another number than a year is no header.
_NUMBER_CELL = re.compile(r"\W{0,2}(?!(?:19|20)\d\d(?!\d|[.,]\d))\d")
_LABEL = re.compile(r"(?:^|[,;]\s)(?P<words>[^,;:]{1,120}):\s*\W{0,3}$")
_BREAK = re.compile(r"[,;:.()，；：（）]")
MAX_LINE_CHARACTERS = 500  # before a table, searched for the unit of its numbers
# Longer cells hold prose, whose words claims say in their own way.
MAX_VALUE_WORDS = 4
# Cells that deny what their header says.
_DENIALS = frozenset("no none false nein keine non aucun faux falso ninguno 否 无 没有 不 × ✗ ✘ ☐".split())


@dataclass(frozen=True)
class TableRow:
    """A row of a table in a source, with the cells of the table's header row if it has one."""

    table: int  # offset of the table in its source
    header: tuple[str, ...]
    cells: tuple[str, ...]
    unit: TableUnit | None = None  # of all columns without one

    @property
    def text(self) -> str:
        """The cells after their headers, as a model reads them."""
        return format_row((header, cell) for header, cell in zip(self._headers, self.cells, strict=False) if cell)

    @property
    def _headers(self) -> tuple[str, ...]:
        return (*self.header, *[""] * (len(self.cells) - len(self.header)))

    @cached_property
    def units(self) -> tuple[TableUnit | None, ...]:
        """The units of the cells that hold a number alone."""
        if has_own_unit(self.cells[0]):
            return (None,) * len(self.cells)
        return (
            None,
            *(
                (find_unit(header) or self.unit) if is_plain_number(cell) and not has_own_unit(header) else None
                for header, cell in zip(self._headers[1:], self.cells[1:], strict=False)
            ),
        )

    def add_units(self, wording: Wording, column: int) -> Wording:
        """Return the wording of a cell, or a part of it, whose numbers also have the keys of their value in the cell's unit."""
        unit = self.units[column]
        if unit is None:
            return wording
        return Wording(wording.text, tuple(add_scaled_keys(word, unit) for word in wording.words))

    def add_units_to_row(self, wording: Wording) -> Wording:
        """Return the wording of the whole row, whose numbers also have the keys of their values in their units."""
        bar = "\t" if "\t" in wording.text else "|"
        first = wording.text.lstrip().startswith("|") if bar == "|" else 0
        columns = [wording.text.count(bar, 0, word.start) - first for word in wording.words]
        units = [self.units[column] if column < len(self.units) else None for column in columns]
        words = (add_scaled_keys(word, unit) if unit else word for word, unit in zip(wording.words, units, strict=True))
        return Wording(wording.text, tuple(words))

    def write_for(self, claim: Wording) -> str:
        """Return the text, with the numbers that a claim gives in the unit of their column as the claim writes them.

        Of a claim that repeats cells with their headers ("Sales, 2024: 5,120"), return these.
        """
        pairs = [f"{header}: {cell}" for header, cell in zip(self.header[1:], self.cells[1:], strict=False) if cell]
        repeated = sorted((pair for pair in pairs if pair in claim.text), key=claim.text.index)
        if repeated and claim.text.rstrip(" .") == ", ".join((self.cells[0], *repeated)):
            return claim.text
        cells, headers = list(self.cells), list(self._headers)
        for column, unit in enumerate(self.units):
            if unit is None:
                continue
            scaled = frozenset().union(*(list_scaled_keys(word, unit) for word in parse_wording(cells[column]).words))
            written = [claim.text[word.start : word.end] for word in claim.words if word.keys & scaled]
            if written:
                cells[column] = unit.write(written[0])
                headers[column] = strip_unit(headers[column])
        if cells == list(self.cells):
            return self.text
        headers[0] = strip_unit(headers[0])
        return format_row((header, cell) for header, cell in zip(headers, cells, strict=True) if cell)

    @cached_property
    def values(self) -> tuple[Wording, ...]:
        """The cells that hold a name, a number or a few words; empty ones in the place of the others."""
        wordings = (self.add_units(parse_wording(cell), column) for column, cell in enumerate(self.cells))
        return tuple(w if len(w.content_words) <= MAX_VALUE_WORDS else parse_wording("") for w in wordings)

    @cached_property
    def keys(self) -> frozenset[str]:
        return join_keys(self.values)

    @cached_property
    def all_keys(self) -> frozenset[str]:
        """The keys of all cells, also of the longer ones."""
        return self.keys.union(*(parse_wording(cell).keys for cell in self.cells))

    @cached_property
    def header_keys(self) -> tuple[frozenset[str], ...]:
        return tuple(parse_wording(cell).keys for cell in self.header)

    def is_named(self, claim: Wording) -> bool:
        """Return whether a claim has all words of the row's first cell."""
        words = self.values[0].content_words
        return bool(words) and all(word.keys & claim.keys for word in words)


class RowSpan(NamedTuple):
    """A row with its span in the source."""

    start: int
    end: int
    length: int  # without white space around it
    row: TableRow


def find_table_rows(text: str) -> Iterator[RowSpan]:
    """Yield the rows below the headers of a text's tables, whose cells are separated by tabs, or by "|" as in Markdown.

    A table that goes on on the next page keeps its header.
    """
    header: tuple[str, ...] = ()
    table = end = column_count = 0
    unit = None
    for match in _TABLE.finditer(text):
        lines = match.group().rstrip("\n").split("\n")
        rows = [_split_row(line) for line in lines]
        goes_on = bool(header) and column_count == len(rows[0]) and not text[end : match.start()].strip()
        has_header = sum(map(bool, rows[0])) > 1 and not _has_number(rows[0])
        if goes_on and not (has_header and any(map(_has_number, rows[1:]))):
            first = 1 if rows[0] == header else 0
        else:
            table, header, first = match.start(), rows[0] if has_header else (), int(has_header)
            unit = find_unit(header[0]) if header else None
            unit = unit or find_unit(_read_line_above(text, match.start()))
        start = match.start()
        for number, line in enumerate(lines):
            if number >= first and not _is_rule(line):
                yield RowSpan(start, start + len(line), len(line.strip()), TableRow(table, header, rows[number], unit))
            start += len(line) + 1
        end, column_count = match.end(), len(rows[0])


def _has_number(row: Sequence[str]) -> bool:
    """Return whether a row has a cell that begins with another number than a year."""
    return any(map(_NUMBER_CELL.match, row))


def _read_line_above(text: str, start: int) -> str:
    """Return the last line with text before a table."""
    above = text[max(start - MAX_LINE_CHARACTERS, 0) : start].rstrip()
    return above[above.rfind("\n") + 1 :]


def _is_rule(line: str) -> bool:
    """Return whether a line is the rule below a header: |---|:--:|."""
    return "-" in line and not line.strip(" \t\r|:-")


def _split_row(line: str) -> tuple[str, ...]:
    cells = line.split("\t") if "\t" in line else line.strip().strip("|").split("|")
    return tuple(cell.strip() for cell in cells)


def explain_mixed_cells(claim: Wording, rows: Sequence[TableRow], other_keys: frozenset[str]) -> str:
    """Return why no row of a table says a claim whose words stand in the table; "" where one may say it.

    `other_keys` are those of what else was read: words that stand there, or in the header, may come from there. A claim
    that names several rows may take its words from all of them.
    """
    other_keys = other_keys.union(*(keys for row in rows[:1] for keys in row.header_keys))
    words = [word for word in claim.content_words if not word.keys & other_keys]
    words = [word for word in words if any(word.keys & row.keys for row in rows)]
    placed = [(word, {number for number, row in enumerate(rows) if word.keys & row.all_keys}) for word in words]
    if not placed:
        return ""
    named = _find_named_rows(claim, rows)
    # A row that is named may be spoken of elsewhere, too: its numbers stand in it.
    elsewhere = [word for word, numbers in placed if word.kind in (NUMBER, DATE) and named and not numbers & named]
    if not elsewhere and (common := set.intersection(*(numbers for _, numbers in placed))):
        for number in sorted(common):
            check_cpu()
            under_others = _find_numbers_under_other_headers(claim, rows[number]) or _find_words_under_other_headers(
                claim, rows[number]
            )
            if not under_others:
                return ""
        return N_("“{words}” stands under another header in the table.", words=_quote_words(claim, under_others))
    if not elsewhere and len(named) > 1 and all(numbers & named for _, numbers in placed):
        return ""
    in_name = [word for word in claim.content_words if any(word.keys & rows[number].values[0].keys for number in named)]
    mixed = {word.start: word for word in [*in_name * bool(elsewhere), *(word for word, _ in placed)]}
    quoted = _quote_words(claim, [mixed[start] for start in sorted(mixed)])
    return N_("“{words}” do not stand together in one row of the table.", words=quoted)


def explain_denied_cell(claim: Wording, rows: Sequence[TableRow]) -> str:
    """Return why a row that a claim names denies what it says of a column: "no" under "Parking lot"; "" where none does."""
    if has_negation(fold(claim.text)):
        return ""
    for row in rows:
        for header, cell in zip(row.header[1:], row.cells[1:], strict=False):
            words = parse_wording(header).content_words
            is_claimed = bool(words) and all(word.keys & claim.keys for word in words)
            is_said = f"{header}: {cell}" in claim.text  # of a claim that is a row of a table
            if is_claimed and not is_said and fold(cell).strip(" .") in _DENIALS and row.is_named(claim):
                return N_("The table says “{cell}” under “{header}”.", cell=cell, header=header)
    return ""


def explain_missing_power(claim: Wording, rows: Sequence[TableRow], other_keys: frozenset[str]) -> str:
    """Return why a sum of money is not that of the tables: "€5" for the 5 in a table in "€ million"; "" where it may be.

    `other_keys` are those of what else was read: a number that stands there may come from there.
    """
    sums = [
        word
        for word in claim.content_words
        if word.kind == NUMBER and not word.keys & other_keys and is_sum_of_money(claim.text, word.start, word.end)
    ]
    if not sums or has_power(claim.text):
        return ""
    for row in rows:
        for unit, values in zip(row.units, row.values, strict=True):
            for word in sums:
                if unit and row.is_named(claim) and word.keys & values.keys and not word.keys & row.values[0].keys:
                    number = claim.text[word.start : word.end]
                    return N_("The table gives “{number}” in “{unit}”.", number=number, unit=unit.text)
    return ""


def _find_numbers_under_other_headers(claim: Wording, row: TableRow) -> list[KeyedWord]:
    """Return the numbers of a claim in a row, if all stand in other columns than those that the claim names.

    A column whose cell in words is in the claim is not named for a number: "3 days with full pay". Each number that stands
    beside its header ("2024: 4,870", "34 reports upheld") needs to stand below it.
    """
    columns = [
        (keys, values)
        for keys, values in zip(row.header_keys[1:], row.values[1:], strict=False)
        if not _is_said_in_words(values, claim)
    ]
    numbers = [
        word
        for word in claim.content_words
        if word.kind in (NUMBER, DATE) and word.keys & row.keys and not word.keys & row.values[0].keys
    ]
    labelled = [(word, _find_named_cells(_read_label(claim, word), columns)) for word in numbers]
    misplaced = [word for word, cells in labelled if cells and not any(word.keys & values.keys for values in cells)]
    misplaced = misplaced or [word for word in numbers if _counts_what_is_elsewhere(claim, word, columns)]
    if misplaced := misplaced or _list_exchanged_numbers(claim, numbers, columns):
        return misplaced
    named = _find_named_cells(join_keys(claim.content_words), columns)
    is_under_named = any(word.keys & values.keys for word in numbers for values in named)
    return [] if is_under_named or not named else numbers


def _find_words_under_other_headers(claim: Wording, row: TableRow) -> list[KeyedWord]:
    """Return the words of a cell that a claim has, if all its cells in words stand below other headers than it names: "free"."""
    columns = list(zip(row.header_keys[1:], row.values[1:], strict=False))
    cells_in_words = [values for _, values in columns if _is_said_in_words(values, claim)]
    header_keys = frozenset[str]().union(*(keys for keys, _ in columns))
    named = _find_named_cells(claim.keys, columns)
    if not named or any(values in cells_in_words for values in named):
        return []
    keys = join_keys(cells_in_words) - header_keys - row.values[0].keys
    return [word for word in claim.content_words if word.keys & keys]


def _find_named_rows(claim: Wording, rows: Sequence[TableRow]) -> set[int]:
    """Return the rows that a claim names: of "Aurora 300 S" alone not "Aurora 300"."""
    named = {number: row.values[0] for number, row in enumerate(rows) if row.is_named(claim)}

    def is_part_of_another(name: Wording) -> bool:
        mentions = min(sum(bool(word.keys & other.keys) for other in claim.words) for word in name.content_words)
        return any(name.keys < other.keys for other in named.values()) and mentions == 1

    return {number for number, name in named.items() if not is_part_of_another(name)}


def _find_named_cells(keys: frozenset[str], columns: Sequence[tuple[frozenset[str], Wording]]) -> list[Wording]:
    """Return the cells whose headers have some of these keys: not those of which another header has all and more."""
    found = [(header_keys & keys, values) for header_keys, values in columns if header_keys & keys]
    return [values for shared, values in found if not any(shared < other for other, _ in found)]


def _list_exchanged_numbers(
    claim: Wording, numbers: Sequence[KeyedWord], columns: Sequence[tuple[frozenset[str], Wording]]
) -> list[KeyedWord]:
    """Return the numbers of a claim in which numbers and headers take turns, if each stands below another of these headers.

    "1,690 in 2024, up from 1,842 in 2023" has the numbers before their headers, "in 2024 1,690, in 2023 1,842" after them.
    """
    turns: list[tuple[int, KeyedWord | None]] = []  # the header's column, or a number
    for word in claim.content_words:
        named = [index for index, (keys, _) in enumerate(columns) if word.keys & keys]
        if word in numbers:
            turns.append((-1, word))
        elif len(named) == 1 and turns[-1:] != [(named[0], None)]:
            turns.append((named[0], None))
    pairs = list(zip(turns[::2], turns[1::2], strict=False))
    if len(pairs) < 2 or len(turns) % 2 or len({(bool(first[1]), bool(second[1])) for first, second in pairs}) > 1:
        return []
    found = [(first[1] or second[1], max(first[0], second[0])) for first, second in pairs]
    places = [(word, columns[index][1].keys) for word, index in found if word and index >= 0]
    is_exchanged = len(places) == len(pairs) and not any(word.keys & keys for word, keys in places)
    return [word for word, _ in places] if is_exchanged else []


def _read_label(claim: Wording, number: KeyedWord) -> frozenset[str]:
    """Return the keys of what stands before a number and a colon: "2024: 4,870"."""
    label = _LABEL.search(claim.text[: number.start])
    return parse_wording(label["words"]).keys if label else frozenset()


def _counts_what_is_elsewhere(
    claim: Wording, number: KeyedWord, columns: Sequence[tuple[frozenset[str], Wording]]
) -> bool:
    """Return whether a number and its header stand before another header, whose number the claim lacks: "34 reports upheld"."""
    below = frozenset[str]().union(*(keys for keys, values in columns if number.keys & values.keys))
    words = [word for word in claim.content_words if word.start >= number.end]
    counted = list(takewhile(lambda word: word.keys & below, words))
    following = words[len(counted) : len(counted) + 1]
    if not counted or not following or _BREAK.search(claim.text[number.end : following[0].start]):
        return False
    cells = [values for keys, values in columns if following[0].keys & keys]
    has_numbers = all(any(word.kind == NUMBER for word in values.words) for values in cells)
    return bool(cells) and has_numbers and not any(values.keys & claim.keys for values in cells)


def _is_said_in_words(values: Wording, claim: Wording) -> bool:
    words = values.content_words
    return bool(words) and all(word.kind not in (NUMBER, DATE) and word.keys & claim.keys for word in words)


def _quote_words(claim: Wording, words: Sequence[KeyedWord]) -> str:
    """Return words as the claim writes them; pairs of characters that overlap as one."""
    spans: list[tuple[int, int]] = []
    for word in words:
        if spans and word.start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(word.end, spans[-1][1]))
        else:
            spans.append((word.start, word.end))
    return join_spans(claim.text, spans)
