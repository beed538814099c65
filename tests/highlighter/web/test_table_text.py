import re

from highlighter.app import create_app
from highlighter.models import DocumentTable
from highlighter.text.document_tables import DocumentTables
from highlighter.web.highlighted_text import build_text_blocks
from ingest.pipeline import ingest_file
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


def test_parts_of_a_table_are_shown_as_one_unless_words_stand_between():
    for between, kinds in (("\n\n", ["table"]), ("\n\nA note.\n\n", ["table", "text", "table"])):
        text = f"Pier\tFee\nNorth\t7{between}South\t4"
        gap = text.index(between), text.index("South")
        tables = DocumentTables((DocumentTable(0, len(text), 1, gaps=(gap,)),), text)
        blocks = build_text_blocks(*make_chunk_and_evidence(text), tables=tables)
        assert [block.kind for block in blocks] == kinds
        assert describe(blocks[-1])[0] == (["col:Pier", "col:Fee"] if kinds == ["table"] else ["col:^Pier", "col:^Fee"])
        assert describe(blocks[-1])[-1] == ["South", "4"]


PAGE = """<html lang="en"><h1>Fees of the harbour</h1><p>The harbour office charges these fees.</p>
<table><caption>Table 3. Fees for a berth</caption><tr><th>Pier<th>Fee for a night in euros<th>Longest stay
<tr><th>North pier<td>24.00<td>three days<tr><th>South pier<td>16.00<td>two weeks</table><p>Visitors pay by card.</p>"""


def test_row_that_answers_is_highlighted_under_its_header_and_named_by_its_cells(services, process_pool, tmp_path):
    path = tmp_path / "fees.html"
    path.write_text(PAGE)
    document = ingest_file(path, services, process_pool).document
    chunk = {"document_id": document.id, "chunk_index": 0}
    question = "What is the fee for a night at the South pier?"
    client = create_app(services).test_client()
    sentences = client.post("/api/v1/highlight", json={"question": question, **chunk}).json["sentences"]
    (row,) = [sentence["cells"] for sentence in sentences if sentence["highlighted"]]
    assert [(cell["row"], cell["column"], cell["text"], cell["is_header"]) for cell in row] == [
        (2, 0, "South pier", True), (2, 1, "16.00", False), (2, 2, "two weeks", False),
    ]  # fmt: skip
    assert row[1]["column_headers"] == ["Fee for a night in euros"]
    assert row[1]["row_headers"] == ["South pier"]
    page = client.get("/api/v1/chunks/highlight", query_string={"sub_question": question, **chunk}).text
    assert 'aria-labelledby="caption-' in page
    page = re.sub(r"</?span[^>]*>", "", page)
    assert '<th scope="col" class="context">Fee for a night in euros</th>' in page
    assert re.search(r'<th scope="row"><mark [^>]*id="mark-1"[^>]*>South pier</mark></th><td><mark ', page)


def test_table_without_stored_structure_is_shown_by_its_tabs(services, process_pool, tmp_path):
    path = tmp_path / "fees.txt"
    path.write_text("The fees of the harbour are these.\n\nPier\tFee\tStay\nSouth\t16.00\ttwo weeks\n")
    document = ingest_file(path, services, process_pool).document
    assert "tables" not in services.catalog.facts(document)  # as of documents that were read before tables were stored
    page = create_app(services).test_client().get(f"/documents/{document.id}/chunks/0").text
    assert re.search(r"<td>South</td>\s*<td>16.00</td>", re.sub(r"</?span[^>]*>", "", page))
