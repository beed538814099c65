"""Find how many rows and columns the merged cells of a table with drawn lines span."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ingest.readers.pdf.blocks import BlockItem

Place = tuple[int, int]  # row, column


def list_cell_spans(
    owners: Mapping[Place, Place],
    bands: Mapping[int, Sequence[BlockItem]],
    columns: Sequence[int],
    rows: Sequence[BlockItem],
) -> dict[Place, Place]:
    """Return the rows and columns that each merged cell spans, by its place in the finished rows of a table.

    `owners` has for each field between the lines the one where the text of its cell stands, `bands` the rows that were made
    of the fields beside each other, and `columns` the columns of fields that have text.
    """
    places = {
        id(line): (number, column)
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
        for line in cell
    }
    filled = set(places.values())
    row_by_item, column_by_index = _map_places(places, bands)
    fields_by_owner: dict[Place, list[Place]] = defaultdict(list)
    for field, owner in owners.items():
        fields_by_owner[owner].append(field)
    spans: dict[Place, Place] = {}
    for fields in fields_by_owner.values():
        field_rows, field_columns = {row for row, _ in fields}, {column for _, column in fields}
        if len(fields) != len(field_rows) * len(field_columns):
            continue  # no rectangle: lines are missing
        items_by_band = [bands[row] for row in sorted(field_rows) if row in bands]
        if not items_by_band or len(items_by_band[0]) != 1:
            continue
        numbers = {row_by_item[id(item)] for items in items_by_band for item in items if id(item) in row_by_item}
        covered = {
            column_by_index[index]
            for index, column in enumerate(columns)
            if column in field_columns and index in column_by_index
        }
        if len(numbers) * len(covered) < 2:
            continue
        first = min(numbers), min(covered)
        if filled.isdisjoint((row, column) for row in numbers for column in covered if (row, column) != first):
            spans[first] = len(numbers), len(covered)
    return spans


def _map_places(
    places: Mapping[int, Place], bands: Mapping[int, Sequence[BlockItem]]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the finished row of each item that has text, and the finished column of each column."""
    row_by_item: dict[int, int] = {}
    column_by_index: dict[int, int] = {}
    for items in bands.values():
        for item in items:
            for index, cell in enumerate(item):
                if cell:
                    row_by_item[id(item)], column_by_index[index] = places[id(cell[0])]
    return row_by_item, column_by_index
