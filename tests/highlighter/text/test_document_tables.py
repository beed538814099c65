from dataclasses import replace

from highlighter.models import DocumentTable
from highlighter.text.document_tables import DocumentTables, load_table, serialize_table

BEFORE = "Fees. "  # the text of a chunk begins within the document
TEXT = BEFORE + "Pier\tFee\n\tDay\tNight\nNorth\t7\t9\n\t8\tnone\n\nAfter."
TABLE = DocumentTable(
    100, 100 + len("Pier\tFee\n\tDay\tNight\nNorth\t7\t9\n\t8\tnone"), 2, 1, ((0, 0, 2, 1), (0, 1, 1, 2), (2, 0, 2, 1))
)
TABLES = DocumentTables((TABLE,), TEXT, 100 - len(BEFORE))  # fmt: skip


# A table on two pages, with a note between; the second page repeats the header.
PARTED_TEXT = "Pier\tFee\nNorth\t7\n\nA note.\n\nPier\tFee\nSouth\t4\nWest\t\n\nAfter."
PARTED = DocumentTable(
    0, PARTED_TEXT.index("\n\nAfter"), 1, gaps=((PARTED_TEXT.index("\n\nA n"), PARTED_TEXT.rindex("Pier")),), repeated_headers=(2,)
)  # fmt: skip


def describe(words: str) -> list[tuple[str, int, int, list[str], list[str]]]:
    start = TEXT.index(words) + TABLES.offset
    return [
        (
            TABLES.get_text(found.cell.start, found.cell.end),
            found.cell.row,
            found.cell.column,
            [TABLES.get_text(header.start, header.end) for header in found.column_headers],
            [TABLES.get_text(header.start, header.end) for header in found.row_headers],
        )
        for found in TABLES.find_positions(start, start + len(words))
    ]


def test_cell_has_the_headers_above_it_and_at_its_left_also_merged_ones():
    assert describe("7\t9") == [("7", 2, 1, ["Fee", "Day"], ["North"]), ("9", 2, 2, ["Fee", "Night"], ["North"])]
    assert describe("8\tno") == [("8", 3, 1, ["Fee", "Day"], ["North"]), ("none", 3, 2, ["Fee", "Night"], ["North"])]
    assert describe("North") == [("North", 2, 0, ["Pier"], [])]
    assert describe("Day") == [("Day", 1, 1, [], [])]


def read_row(words: str) -> str:
    start = TEXT.index(words) + TABLES.offset
    return TABLES.read_row(start, start + len(words))


def test_row_is_read_with_its_headers():
    assert read_row("North\t7\t9") == "Pier: North, Fee Day: 7, Fee Night: 9"
    assert read_row("\t8\tnone") == "North, Fee Day: 8, Fee Night: none"
    assert read_row("on") == "North, Fee Night: on"  # of a cell that a sentence has a part of
    assert read_row("Pier\tFee") == read_row("Fees.") == ""


def test_row_below_a_merged_first_cell_is_read_with_it_where_no_column_is_declared_a_header():
    tables = replace(TABLES, tables=(replace(TABLE, header_columns=0),))
    start = TEXT.index("\t8\tnone") + TABLES.offset
    assert tables.read_row(start, start + len("\t8\tnone")) == "North, Fee Day: 8, Fee Night: none"
    (day, night) = tables.find_cited_cells(start, start + len("\t8\tnone"))
    assert (day.row_headers, night.row_headers) == (("North",), ("North",))


def test_text_outside_of_tables_has_no_cells():
    assert describe("Fees.") == describe("After") == []


def test_stored_table_is_the_same_when_loaded():
    for table in (TABLE, DocumentTable(0, 7), DocumentTable(3, 9, 1, caption=(0, 2)), PARTED):
        assert load_table(serialize_table(table)) == table


def test_rows_of_a_table_in_parts_are_counted_on_and_have_the_header_of_the_first_part():
    tables = DocumentTables((PARTED,), PARTED_TEXT)
    rows = list(tables.rows(PARTED, 0, PARTED.end))
    assert [tables.get_text(row[0].start, row[-1].end) for row in rows] == [
        "Pier\tFee", "North\t7", "Pier\tFee", "South\t4", "West\t",
    ]  # fmt: skip
    assert [(row[0].row, row[0].is_header) for row in rows] == [
        (0, True), (1, False), (2, True), (3, False), (4, False),
    ]  # fmt: skip
    south = PARTED_TEXT.index("South")
    assert tables.read_row(south, south + 7) == "Pier: South, Fee: 4"
    assert [next(tables.rows(PARTED, south, south + 1))[0].row] == [3]
    assert [tables.get_text(*span) for span in tables.header_spans(PARTED)] == ["Pier\tFee", "Pier\tFee"]


def test_words_between_the_parts_of_a_table_are_in_no_cell():
    tables = DocumentTables((PARTED,), PARTED_TEXT)
    note = PARTED_TEXT.index("A note.")
    assert tables.table_at(note, note + 7) is None
    spans = tables.split_at_cells(PARTED_TEXT.index("7"), PARTED_TEXT.index("South") + 5)
    assert [PARTED_TEXT[start:end].strip() for start, end in spans] == ["7", "A note.", "Pier", "Fee", "South"]
