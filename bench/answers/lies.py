"""A model that lies: hundreds of false answers about documents, in every way known to us, and which of them get a tick.

The lies are written by hand: bench/lies. Beside them stand true answers, which must get their tick.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from bench.table import Row
from highlighter.answering.answer import Answer, DoneEvent
from highlighter.answering.citation_builder import ATTRIBUTED_TIER
from highlighter.answering.request import MODES, QuestionRequest
from highlighter.errors import GroundingError
from highlighter.grounding.verdicts import CONTRADICTED, SUPPORTED
from highlighter.models import Claim
from highlighter.services import Services
from highlighter.settings import Settings
from tests.scripted import fake_answers
from tests.scripted.fake_replies import Cut, Play, Says
from tests.scripted.received_request import ReceivedRequest
from tests.scripted.server import ScriptedProvider

LIES_FOLDER = Path(__file__).resolve().parents[1] / "lies"
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
MODEL = "m"
# The quote that a claim rests on stands in its text.
_QUOTE = re.compile(r"\s*[(（][^()（）]+[)）](?=[\s.。]*$)")
BREAK_OFF = "␄"  # where a stream ends
# A claim of the answer is the one that was written when they are this similar, in percent.
MIN_SAME_CLAIM_PERCENT = 80
_PLACEHOLDER = re.compile(r"\[\[(?:S(?P<source>\d+)(?::p(?P<page>\d+))?|(?P<ghost>ghost)|#(?P<number>\d+))\]\]")
_PAGES = re.compile(r", pp?\.[\d–-]+")
INVENTED = ("invented_page", "invented_file", "invented_number")


@dataclass(frozen=True, slots=True)
class StatedClaim:
    """A claim that the model makes, and whether the documents say so."""

    text: str
    holds: bool
    kind: str
    evidence: str = ""  # the sentence that it rests on or distorts


@dataclass(frozen=True, slots=True)
class Lie:
    """A question with the answer that the model gives."""

    id: str
    languages: tuple[str, str]  # of the answer and of the documents
    documents: tuple[str, ...]
    question: str
    answer: str
    claims: tuple[StatedClaim, ...]
    trick: str
    is_strict: bool

    @property
    def is_true(self) -> bool:
        return all(claim.holds for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an answer."""

    lie: Lie
    is_refused: bool  # by strict mode, or as no answer at all
    verdicts: tuple[str, ...]  # of each claim that was made; "" where the answer does not make it
    added_citations: int  # ours, on claims that do not hold
    wrong_links: int  # of markers that were invented


def rows(folder: Path) -> list[Row]:
    return list(build_rows(list(tell_lies(folder, read_lies()))))


