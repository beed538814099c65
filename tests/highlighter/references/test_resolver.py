"""Resolving references: the tables of labelled cases, and properties beyond the tables."""

from functools import cache
from pathlib import Path

import pytest

from bench.answers.labels import RIGHT, TABLES, WRONG, Case, format_outcomes, read, rows, verdict
from highlighter.models import ReferenceResolution, ResolvedReference, Source
from highlighter.references.resolver import TIERS, resolve_references

CASES = [case for path in sorted(TABLES.glob("labels*.txt")) for case in read(Path(path))]


def test_tables_have_enough_cases():
    assert len(CASES) >= 400
    assert sum("【" in case.text or "［" in case.text for case in CASES) >= 60
    assert sum(not any(e[0] != "!" for e in case.expected) for case in CASES) >= 150  # nothing is to be linked


@cache
def resolve_cases() -> list[tuple[Case, ReferenceResolution]]:
    """Return each case of the tables with its resolution."""
    return [(case, resolve_references(case.text, case.sources, case.retrieved)) for case in CASES]


def test_each_label_resolves_as_its_table_says():
    wrong = [
        f"line {case.line}: {case.text!r}: {format_outcomes(resolution)}, not {'; '.join(case.expected) or '-'}"
        for case, resolution in resolve_cases()
        if verdict(case, resolution) != RIGHT
    ]
    assert wrong == []


def test_each_label_has_its_span_and_unresolved_labels_have_a_reason():
    for case, resolution in resolve_cases():
        for reference in [*resolution.citations, *resolution.unresolved]:
            assert case.text[reference.start : reference.end] == reference.label
        for reference in resolution.unresolved:
            assert reference.why.endswith(".")
            assert all(0 <= index < len(case.sources) for index in reference.candidates)


def test_benchmark_counts_no_wrong_link():
    (row,) = rows([TABLES / "labels_second.txt"])
    assert ", 0 wrong links, " in row.result
    assert row.ratio == "100.0%"


def test_benchmark_recognises_a_wrong_link():
    case = Case("[1]", (Source("a.pdf"), Source("b.pdf")), ("1",), 1)
    wrong_source = ReferenceResolution((ResolvedReference("[1]", 0, 3, "number", 1),))
    assert verdict(case, wrong_source) == WRONG
    assert verdict(Case("[1]", case.sources, (), 1), wrong_source) == WRONG
    assert verdict(Case("[1]", case.sources, ("! unknown",), 1), wrong_source) == WRONG
    wrong_page = ReferenceResolution((ResolvedReference("[1]", 0, 3, "number", 0, 9),))
    assert verdict(case, wrong_page) == WRONG


def test_tables_cover_every_tier():
    tiers = {reference.tier for _, resolution in resolve_cases() for reference in resolution.citations}
    assert tiers == set(TIERS)


def test_order_of_sources_does_not_change_the_resolution():
    sources = [Source("Harbour Works Contract.pdf"), Source("NEC4 ACC.pdf"), Source("Contract.pdf"), Source("ACC.pdf")]
    for text in ("[NEC4 ACC, p. 3]", "[contract]", "[ACC.pdf]", "[Harbor Works Contract]", "[Works Contract, p. 2]"):
        in_order = [sources[reference.source].filename for reference in resolve_references(text, sources).citations]
        in_reverse = [
            sources[::-1][reference.source].filename for reference in resolve_references(text, sources[::-1]).citations
        ]
        assert in_order == in_reverse


def test_additional_source_does_not_move_a_link_to_another_document():
    """The source may make a reference ambiguous or be cited itself, but links to other documents must not change."""
    sources = [Source("NEC4 ACC.pdf", pages=range(1, 9)), Source("Breakwater Condition Report 2024.pdf")]
    additional_sources = [
        Source(name) for name in ("NEC3 ACC.pdf", "Breakwater Condition Report 2023.pdf", "Report.pdf", "ACC.docx")
    ]
    for text in ("[NEC4 ACC, p. 3]", "[Breakwater Condition Report]", "[Breakwater Report 2024]", "[nec4_acc]"):
        before = {sources[reference.source].filename for reference in resolve_references(text, sources).citations}
        for additional in additional_sources:
            after = {
                [*sources, additional][reference.source].filename
                for reference in resolve_references(text, [*sources, additional]).citations
            }
            assert after <= before | {additional.filename}


def test_reference_to_a_document_lists_all_its_chunks():
    sources = [Source("A report.pdf", pages=(page,), chunk_index=index) for index, page in enumerate((2, 5, 5))]
    whole, page = resolve_references("[A report] and [A report, p. 5]", sources).citations
    assert (whole.source, whole.alternatives, whole.page, whole.chunk_index) == (0, (1, 2), 0, None)
    assert (page.source, page.alternatives, page.page, page.chunk_index) == (1, (2,), 5, None)


def test_chunk_beyond_the_last_one_is_unresolved():
    source = Source("A report.pdf", chunks=4)
    assert [reference.reason for reference in resolve_references("[A report, chunk 4]", [source]).unresolved] == [
        "no such chunk"
    ]
    assert [reference.chunk_index for reference in resolve_references("[A report, chunk 3]", [source]).citations] == [3]


def test_names_of_surrogates_and_punctuation_are_resolved():
    sources = [Source("\ud800.pdf"), Source("---.pdf"), Source("...")]
    resolution = resolve_references("[\ud800.pdf] [---] [...] [---.pdf, p. 1] [\udfff]", sources)
    assert [(reference.label, reference.source) for reference in resolution.citations] == [("[\ud800.pdf]", 0)]
    assert [reference.label for reference in resolution.unresolved] == [
        "[---.pdf, p. 1]"
    ]  # names without a letter are one name


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000, "[[1]]" * 2_000, "(" * 20_000, "`" * 20_000, "<" * 20_000, "¹" * 20_000, "《" * 20_000, "第" * 290,
     "[" + "第1頁" * 90 + "]", "[" + "a, " * 95 + "]", "[" + "p. 1 and " * 32 + "]", "Source: " * 3_000, "[1]:" + " " * 20_000,
     "“ " * 20_000 + "[a]", ("„" + " " * 1_990 + "[a]") * 10],
    ids=lambda text: text[:5],
)  # fmt: skip
def test_pathological_text_is_resolved(text):
    resolve_references(text, [Source("A report.pdf", pages=range(1, 9))])
