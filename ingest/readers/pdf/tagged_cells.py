"""Take header cells and merged cells of tables from a page's structure tree, where the layout found the same cells."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from ingest.readers.pdf.blocks import TABLE, PdfBlock
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.structure_tree import CELL, PageStructure

Place = tuple[int, int]  # row, column


def tag_cells(blocks: Iterable[PdfBlock], structure: PageStructure, tagged: Iterable[Fragment]) -> None:
    """Give the tables of a page the header cells and merged cells that its structure tree has, if each cell is one there.

    The text of the cells stays as it is. Merged cells are taken only where all cells stand in the rows and columns that the
    tree gives them: cells in the middle of several rows or columns do not.
    """
    tables = [block for block in blocks if block.kind == TABLE]
    if not tables or structure.is_ambiguous or not any(block.kind == CELL for block in structure.blocks):
        return
    element_by_character = _map_characters(tagged)
    grid = _place_cells(structure)
    for table in tables:
        elements = _match_cells(table, structure, element_by_character)
        if not elements:
            continue
        table.header_cells = frozenset(
            place for place, number in elements.items() if structure.blocks[number].is_header
        )
        if _is_in_grid({place: grid[number] for place, number in elements.items()}):
            table.cell_spans = _list_spans(elements, structure, grid)


def _map_characters(tagged: Iterable[Fragment]) -> dict[int, int]:
    """Return the number of the element that each raw character of a page belongs to."""
    return {
        character: fragment.block
        for fragment in tagged
        for _, _, start, length in fragment.pieces
        for character in range(start, start + length)
    }


def _place_cells(structure: PageStructure) -> dict[int, Place]:
    """Return the row and column of each cell in its table, as the cells before it and above it leave them free."""
    places: dict[int, Place] = {}
    taken: dict[int, set[Place]] = {}
    for number, cell in enumerate(structure.blocks):
        if cell.kind != CELL:
            continue
        occupied = taken.setdefault(cell.table, set())
        column = 0
        while (cell.row, column) in occupied:
            column += 1
        places[number] = cell.row, column
        occupied.update((cell.row + down, column + right) for down in range(cell.rows) for right in range(cell.columns))
    return places


def _match_cells(table: PdfBlock, structure: PageStructure, element_by_character: dict[int, int]) -> dict[Place, int]:
    """Return the element of each cell with text; nothing unless each is one cell of one table of the tree."""
    elements: dict[Place, int] = {}
    for row, item in enumerate(table.items):
        for column, cell in enumerate(item):
            found = {
                element_by_character.get(start, -1)
                for line in cell
                for fragment in line.fragments
                for _, _, start, _ in fragment.pieces
            }
            if not found:
                continue
            number = found.pop()
            if found or number < 0 or structure.blocks[number].kind != CELL:
                return {}
            elements[row, column] = number
    is_one_table = len({structure.blocks[number].table for number in elements.values()}) == 1
    return elements if is_one_table and len(set(elements.values())) == len(elements) else {}


def _is_in_grid(grid_by_place: dict[Place, Place]) -> bool:
    """Return whether the cells stand in the same columns as in the tree, and their rows follow each other as there."""
    rows: dict[int, set[int]] = {}
    for (row, _), (grid_row, _) in grid_by_place.items():
        rows.setdefault(row, set()).add(grid_row)
    numbers = [number for _, grid_rows in sorted(rows.items()) for number in grid_rows]
    return (
        all(place[1] == grid_place[1] for place, grid_place in grid_by_place.items())
        and all(len(grid_rows) == 1 for grid_rows in rows.values())
        and all(a < b for a, b in pairwise(numbers))
    )


def _list_spans(elements: dict[Place, int], structure: PageStructure, grid: dict[int, Place]) -> dict[Place, Place]:
    """Return how many rows of the layout and columns each merged cell spans."""
    grid_rows = {grid[number][0] for number in elements.values()}
    spans: dict[Place, Place] = {}
    for place, number in elements.items():
        cell, first = structure.blocks[number], grid[number][0]
        rows = sum(first <= row < first + cell.rows for row in grid_rows)
        if rows > 1 or cell.columns > 1:
            spans[place] = rows, cell.columns
    return spans
