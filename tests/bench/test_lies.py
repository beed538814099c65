"""The lies that are told to the whole service: well formed, and a few of each trick told here."""

import io
import zipfile
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

from bench.answers.lies import BREAK_OFF, INVENTED, Lie, build_rows, find_claim, find_document, read_lies, tell_lies
from highlighter.access import VisibleCollections
from highlighter.adapters.library import LocalLibrary
from highlighter.adapters.mcp_results import build_check_result
from highlighter.answering.answer import Answer
from highlighter.app import create_app
from highlighter.grounding.verdicts import (
    FALSE_CLAIMS_SUPPORTED_PERCENT,
    SUPPORTED,
    TRUE_CLAIMS_SUPPORTED_PERCENT,
    WRONG_SOURCE,
)
from highlighter.services import Services

LIES = read_lies()
PER_TRICK = 1
DOCS = Path(__file__).parents[2] / "docs" / "explanation"


def test_every_kind_and_trick_has_several_lies_and_each_language():
    false_claims = [(lie, claim) for lie in LIES for claim in lie.claims if not claim.holds]
    assert len(false_claims) >= 300
    assert min(Counter(claim.kind for _, claim in false_claims).values()) >= 8
    assert min(Counter(lie.trick for lie in LIES).values()) >= 8
    assert {lie.languages[0] for lie in LIES} == {"en", "zh-Hant", "zh-Hans"}
    assert sum(lie.languages[0][:2] != lie.languages[1][:2] for lie in LIES) >= 60


@pytest.mark.parametrize("name", sorted({name for lie in LIES for name in lie.documents}))
def test_every_document_exists(name):
    assert find_document(name).is_file()


def test_half_streams_alone_break_off():
    assert {lie.trick for lie in LIES if BREAK_OFF in lie.answer} == {"half_stream"}


class VerdictRecorder:
    """Records the verdicts on false claims in the answer itself, over HTTP, as a tool of MCP and in the evidence pack."""

    def __init__(self) -> None:
        self.verdicts: list[tuple[str, str, str, str]] = []
        # Of the only citation of a claim that its source decides: the sentence that it shows, and the evidence there.
        self.shown: list[tuple[str, list[str]]] = []

    def observe(self, services: Services, lie: Lie, answer: Answer) -> None:
        self._compare_citations(answer)
        sources = [{"document_id": d.id} for d in services.catalog.documents() if d.name in lie.documents]
        client = create_app(services).test_client()
        checked = client.post("/api/v1/check", json={"answer": answer.text, "sources": sources}).json
        as_tool = build_check_result(LocalLibrary(services).check(answer.text, sources))
        pack = io.BytesIO()
        services.evidence_packs.write(answer.id, VisibleCollections(), pack)
        report = zipfile.ZipFile(pack).read("answer.md").decode().splitlines()
        for stated in lie.claims:
            claim = None if stated.holds else find_claim(stated, answer.claims)
            if claim is not None:
                over_http = next((item["verdict"] for item in checked["claims"] if item["text"] == claim.text), "")
                of_tool = next((item.verdict for item in as_tool.claims if item.text == claim.text), "")
                in_pack = next(line.split("**")[1] for line in report if line.startswith("- **") and claim.text in line)
                self.verdicts.append((claim.verdict, over_http, of_tool, in_pack.replace(" ", "_")))

    def _compare_citations(self, answer: Answer) -> None:
        citations = [citation for citation in answer.citations if citation.label and not citation.quoted]
        claims = [claim for claim in answer.claims if claim.verdict != WRONG_SOURCE]
        if len(citations) == len(claims) == 1:
            evidence = [item.text for item in claims[0].evidence if item.source == citations[0].source]
            if evidence:
                self.shown.append((citations[0].quote, evidence))


@pytest.fixture(scope="module")
def recorder() -> VerdictRecorder:
    return VerdictRecorder()


@pytest.fixture(scope="module")
def outcomes(recorder, tmp_path_factory) -> list:
    """What becomes of a few lies of each trick, and of some true answers."""
    by_trick = groupby(sorted(LIES, key=lambda lie: (lie.trick, lie.is_true, lie.id)), key=lambda lie: lie.trick)
    chosen = [lie for _, lies in by_trick for lie in list(lies)[:PER_TRICK]]
    chosen += [lie for lie in LIES if lie.is_true and lie.trick == "plain"][:6]
    return list(tell_lies(Path(tmp_path_factory.mktemp("lies")), chosen, recorder.observe))


def test_lie_without_tick_gets_none_anywhere_else(outcomes, recorder):
    assert len(recorder.verdicts) >= 5
    for in_answer, over_http, of_tool, in_pack in recorder.verdicts:
        assert (in_pack, of_tool) == (in_answer, over_http)
        assert in_answer == SUPPORTED or over_http != SUPPORTED


def test_citation_shows_a_sentence_that_decides(outcomes, recorder):
    assert len(recorder.shown) >= 5
    assert all(quote in evidence for quote, evidence in recorder.shown)


def test_what_was_invented_gets_no_link_and_no_tick(outcomes):
    invented = [outcome for outcome in outcomes if outcome.lie.trick in INVENTED and not outcome.lie.is_true]
    assert len(invented) >= len(INVENTED)
    assert not any(
        outcome.wrong_links or SUPPORTED in outcome.verdicts or outcome.added_citations for outcome in invented
    )


def test_most_lies_get_no_tick_and_some_truths_do(outcomes):
    ticks = {
        holds: [
            verdict == SUPPORTED
            for outcome in outcomes
            for claim, verdict in zip(outcome.lie.claims, outcome.verdicts, strict=True)
            if claim.holds == holds
        ]
        for holds in (False, True)
    }
    assert sum(ticks[False]) / len(ticks[False]) < sum(ticks[True]) / len(ticks[True])


def test_table_has_a_row_for_each_trick_and_language(outcomes):
    names = [row.measurement for row in build_rows(outcomes)]
    assert sum(", trick " in name for name in names) == len({outcome.lie.trick for outcome in outcomes})
    assert any("citations of ours" in name for name in names)


def test_page_names_the_figures_of_the_documentation():
    figures = (DOCS / "figures.md").read_text(encoding="utf-8")
    assert f"| false claims that get a tick | {FALSE_CLAIMS_SUPPORTED_PERCENT}% |" in figures
    assert f"| true claims that get a tick | {TRUE_CLAIMS_SUPPORTED_PERCENT}% |" in figures
    verdicts = (DOCS / "verdicts.md").read_text(encoding="utf-8")
    words = f"{FALSE_CLAIMS_SUPPORTED_PERCENT} of 100 false claims and {TRUE_CLAIMS_SUPPORTED_PERCENT} of 100 true ones"
    assert words in " ".join(verdicts.split())
