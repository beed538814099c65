"""Verdicts by what an answer cites: a claim is supported only by the sources that it cites, and those must exist."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from highlighter.grounding.checker import Checker, GroundingReport
from highlighter.grounding.cited_pages import PageOrClause, find_pages, format_page, is_off_places, split_at_places
from highlighter.grounding.claims import (
    ClaimSentence,
    find_common_markers,
    find_notes,
    strip_list_prefix,
)
from highlighter.grounding.judge import MAX_UNSUPPORTED_SCORE, ExternalJudge
from highlighter.grounding.shared_claims import (
    combine_judgements,
    find_meant_documents,
    remove_quantifier,
)
from highlighter.grounding.verdicts import (
    CONTRADICTED,
    NOT_COMPARED,
    PARTLY,
    SUPPORTED,
    UNSUPPORTED,
    WRONG_SOURCE,
    is_grounded,
    round_grounding_score,
)
from highlighter.locale import N_, join_messages
from highlighter.models import Claim, ClaimEvidence, ReferenceResolution, Source
from highlighter.references.resolver import resolve_references

# Of a claim's markers without a source, this many are explained.
MAX_REASONS = 3


@dataclass(frozen=True, slots=True)
class CitedMarker:
    """A marker of an answer: its span, and the indexes of the sources that it may mean; without sources, the reason."""

    start: int
    end: int
    sources: tuple[int, ...] = ()
    why_unresolved: str = ""
    why_not_compared: str = ""  # of the source that it means, where that was left out of the comparison
    label: str = ""  # as its author wrote it, where the answer shows another
    pages: frozenset[int] = frozenset()  # every page that it may mean; none: it names no page
    clause: tuple[int, int] | None = None  # the span of the clause that it names, in the text of its source

    @property
    def place(self) -> PageOrClause | None:
        return PageOrClause(self.pages, self.clause) if self.pages or self.clause else None


class LeftOutSource(NamedTuple):
    """A source that an answer may cite, without its text, and why it is not compared, as a sentence for users."""

    source: Source
    why: str


class CitedSourceJudge:
    """The judge who holds the claims of an answer, judged by all sources, to the sources that they cite."""

    def __init__(
        self,
        checker: Checker,
        sources: Sequence[Source],
        external_judge: ExternalJudge | None = None,
    ):
        self.checker = checker
        self.sources = sources
        self.external_judge = external_judge

    def judge_claims(self, claims: Sequence[Claim], answer: str, cited_markers: Sequence[CitedMarker]) -> list[Claim]:
        """Return the claims with verdicts by the sources that they cite; those that cite nothing stay as they are."""
        markers_by_claim = list(assign_markers(claims, answer, cited_markers))
        # Claims that cite the same sources are judged together, as the sources of a judgement are indexed once.
        positions_by_sources: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for position, (claim, markers) in enumerate(zip(claims, markers_by_claim, strict=True)):
            cited = _cited_sources(markers)
            if cited and claim.verdict == SUPPORTED and not all(support.source in cited for support in claim.evidence):
                positions_by_sources[cited].append(position)
        judged = list(claims)
        for cited, positions in positions_by_sources.items():
            stricter = self._judge_by_cited_sources([claims[position] for position in positions], cited)
            for position, claim in zip(positions, stricter, strict=True):
                judged[position] = claim
        judged = self._judge_by_cited_places(judged, markers_by_claim)
        judged = self._judge_shared_claims(judged, [_cited_sources(markers) for markers in markers_by_claim])
        return [self._judge_markers(claim, markers) for claim, markers in zip(judged, markers_by_claim, strict=True)]

    def _judge_by_cited_places(
        self, claims: Sequence[Claim], markers_by_claim: Sequence[Sequence[CitedMarker]]
    ) -> list[Claim]:
        """Return the claims, those with the wrong source that other pages or clauses support than those that they cite.

        A claim that only both together support is not accused.
        """
        judged = list(claims)
        for position, (claim, markers) in enumerate(zip(claims, markers_by_claim, strict=True)):
            places = self._list_wrong_places(claim, markers)
            if not places:
                continue
            cited = tuple(places)
            halves = [split_at_places(self.sources[index], places[index]) for index in cited]
            (by_places,) = self._judge_by_sources([claim], cited, [inside for inside, _ in halves])
            if by_places.verdict == SUPPORTED:
                judged[position] = by_places
                continue
            (by_others,) = self._judge_by_sources([claim], cited, [outside for _, outside in halves])
            if by_others.verdict == SUPPORTED:
                is_clause = any(place.clause for index in cited for place in places[index])
                why = self._correct_clause(by_others) if is_clause else self._correct_page(by_others)
                judged[position] = replace(by_others, verdict=WRONG_SOURCE, score=0.0, why=why)
        return judged

    def _list_wrong_places(self, claim: Claim, markers: Sequence[CitedMarker]) -> dict[int, list[PageOrClause]]:
        """Return the places that a claim cites in each source, if the sentence that supports it is known to be in none."""
        cited = [(marker.sources, marker.place) for marker in markers if marker.sources]
        best = _choose_best(claim.evidence)
        if claim.verdict != SUPPORTED or best is None or not cited or not all(place for _, place in cited):
            return {}
        places = {
            index: [place for sources, place in cited if place and index in sources]
            for index in sorted({index for sources, _ in cited for index in sources})
        }
        return places if is_off_places(best, self.sources[best.source], places.get(best.source, ())) else {}

    def _judge_shared_claims(self, claims: Sequence[Claim], cited: Sequence[Sequence[int]]) -> list[Claim]:
        """Return the claims, those about several sources with their verdict by each of the documents that they mean."""
        documents = {
            position: meant
            for position, claim in enumerate(claims)
            if (meant := find_meant_documents(claim, self.sources, cited[position]))
        }
        positions_by_group: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for position, meant in documents.items():
            for indexes in meant.sources:
                positions_by_group[indexes].append(position)
        judgements: dict[int, list[tuple[str, Claim]]] = defaultdict(list)
        for indexes, positions in positions_by_group.items():
            bare_claims = [replace(claims[p], text=remove_quantifier(claims[p].text)) for p in positions]
            for position, judged in zip(positions, self._judge_by_sources(bare_claims, indexes), strict=True):
                judgements[position].append((self._name(indexes[0]), judged))
        return [
            combine_judgements(claim, judgements[position], documents[position].needed)
            if position in documents
            else claim
            for position, claim in enumerate(claims)
        ]

    def _judge_markers(self, claim: Claim, markers: Sequence[CitedMarker]) -> Claim:
        """Return the claim with what is wrong with its markers."""
        reasons = _list_reasons(marker.why_unresolved for marker in markers)
        not_compared = _list_reasons(marker.why_not_compared for marker in markers)
        if not_compared and not _is_decided_by(claim, _cited_sources(markers)):
            return self._leave_open(claim, [*not_compared, *reasons])
        if not reasons:
            return claim
        if claim.verdict != SUPPORTED:
            return replace(claim, why=join_messages([claim.why, *reasons]))
        if _cited_sources(markers):
            score = min(claim.score, MAX_UNSUPPORTED_SCORE)
            return replace(claim, verdict=PARTLY, score=score, why=join_messages(reasons))
        why = join_messages([*reasons, *self._name_source(claim.evidence)])
        return replace(claim, verdict=WRONG_SOURCE, score=0.0, why=why)

    def _leave_open(self, claim: Claim, reasons: Sequence[str]) -> Claim:
        """Return a claim of which what it cites was not compared: no other source contradicts it for that."""
        evidence = claim.evidence if claim.verdict in (SUPPORTED, WRONG_SOURCE) else ()
        why = join_messages([*reasons, *self._name_source(evidence)])
        return replace(claim, verdict=NOT_COMPARED, score=0.0, evidence=evidence, why=why, marks=())

    def _judge_by_cited_sources(self, claims: Sequence[Claim], cited: Sequence[int]) -> list[Claim]:
        """Judge claims that all sources together support by the cited ones, and where these fail, by the others."""
        by_cited = self._judge_by_sources(claims, cited)
        failed = [claim for claim in by_cited if claim.verdict != SUPPORTED]
        # Those that support a claim are few, however many sources there are.
        others = sorted({support.source for claim in claims for support in claim.evidence} - set(cited))
        by_others = iter(self._judge_by_sources(failed, others))
        return [
            claim if strict.verdict == SUPPORTED else self._compare_judgements(strict, next(by_others), cited)
            for claim, strict in zip(claims, by_cited, strict=True)
        ]

    def _judge_by_sources(
        self, claims: Sequence[Claim], indexes: Sequence[int], cut_sources: Sequence[Source] = ()
    ) -> list[Claim]:
        """Judge claims by some of the sources, or by parts of them; their evidence has the indexes among all of them."""
        if not claims:
            return []
        sentences = [ClaimSentence(claim.text, claim.start, claim.end, claim.antecedent) for claim in claims]
        sources = cut_sources or [self.sources[index] for index in indexes]
        source_index = self.checker.index_sources(sources, [claim.text for claim in claims])
        return [
            replace(claim, evidence=tuple(replace(item, source=indexes[item.source]) for item in claim.evidence))
            for claim in self.checker.judge_claims(sentences, source_index, self.external_judge)
        ]

    def _compare_judgements(self, by_cited: Claim, by_others: Claim, cited: Sequence[int]) -> Claim:
        """Return the verdict on a claim that the cited sources do not support."""
        if by_others.verdict != SUPPORTED:
            return replace(
                by_cited, why=by_cited.why if by_cited.verdict != UNSUPPORTED else _deny_cited_sources(cited)
            )
        if by_cited.verdict == CONTRADICTED:
            return replace(by_cited, why=join_messages([by_cited.why, *self._name_source(by_others.evidence)]))
        return replace(by_others, verdict=WRONG_SOURCE, score=0.0, why=self._compare_sources(cited, by_others.evidence))

    def _compare_sources(self, cited: Sequence[int], evidence: Sequence[ClaimEvidence]) -> str:
        best = _choose_best(evidence)
        if len(cited) > 1 or best is None:
            return join_messages([_deny_cited_sources(cited), *self._name_source(evidence)])
        name, page = self._source_name(best), self._find_page(best)
        if page:
            return N_("The cited source does not say this; {name}, page {page}, does.", name=name, page=page)
        return N_("The cited source does not say this; {name} does.", name=name)

    def _correct_page(self, claim: Claim) -> str:
        best = _choose_best(claim.evidence)
        assert best is not None  # what is supported is supported by a sentence
        name, page = self._source_name(best), self._find_page(best)
        return N_("It cites the wrong page; {name}, page {page}, says this.", name=name, page=page)

    def _correct_clause(self, claim: Claim) -> str:
        best = _choose_best(claim.evidence)
        assert best is not None  # what is supported is supported by a sentence
        name, page = self._source_name(best), self._find_page(best)
        if page:
            return N_("It cites the wrong clause; {name}, page {page}, says this elsewhere.", name=name, page=page)
        return N_("It cites the wrong clause; {name} says this elsewhere.", name=name)

    def _name_source(self, evidence: Sequence[ClaimEvidence]) -> Iterator[str]:
        """Yield the sentence that names the source of the best evidence, if there is evidence."""
        best = _choose_best(evidence)
        if best is None:
            return
        name, page = self._source_name(best), self._find_page(best)
        yield (
            N_("{name}, page {page}, says this.", name=name, page=page) if page else N_("{name} says this.", name=name)
        )

    def _source_name(self, support: ClaimEvidence) -> str:
        return self._name(support.source)

    def _name(self, index: int) -> str:
        source = self.sources[index]
        return source.filename or source.label or N_("Source {number}", number=index + 1)

    def _find_page(self, support: ClaimEvidence) -> str:
        """Return the page on which a sentence begins, as readers know it; "" if it is unknown."""
        source = self.sources[support.source]
        pages = find_pages(source, support.start, support.end)
        return format_page(source, pages[0]) if pages else ""


def _cited_sources(markers: Sequence[CitedMarker]) -> tuple[int, ...]:
    return tuple(sorted({source for marker in markers for source in marker.sources}))


def _list_reasons(reasons: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(filter(None, reasons)))[:MAX_REASONS]


def _is_decided_by(claim: Claim, cited: Sequence[int]) -> bool:
    """Return whether cited sources support or contradict a claim, whatever other ones say that it cites, too."""
    # What "both reports" say, one of them cannot support alone.
    decides = (CONTRADICTED,) if remove_quantifier(claim.text) else (SUPPORTED, CONTRADICTED)
    return claim.verdict in decides and any(support.source in cited for support in claim.evidence)


def _choose_best(evidence: Sequence[ClaimEvidence]) -> ClaimEvidence | None:
    return max(evidence, key=lambda support: support.score, default=None)


def _deny_cited_sources(cited: Sequence[int]) -> str:
    if len(cited) > 1:
        return N_("The cited sources do not say this.")
    return N_("The cited source does not say this.")


# Which markers a claim has.


def assign_markers(
    claims: Sequence[Claim], answer: str, cited_markers: Sequence[CitedMarker]
) -> Iterator[list[CitedMarker]]:
    """Yield the markers of each claim: in its sentence, after it up to the next claim, or before it in its line.

    Footnotes and the list of sources at the end cite for no claim.
    """
    is_note = bytearray(len(answer) + 1)
    for start, end in find_notes(answer):
        is_note[start:end] = b"\1" * (end - start)
    markers = sorted((marker for marker in cited_markers if not is_note[marker.start]), key=lambda marker: marker.start)
    text = _blank_markers(answer, markers)
    offsets = [marker.start for marker in markers]
    starts = [_start_with_markers(claim.start, text) for claim in claims]
    for start, end in pairwise([*starts, len(answer) + 1]):
        yield markers[bisect_left(offsets, start) : bisect_left(offsets, end)]


def _blank_markers(answer: str, markers: Sequence[CitedMarker]) -> str:
    characters = list(answer)
    for marker in markers:
        characters[marker.start : marker.end] = " " * (marker.end - marker.start)
    return "".join(characters)


def _start_with_markers(start: int, text_without_markers: str) -> int:
    """Return where the line of a claim begins, when only markers precede the claim, else where the claim begins."""
    line_start = text_without_markers.rfind("\n", 0, start) + 1
    before = strip_list_prefix(text_without_markers[line_start:start])
    return start if any(map(str.isalnum, before)) else line_start


# Checks of answers from elsewhere, whose markers nobody has resolved yet.


def check_answer(
    checker: Checker,
    answer: str,
    sources: Sequence[Source],
    judge: ExternalJudge | None = None,
    left_out: Sequence[LeftOutSource] = (),
) -> GroundingReport:
    """Check an answer; where all sources have names, its markers are resolved, and each claim is held to what it cites.

    A claim that cites a source which was left out is not compared, unless another source that it cites decides about it.
    """
    has_names = all(source.filename or source.label for source in sources)
    all_sources = [*sources, *(item.source for item in left_out)]
    resolution = resolve_references(answer, all_sources) if has_names else ReferenceResolution()
    cited_markers = _list_markers(resolution, len(sources), left_out)
    marker_spans = [
        *find_common_markers(answer),
        *resolution.notes,
        *((marker.start, marker.end) for marker in cited_markers),
    ]
    report = checker.check(answer, sources, marker_spans, judge)
    claims = tuple(CitedSourceJudge(checker, sources, judge).judge_claims(report.claims, answer, cited_markers))
    return replace(
        report,
        claims=claims,
        grounded=is_grounded(claims),
        grounding_score=round_grounding_score(claims),
    )


def _list_markers(
    resolution: ReferenceResolution, source_count: int, left_out: Sequence[LeftOutSource]
) -> list[CitedMarker]:
    """Return the markers with the sources that they mean: those from `source_count` on were left out."""
    return [
        *(
            CitedMarker(
                item.start,
                item.end,
                tuple(index for index in (item.source, *item.alternatives) if index < source_count),
                why_not_compared=left_out[item.source - source_count].why if item.source >= source_count else "",
                pages=item.cited_pages,
                clause=(item.clause[0], item.clause[2]) if item.clause else None,
            )
            for item in resolution.citations
        ),
        *(CitedMarker(item.start, item.end, why_unresolved=item.why) for item in resolution.unresolved),
    ]
