"""The checker of answers: claims and quotations are compared with the sources and summed up in a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from highlighter.embedding.embedder import Embedder
from highlighter.errors import BadRequest
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.claim_reader import read_claims
from highlighter.grounding.claims import ClaimSentence, extract_claims
from highlighter.grounding.entailment import EntailmentModel
from highlighter.grounding.judge import MAX_UNSUPPORTED_SCORE, ExternalJudge, Judge
from highlighter.grounding.poisoned_sources import (
    explain_instructions,
    is_said_by_instruction,
    list_instruction_warnings,
)
from highlighter.grounding.quotations import (
    ALTERED,
    NOT_FOUND,
    VERIFIED,
    Quotation,
    QuotationCheck,
    check_quote,
    find_quotations,
)
from highlighter.grounding.recognised_sources import list_recognition_warnings
from highlighter.grounding.source_index import SentenceEncoder, SourceIndex
from highlighter.grounding.verdicts import (
    PARTLY,
    SUPPORTED,
    append_warnings,
    compute_confidence,
    compute_grounding_score,
    is_grounded,
    round_grounding_score,
)
from highlighter.grounding.wording import parse_wording
from highlighter.locale import N_
from highlighter.models import Claim, Source
from highlighter.quotes.normal_form import ComparableText
from highlighter.text.sentences import split_sentences

MAX_ANSWER_CHARACTERS, MAX_SOURCE_CHARACTERS, MAX_SOURCES, MAX_SENTENCES = 100_000, 200_000, 100, 20_000
# Claims of one answer; each is judged separately.
MAX_CLAIMS = 500
MAX_QUOTATIONS = 200
# A supported claim that cites nothing gets a citation from this score on: a citation of ours is held to more than a tick.
# Of the false claims in bench/lies that get a tick, one in ten reaches it; of the true ones, almost half.
MIN_CITATION_SCORE = 0.9


@dataclass(frozen=True, slots=True)
class CheckedQuotation:
    """A quotation of the answer, with the check against the source that comes closest."""

    quotation: Quotation
    check: QuotationCheck
    source: int | None  # index into the sources; None if no source has the quotation


@dataclass(frozen=True, slots=True)
class GroundingReport:
    """The result of checking an answer: the verdicts on its claims and quotations, and the scores."""

    text: str
    claims: tuple[Claim, ...]
    quotations: tuple[CheckedQuotation, ...]
    grounded: bool | None  # None for an answer without claims, as its score
    grounding_score: float | None
    confidence: float
    confidence_level: str
    warnings: tuple[str, ...] = ()  # sentences for users that name sources which instruct models or were recognised

    @property
    def ungrounded(self) -> tuple[Claim, ...]:
        return tuple(claim for claim in self.claims if claim.verdict != SUPPORTED)

    @property
    def with_warnings(self) -> str:
        return append_warnings(self.text, self.claims)


class Checker:
    """The checker of answers against sources."""

    def __init__(
        self,
        embedder: Embedder,
        scorer: EvidenceScorer,
        model: EntailmentModel | None = None,
        encode_sentences: SentenceEncoder | None = None,
    ):
        """Take `encode_sentences`, which may know the vectors of the sources' sentences; otherwise they are embedded."""
        self.embedder = embedder
        self.encode_sentences = encode_sentences or embedder.encode
        self.scorer = scorer
        self.model = model or EntailmentModel()

    def check(
        self,
        answer: str,
        sources: Sequence[Source],
        marker_spans: Sequence[tuple[int, int]] | None = None,
        judge: ExternalJudge | None = None,
    ) -> GroundingReport:
        """Check an answer against sources that have their text.

        `marker_spans` are the spans of the answer's citations; without them the usual markers are searched for.
        """
        _validate_input(answer, sources)
        sentences = extract_claims(answer, marker_spans)
        if len(sentences) > MAX_CLAIMS:
            raise BadRequest(
                N_("The answer has {count:,} claims; the limit is {limit}.", count=len(sentences), limit=MAX_CLAIMS)
            )
        claims = (
            tuple(self.judge_claims(sentences, self.index_sources(sources, [item.text for item in sentences]), judge))
            if sentences
            else ()
        )
        quotations = check_quotations(answer, sources)
        claims = tuple(hold_to_quotations(claims, quotations))
        score = compute_grounding_score(claims)
        confidence = compute_confidence((item.score for claim in claims for item in claim.evidence), score)
        return GroundingReport(
            answer, claims, quotations, is_grounded(claims), round_grounding_score(claims),
            round(confidence[0], 4), confidence[1],
            (*list_instruction_warnings(sources), *list_recognition_warnings(sources, claims)),
        )  # fmt: skip

    def index_sources(self, sources: Sequence[Source], claims: Sequence[str] = ()) -> SourceIndex:
        """Return the index of the sources, built once for all claims of an answer."""
        documents = [name_whole_document(source) for source in sources]
        return self.index_texts([source.text for source in sources], claims, documents)

    def index_texts(
        self, texts: Sequence[str], claims: Sequence[str] = (), documents: Sequence[str] = ()
    ) -> SourceIndex:
        """Return the index of the sources' texts, with the names of the documents that they are as a whole."""
        index = SourceIndex(texts, documents)
        if len(index.sentences) > MAX_SENTENCES:
            raise BadRequest(
                N_(
                    "The sources have {count:,} sentences; the limit is {limit:,}.",
                    count=len(index.sentences),
                    limit=MAX_SENTENCES,
                )
            )
        return index.embed(self.encode_sentences, [parse_wording(claim) for claim in claims])

    def judge_claims(
        self, sentences: Sequence[ClaimSentence], source_index: SourceIndex, judge: ExternalJudge | None = None
    ) -> list[Claim]:
        """Return the claims with their verdicts, in the order of the sentences."""
        judged = self._judge_by_sources(sentences, source_index, judge)
        for position, claim in enumerate(judged):
            sources = source_index.find_sources_of_subject(claim.text) if claim.verdict == SUPPORTED else frozenset()
            if sources and not all(item.source in sources for item in claim.evidence):
                judged[position : position + 1] = self._judge_by_sources(
                    sentences[position : position + 1], source_index, judge, sorted(sources)
                )
        return explain_instructions(judged, source_index)

    def _judge_by_sources(
        self,
        sentences: Sequence[ClaimSentence],
        source_index: SourceIndex,
        judge: ExternalJudge | None,
        source_numbers: Sequence[int] | None = None,
    ) -> list[Claim]:
        """Judge claims by all sources of an index, or by some of them."""
        claim_judge = Judge(judge)
        claims = [sentence.text for sentence in sentences]
        readings = read_claims(claims, source_index, self.embedder, self.scorer, self.model, source_numbers)
        return [
            claim_judge.judge_claim(
                sentence, reading, may_be_lifted=not is_said_by_instruction(sentence.text, source_index)
            )
            for sentence, reading in zip(sentences, readings, strict=True)
        ]


