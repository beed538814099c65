"""Files of comma-separated values are read as tables, whichever character separates the values."""

from __future__ import annotations

from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import EMPTY
from ingest.readers import csv_tables
from tests.ingest.readers.any_input import read_or_none
from tests.properties import given, st


def read(folder: Path, content: str):
    path = folder / "file.csv"
    path.write_text(content, encoding="utf-8", errors="surrogatepass", newline="")
    return csv_tables.read(path)


def list_rows(document, table):
    return [row.split("\t") for row in document.text[table.start : table.end].split("\n")]


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("Name,Fee\nNorth,18\nSouth,24\n", [["Name", "Fee"], ["North", "18"], ["South", "24"]]),
        ("Name;Fee;Day\nNorth;1,5;3\n", [["Name", "Fee", "Day"], ["North", "1,5", "3"]]),
        ("Name\tFee\r\nNorth, old\t18\r\n", [["Name", "Fee"], ["North, old", "18"]]),
        ("Name|Fee\n1|a, b\n2|c; d", [["Name", "Fee"], ["1", "a, b"], ["2", "c; d"]]),
        ("sep=;\r\na,b;c\r\nd,e;f\r\n", [["a,b", "c"], ["d,e", "f"]]),
        ('Name,Note\n"Quay, north","two\nlines ""here"""\n', [["Name", "Note"], ["Quay, north", 'two lines "here"']]),
        ("姓名,年齡\n陳大文,35\n", [["姓名", "年齡"], ["陳大文", "35"]]),
        ("Name,Fee,\nNorth,,x\n", [["Name", "Fee"], ["North", "", "x"]]),
        (f"Name,Fee\nNorth,{'x' * 140_000}\n", [["Name", "Fee"], ["North", "x" * 140_000]]),
        (f'Name,Fee\nNorth,"{"x " * 70_000}\n', [["Name", "Fee"], ["North", ("x " * 70_000).strip()]]),
    ],
)
def test_cells_are_separated_by_what_most_rows_agree_on(tmp_path, content, rows):
    document = read(tmp_path, content)
    (table,) = document.tables
    assert list_rows(document, table) == rows
    assert [document.text[start:end] for start, end in document.table_headers] == ["\t".join(rows[0])]


@pytest.mark.parametrize(
    ("content", "header_rows"),
    [
        ("Region,2023,2024\nNorth,5,7\n", 1),
        ("2024-01-01,Alice,5\n2024-01-02,Bob,6\n", 0),
        ("North,5\nSouth,6\n", 0),
        ("a,a\nb,c\n", 0),
    ],
)
def test_first_row_is_a_header_where_it_can_name_columns(tmp_path, content, header_rows):
    (table,) = read(tmp_path, content).tables
    assert table.header_rows == header_rows


def test_empty_line_ends_a_table(tmp_path):
    statement = read(tmp_path, "Statement of 2024\n,,\nAccount,123\nBank,x\n\nDate,Sum\n3 May,5\n")
    assert statement.text == "Statement of 2024\n\nAccount\t123\nBank\tx\n\nDate\tSum\n3 May\t5"
    assert [table.header_rows for table in statement.tables] == [0, 1]


@pytest.mark.parametrize(
    "text",
    [
        "One, two and three are here.\nAnother sentence, with more, commas, in it.\nThe third.",
        "Price\n1,50\n2,75",
        "Comment\nThe quay is old, but dry\nI like it, mostly",
    ],
)
def test_text_without_columns_is_read_as_plain_text(tmp_path, text):
    document = read(tmp_path, text)
    assert (document.text, document.tables) == (text, ())


@pytest.mark.parametrize("content", ["", "\n"])
def test_file_without_text_is_empty(tmp_path, content):
    with pytest.raises(UnreadableFile) as raised:
        read(tmp_path, content)
    assert raised.value.state == EMPTY


@given(st.text(st.sampled_from('a1 ,;\t|"\n\r'), max_size=60))
def test_any_text_is_read(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "file.csv"
    path.write_text(content, encoding="utf-8", newline="")
    read_or_none(csv_tables, path)
