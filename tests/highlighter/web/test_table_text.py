from highlighter.models import DocumentTable
from highlighter.text.document_tables import DocumentTables
from highlighter.web.highlighted_text import build_text_blocks
from tests.highlighter.web.test_highlighted_text import make_chunk_and_evidence

CAPTION = "Table 3. Fees"
ROWS = "Pier\tFee\n\tDay\tNight\nNorth\t7\t9\n\t8\tnone\nAll others\n\t\t5"
TEXT = f"{CAPTION}\n\n{ROWS}\n\nAfter."
TABLE = DocumentTable(
    100 + len(CAPTION) + 2, 100 + len(CAPTION) + 2 + len(ROWS), 2, 1, ((0, 0, 2, 1), (0, 1, 1, 2), (2, 0, 2, 1)), (100, 100 + len(CAPTION))
)  # fmt: skip
TABLES = DocumentTables((TABLE,), TEXT, 100)


def show(start: int, *highlights: str):
    """Return the blocks of the chunk that begins at `start` in the text, with these words highlighted."""
    part = TEXT[start:]
    spans = [(part.index(words), part.index(words) + len(words)) for words in highlights]
    return build_text_blocks(*make_chunk_and_evidence(part, *spans, offset=100 + start), tables=TABLES)


def describe(block) -> list[list[str]]:
    """Return the cells of a table: headers with their scope, spans with their size, context with !, highlights in []."""
    return [
        [
            (f"{cell.scope}:" if cell.scope else "")
            + "!" * cell.is_context
            + "".join(f"[{segment.text}]" if segment.mark else segment.text for segment in cell.segments)
            + f"^{cell.repeated_text}" * bool(cell.repeated_text)
            + f" {cell.rows}x{cell.columns}" * (cell.rows * cell.columns > 1)
            for cell in row
        ]
        for row in block.rows
    ]


def test_table_has_header_cells_with_scope_and_every_column_in_every_row():
    caption, table, after = show(0)
    assert [caption.kind, table.kind, after.kind] == ["caption", "table", "text"]
    assert caption.caption == table.caption == 100
    assert describe(table) == [
        ["col:Pier 2x1", "colgroup:Fee 1x2"],
        ["col:Day", "col:Night"],
        ["rowgroup:North 2x1", "7", "9"],
        ["8", "none"],
        ["row:All others 1x3"],
        ["", "", "5"],
    ]


def test_headers_of_a_highlighted_cell_are_context_and_not_highlighted():
    _, table, _ = show(0, "9", "none")
    assert describe(table)[:4] == [
        ["col:Pier 2x1", "colgroup:!Fee 1x2"],
        ["col:Day", "col:!Night"],
        ["rowgroup:!North 2x1", "7", "[9]"],
        ["8", "[none]"],
    ]


def test_header_of_a_table_that_the_chunk_cuts_is_repeated():
    table, _ = show(TEXT.index("8\tnone"), "none")
    assert table.repeated_caption == CAPTION
    assert describe(table) == [
        ["col:^Pier 2x1", "colgroup:!^Fee 1x2"],
        ["col:^Day", "col:!^Night"],
        ["", "8", "[none]"],
        ["row:All others 1x3"],
        ["", "", "5"],
    ]
    assert (
        "".join(segment.text for row in table.rows for cell in row for segment in cell.segments) == "8noneAll others5"
    )


def test_header_outside_the_chunk_is_not_shown_to_who_may_only_see_the_chunk():
    start = TEXT.index("8\tnone")
    parts = make_chunk_and_evidence(TEXT[start:], offset=100 + start)
    table, _ = build_text_blocks(*parts, tables=TABLES.clip(100 + start))
    assert describe(table) == [["8", "none 1x2"], ["All others 1x3"], ["", "", "5"]]