def name_whole_document(source: Source) -> str:
    """Return the name of a document whose whole text a source has; "" of a chunk, a page, or a text without a name."""
    is_page = bool(source.pages) and not source.page_count
    is_whole = source.chunk_index is None and not is_page
    return source.filename or source.document_id if is_whole else ""


def can_be_cited(claim: Claim) -> bool:
    """Return whether a sentence may be cited for a claim that cites nothing itself."""
    return claim.verdict == SUPPORTED and claim.score >= MIN_CITATION_SCORE and bool(claim.evidence)


def check_quotations(answer: str, sources: Sequence[Source]) -> tuple[CheckedQuotation, ...]:
    """Check each quotation against all sources: verified in one of them, or else altered from one."""
    texts = [ComparableText(source.text) for source in sources]

    @cache  # an answer may repeat a quotation
    def find_best_check(quote: str, around: str) -> tuple[QuotationCheck, int]:
        checks = [(check_quote(quote, text, around), index) for index, text in enumerate(texts)]
        return min(checks, key=lambda item: _STATES_BEST_FIRST.index(item[0].state))

    checked = []
    sentences = [(span.start_char, span.end_char) for span in split_sentences(answer)]
    for quotation in find_quotations(answer)[:MAX_QUOTATIONS]:
        check, index = find_best_check(quotation.text, _read_around(answer, quotation, sentences))
        checked.append(CheckedQuotation(quotation, check, index if check.state != NOT_FOUND else None))
    return tuple(checked)


def _read_around(answer: str, quotation: Quotation, sentences: Sequence[tuple[int, int]]) -> str:
    """Return the words of the sentences of an answer that hold a quotation, without the quotation."""
    touched = [span for span in sentences if span[0] < quotation.end and quotation.start < span[1]]
    start = min([quotation.start, *(first for first, _ in touched)])
    end = max([quotation.end, *(last for _, last in touched)])
    return f"{answer[start : quotation.start]} {answer[quotation.end : end]}"


def hold_to_quotations(claims: Sequence[Claim], quotations: Sequence[CheckedQuotation]) -> list[Claim]:
    """Return the claims, without a tick those of which a quotation is altered: what they quote, no source says."""
    altered = [checked for checked in quotations if checked.check.state == ALTERED]
    return [_hold_to_altered(claim, altered) for claim in claims]


def _hold_to_altered(claim: Claim, altered: Sequence[CheckedQuotation]) -> Claim:
    """Return a claim, without its tick if one of these altered quotations stands in it."""
    for checked in altered:
        is_in_claim = claim.start <= checked.quotation.start and checked.quotation.end <= claim.end
        if is_in_claim and claim.verdict == SUPPORTED:
            score = min(claim.score, MAX_UNSUPPORTED_SCORE)
            return replace(claim, verdict=PARTLY, score=score, why=checked.check.why)
    return claim


_STATES_BEST_FIRST = (VERIFIED, ALTERED, NOT_FOUND)


def require_answer_length(answer: str) -> None:
    """Raise BadRequest when an answer is longer than can be checked."""
    if len(answer) > MAX_ANSWER_CHARACTERS:
        raise BadRequest(
            N_(
                "The answer has {count:,} characters; the limit is {limit:,}.",
                count=len(answer),
                limit=MAX_ANSWER_CHARACTERS,
            )
        )


def _validate_input(answer: str, sources: Sequence[Source]) -> None:
    if not answer.strip():
        raise BadRequest("Give an answer to check.")
    require_answer_length(answer)
    if not sources:
        raise BadRequest("Give at least one source to check the answer against.")
    if len(sources) > MAX_SOURCES:
        raise BadRequest(
            N_("The request has {count:,} sources; the limit is {limit}.", count=len(sources), limit=MAX_SOURCES)
        )
    for number, source in enumerate(sources, 1):
        if not source.text.strip():
            raise BadRequest(N_("Source {number} has no text.", number=number))
        if len(source.text) > MAX_SOURCE_CHARACTERS:
            raise BadRequest(
                N_(
                    "Source {number} has {count:,} characters; the limit is {limit:,}. Send only the passages that the answer rests on.",
                    number=number,
                    count=len(source.text),
                    limit=MAX_SOURCE_CHARACTERS,
                )
            )
