"""What references mean: the tables, and what no table can say."""

from functools import cache
from pathlib import Path

import pytest

from bench.answers.labels import RIGHT, TABLES, WRONG, Case, format_outcomes, read, rows, verdict
from highlighter.models import ReferenceResolution, ResolvedReference, Source
from highlighter.references.resolver import TIERS, resolve_references

CASES = [case for path in sorted(TABLES.glob("labels*.txt")) for case in read(Path(path))]


def test_the_tables_are_long_enough():
    assert len(CASES) >= 400
    assert sum("【" in case.text or "［" in case.text for case in CASES) >= 60
    assert sum(not any(e[0] != "!" for e in case.expected) for case in CASES) >= 150  # nothing to be linked


@cache
def resolved_cases() -> list[tuple[Case, ReferenceResolution]]:
    """Return each case of the tables with what its text resolves to."""
    return [(case, resolve_references(case.text, case.sources, case.retrieved)) for case in CASES]


def test_each_label_means_what_its_table_says():
    wrong = [
        f"line {case.line}: {case.text!r}: {format_outcomes(found)}, not {'; '.join(case.expected) or '-'}"
        for case, found in resolved_cases()
        if verdict(case, found) != RIGHT
    ]
    assert wrong == []


def test_each_label_is_reported_where_it_stands_and_an_unresolved_one_with_its_reason():
    for case, found in resolved_cases():
        for one in [*found.citations, *found.unresolved]:
            assert case.text[one.start : one.end] == one.label
        for one in found.unresolved:
            assert one.why.endswith(".")
            assert all(0 <= index < len(case.sources) for index in one.candidates)


def test_the_bench_counts_no_wrong_link():
    (row,) = rows([TABLES / "labels_second.txt"])
    assert ", 0 wrong links, " in row.result
    assert row.ratio == "100.0%"


def test_a_wrong_link_would_be_counted():
    case = Case("[1]", (Source("a.pdf"), Source("b.pdf")), ("1",), 1)
    wrong = ReferenceResolution((ResolvedReference("[1]", 0, 3, "number", 1),))
    assert verdict(case, wrong) == WRONG
    assert verdict(Case("[1]", case.sources, (), 1), wrong) == WRONG
    assert verdict(Case("[1]", case.sources, ("! unknown",), 1), wrong) == WRONG
    other_page = ReferenceResolution((ResolvedReference("[1]", 0, 3, "number", 0, 9),))
    assert verdict(case, other_page) == WRONG


def test_every_tier_is_met_in_the_tables():
    met = {one.tier for _, found in resolved_cases() for one in found.citations}
    assert met == set(TIERS)


def test_the_order_of_sources_changes_no_name():
    sources = [Source("Harbour Works Contract.pdf"), Source("NEC4 ACC.pdf"), Source("Contract.pdf"), Source("ACC.pdf")]
    for text in ("[NEC4 ACC, p. 3]", "[contract]", "[ACC.pdf]", "[Harbor Works Contract]", "[Works Contract, p. 2]"):
        ahead = [sources[one.source].filename for one in resolve_references(text, sources).citations]
        back = [sources[::-1][one.source].filename for one in resolve_references(text, sources[::-1]).citations]
        assert ahead == back


def test_a_source_more_never_moves_a_link_to_another_document():
    """It may make a reference ambiguous, or be meant itself; it cannot turn one document's link into a third one's."""
    sources = [Source("NEC4 ACC.pdf", pages=range(1, 9)), Source("Breakwater Condition Report 2024.pdf")]
    more = [Source(name) for name in ("NEC3 ACC.pdf", "Breakwater Condition Report 2023.pdf", "Report.pdf", "ACC.docx")]
    for text in ("[NEC4 ACC, p. 3]", "[Breakwater Condition Report]", "[Breakwater Report 2024]", "[nec4_acc]"):
        before = {sources[one.source].filename for one in resolve_references(text, sources).citations}
        for extra in more:
            after = {
                [*sources, extra][one.source].filename for one in resolve_references(text, [*sources, extra]).citations
            }
            assert after <= before | {extra.filename}


def test_a_reference_to_a_document_of_several_chunks_names_them_all():
    sources = [Source("A report.pdf", pages=(page,), chunk_index=at) for at, page in enumerate((2, 5, 5))]
    whole, page = resolve_references("[A report] and [A report, p. 5]", sources).citations
    assert (whole.source, whole.alternatives, whole.page, whole.chunk_index) == (0, (1, 2), 0, None)
    assert (page.source, page.alternatives, page.page, page.chunk_index) == (1, (2,), 5, None)


def test_a_chunk_beyond_its_documents_last_is_none():
    source = Source("A report.pdf", chunks=4)
    assert [one.reason for one in resolve_references("[A report, chunk 4]", [source]).unresolved] == ["no such chunk"]
    assert [one.chunk_index for one in resolve_references("[A report, chunk 3]", [source]).citations] == [3]


def test_a_name_may_be_half_a_character_or_nothing_but_signs():
    sources = [Source("\ud800.pdf"), Source("---.pdf"), Source("...")]
    resolve_references("[\ud800.pdf] [---] [...] [---.pdf, p. 1] [\udfff]", sources)


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000, "[[1]]" * 2_000, "(" * 20_000, "`" * 20_000, "<" * 20_000, "¹" * 20_000, "《" * 20_000, "第" * 290,
     "[" + "第1頁" * 90 + "]", "[" + "a, " * 95 + "]", "[" + "p. 1 and " * 32 + "]", "Source: " * 3_000, "[1]:" + " " * 20_000],
    ids=lambda text: text[:5],
)  # fmt: skip
def test_what_nobody_writes_is_read_to_the_end(text):
    resolve_references(text, [Source("A report.pdf", pages=range(1, 9))])
