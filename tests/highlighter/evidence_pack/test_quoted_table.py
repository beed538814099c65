"""A pack shows the rows of a table that its answer cites as a table with their header, in each of its formats."""

from __future__ import annotations

import io
import re

import docx
import pytest

from highlighter.access import VisibleCollections
from highlighter.answering.request import QuestionRequest
from highlighter.evidence_pack.quoted_table import QuotedCell, build_quoted_table
from highlighter.models import Citation, CitedCell
from ingest.pipeline import ingest_file
from tests.highlighter.evidence_pack.test_builder import write_pack

PAGE = """<html lang="en"><h1>Fees of the harbour</h1><p>The harbour office charges these fees.</p>
<table><caption>Table 3. Fees for a berth</caption><tr><th>Pier<th>Fee for a night in euros<th>Longest stay
<tr><th>North pier<td>24.00<td>three days<tr><th>South pier<td>16.00<td>two weeks</table><p>Visitors pay by card.</p>"""
ROWS = [["Pier", "Fee for a night in euros", "Longest stay"], ["South pier", "16.00", "two weeks"]]


@pytest.fixture
def answer(services, process_pool, tmp_path):
    path = tmp_path / "fees.html"
    path.write_text(PAGE)
    ingest_file(path, services, process_pool)
    return services.answer_pipeline.answer(QuestionRequest("What is the fee for a night at the South pier?"))


def test_cited_row_is_a_table_with_header_in_the_pack_and_in_the_stored_answer(services, answer):
    citation = next(citation for citation in answer.citations if citation.cells)
    assert [cell.text for cell in citation.cells] == ROWS[1]
    assert citation.cells[1].column_headers == (ROWS[0][1],)
    assert citation.cells[1].row_headers == ("South pier",)
    pack = write_pack(services, answer)
    assert citation in services.answer_records.load(answer.id, VisibleCollections()).answer.citations
    html = pack["answer.html"].decode()
    assert "<caption>Table 3. Fees for a berth</caption>" in html
    assert re.findall(r'<th scope="col">(.*?)</th>', html) == ROWS[0]
    assert '<th scope="row">South pier</th><td>16.00</td><td>two weeks</td>' in html
    markdown = pack["answer.md"].decode()
    assert (
        "    | Pier | Fee for a night in euros | Longest stay |\n    | --- | --- | --- |\n    | **South pier** |"
        in markdown
    )
    table = docx.Document(io.BytesIO(pack["answer.docx"])).tables[0]
    assert [[cell.text for cell in row.cells] for row in table.rows] == ROWS


def make_citation(*cells: CitedCell) -> Citation:
    return Citation(1, "", 0, 0, "exact", 0, "d", "a.pdf", "", 1, 0, None, "", 0, 0, cells=cells)


def test_row_is_named_by_its_header_where_only_another_cell_is_cited():
    table = build_quoted_table(make_citation(CitedCell(3, 2, "9", False, ("Fee", "Night"), ("North",))))
    assert (table.header, table.rows) == (("", "Fee · Night"), ((QuotedCell("North", True), QuotedCell("9")),))


def test_cells_of_several_rows_share_their_columns():
    table = build_quoted_table(make_citation(CitedCell(1, 1, "b"), CitedCell(2, 0, "c"), CitedCell(2, 1, "d")))
    assert [[cell.text for cell in row] for row in table.rows] == [["", "b"], ["c", "d"]]
    assert table.header == ("", "")


def test_citation_outside_of_tables_has_no_rows():
    assert build_quoted_table(make_citation()) is None
