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
    """Return the rows and columns that each merged cell with text spans, by its place in the finished rows of a table.

    `owners` has the upper left field of the cell of each field between the lines, `bands` the rows that were made of the
    fields beside each other, and `columns` the columns of fields that have text.
    """
    places = {
        id(line): (number, column)
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
        for line in cell
    }
    row_by_item, column_by_index = _map_places(places, bands)
    fields_by_owner: dict[Place, list[Place]] = defaultdict(list)
    for field, owner in owners.items():
        fields_by_owner[owner].append(field)
    spans: dict[Place, Place] = {}
    for (row, column), fields in fields_by_owner.items():
        last_row, last_column = max(fields)
        if column not in columns or len(bands.get(row, ())) != 1 or not bands[row][0][columns.index(column)]:
            continue
        if len(fields) != (last_row - row + 1) * (last_column - column + 1):
            continue  # no rectangle: lines are missing
        numbers = {
            row_by_item[id(item)]
            for band in range(row, last_row + 1)
            for item in bands.get(band, ())
            if id(item) in row_by_item
        }
        covered = {column_by_index[index] for index, field in enumerate(columns) if column <= field <= last_column}
        place = row_by_item[id(bands[row][0])], column_by_index[columns.index(column)]
        if min(covered) < place[1]:  # from right to left, the text of a cell stands in the last of its columns
            covered = {place[1]}
        if len(numbers) > 1 or len(covered) > 1:
            spans[place] = len(numbers), len(covered)
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