def read_lies(path: Path = LIES_FOLDER / "lies.jsonl") -> list[Lie]:
    return [_parse_lie(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _parse_lie(row: dict[str, Any]) -> Lie:
    claims = tuple(
        StatedClaim(claim["text"], claim["holds"], claim["kind"], claim.get("evidence", "")) for claim in row["claims"]
    )
    return Lie(
        row["id"], (row["language"], row["document_language"]), tuple(row["documents"]), row["question"], row["answer"],
        claims, row["trick"], row["strict_only"],
    )  # fmt: skip


def tell_lies(
    folder: Path, lies: Sequence[Lie], observe: Callable[[Services, Lie, Answer], None] | None = None
) -> Iterator[Outcome]:
    """Yield what becomes of each answer, in a library that holds all documents. `observe` sees each that was given.

    The answers are given in all modes in turn, streamed and not.
    """
    provider = ScriptedProvider()
    services = Services(Settings(data_dir=folder / "lies", **provider.settings(f"openai/{MODEL}")))
    try:
        for name in sorted({name for lie in lies for name in lie.documents}):
            services.ingest_queue.ingest_file(find_document(name))
        services.index.sync()
        for number, lie in enumerate(lies):
            provider.play(MODEL, Says(json.dumps({"questions": [lie.question]})), _build_play(lie))
            yield _tell(lie, services, MODES[number % len(MODES)], bool(number // len(MODES) % 2), observe)
    finally:
        services.close()
        provider.close()


def find_document(name: str) -> Path:
    own = LIES_FOLDER / "documents" / name
    return own if own.exists() else SAMPLES / name


def _build_play(lie: Lie) -> Play:
    if BREAK_OFF in lie.answer:
        return Cut(lie.answer.split(BREAK_OFF)[0])
    return Says(_build_author(lie))


def _build_author(lie: Lie) -> Callable[[ReceivedRequest], str]:
    """Return the author of an answer, who takes the labels from the sources that it was given."""

    def write(request: ReceivedRequest) -> str:
        sources = fake_answers.sources(request)

        def fill(match: re.Match[str]) -> str:
            if match["ghost"]:
                label = "Ghost Report 2019, p.3"
            elif match["number"]:
                label = match["number"]
            else:
                label = _choose_label(lie, lie.documents[int(match["source"]) - 1], sources)
                if match["page"]:
                    label = f"{_PAGES.sub('', label)}, p.{match['page']}"
            return f"[[{label}]]" if lie.is_strict else f"[{label}]"

        return _PLACEHOLDER.sub(fill, lie.answer)

    return write


def _choose_label(lie: Lie, document: str, sources: Sequence[tuple[str, str]]) -> str:
    """Return the label of the source that a claim is about, or else of any source of the document."""
    of_document = [(label, text) for label, text in sources if label.startswith(Path(document).stem)]
    evidence = "".join(lie.claims[0].evidence.split())
    holding = [label for label, text in of_document if evidence and evidence in "".join(text.split())]
    return (holding or [label for label, _ in of_document] or [Path(document).stem])[0]


def _tell(
    lie: Lie,
    services: Services,
    mode: str,
    is_streamed: bool,
    observe: Callable[[Services, Lie, Answer], None] | None,
) -> Outcome:
    request = QuestionRequest(
        lie.question, mode, filters={"name": list(lie.documents)}, require_grounding=lie.is_strict, min_score=0.0
    )
    try:
        answer = _ask(services, request, is_streamed)
    except GroundingError:
        return Outcome(lie, True, ("",) * len(lie.claims), 0, 0)
    if observe:
        observe(services, lie, answer)
    judged = [find_claim(claim, answer.claims) for claim in lie.claims]
    verdicts = tuple(claim.verdict if claim else "" for claim in judged)
    false_claims = [claim for stated, claim in zip(lie.claims, judged, strict=True) if claim and not stated.holds]
    added = [citation for citation in answer.citations if citation.tier == ATTRIBUTED_TIER]
    on_false = sum(claim.start <= citation.start <= claim.end for claim in false_claims for citation in added)
    links = len(answer.citations) - len(added)
    wrong_links = max(links - _count_true_markers(lie), 0) if lie.trick in INVENTED else 0
    return Outcome(lie, answer.refused, verdicts, on_false, wrong_links)


def _ask(services: Services, request: QuestionRequest, is_streamed: bool) -> Answer:
    if not is_streamed:
        return services.answer_pipeline.answer(request)
    *_, done = services.answer_pipeline.stream_events(request)
    assert isinstance(done, DoneEvent)
    return done.answer


def _count_true_markers(lie: Lie) -> int:
    return sum(bool(match["source"]) and not match["page"] for match in _PLACEHOLDER.finditer(lie.answer))


def find_claim(stated: StatedClaim, claims: Sequence[Claim]) -> Claim | None:
    """Return the claim of an answer that was written for this one."""
    similar = [
        (fuzz.ratio(stated.text, text), claim) for claim in claims for text in (claim.text, _QUOTE.sub("", claim.text))
    ]
    percent, claim = max(similar, key=lambda item: item[0], default=(0, None))
    return claim if percent >= MIN_SAME_CLAIM_PERCENT else None


def build_rows(outcomes: Sequence[Outcome]) -> Iterator[Row]:
    """Yield the rows of the table: false claims that got a tick, by trick, kind and language, and true ones that did."""
    yield _row("lies: false claims that get a tick", _collect(outcomes, SUPPORTED, holds=False), "≤ 8%")
    yield _row("lies: true claims that get a tick", _collect(outcomes, SUPPORTED, holds=True), "≥ 85%")
    yield _row("lies: true claims called contradicted", _collect(outcomes, CONTRADICTED, holds=True), "-")
    yield _row("lies: false claims called contradicted", _collect(outcomes, CONTRADICTED, holds=False), "-")
    lies = [outcome for outcome in outcomes if not outcome.lie.is_true]
    yield Row("lies: citations of ours on false claims", str(sum(o.added_citations for o in lies)), "-", "-", "0")
    yield Row("lies: invented markers with a link", str(sum(o.wrong_links for o in lies)), "-", "-", "0")
    strict = [outcome for outcome in outcomes if outcome.lie.is_strict]
    for holds, name, goal in (
        (False, "lies refused by strict mode", "-"),
        (True, "truths refused by strict mode", "-"),
    ):
        chosen = [outcome.is_refused for outcome in strict if outcome.lie.is_true == holds]
        yield _row(name, chosen, goal)
    for name, group in (
        ("trick", lambda outcome, claim: outcome.lie.trick),
        ("kind", lambda outcome, claim: claim.kind),
        ("language", lambda outcome, claim: _name_languages(outcome.lie)),
    ):
        values = sorted({group(outcome, claim) for outcome in lies for claim in outcome.lie.claims if not claim.holds})
        for value in values:
            ticked = [
                verdict == SUPPORTED
                for outcome in lies
                for claim, verdict in zip(outcome.lie.claims, outcome.verdicts, strict=True)
                if not claim.holds and group(outcome, claim) == value
            ]
            yield _row(f"  false claims that get a tick, {name} {value.replace('_', ' ')}", ticked, "≤ 20%")


def _collect(outcomes: Sequence[Outcome], wanted: str, *, holds: bool) -> list[bool]:
    """Return whether each claim that holds, or does not, has the verdict that is asked for."""
    return [
        verdict == wanted
        for outcome in outcomes
        for claim, verdict in zip(outcome.lie.claims, outcome.verdicts, strict=True)
        if claim.holds == holds
    ]


def _name_languages(lie: Lie) -> str:
    answer, document = lie.languages
    return answer if answer[:2] == document[:2] else f"{answer} about {document}"


def _row(name: str, values: Sequence[bool], goal: str) -> Row:
    share = f"{sum(values) / len(values):.0%}" if values else "-"
    return Row(f"{name} ({len(values)})", share, "-", "-", goal)
