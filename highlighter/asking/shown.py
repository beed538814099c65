"""An answer with everything that its page says of it: its text in blocks, its sources with what is cited of each."""

from __future__ import annotations

from dataclasses import dataclass

from highlighter.answer_text.parsing import parse_answer
from highlighter.answer_text.tree import Block, count_tables
from highlighter.api.answer_schemas import AnswerOut, AnswerSourceOut, CitationOut
from highlighter.asking.markdown import as_markdown
from highlighter.generation.ask import MARKDOWN
from highlighter.generation.drafting import NO_EVIDENCE, NO_MODEL, NOT_BY_QUOTING
from highlighter.generation.pipeline import NO_SOURCES
from highlighter.locale import N_

_BRACKETS = "[]【】()（） \n"
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

# Why there is no answer, for people. What an answer kept long ago says otherwise is shown as it is.
REASONS = {
    NO_SOURCES: N_("No document says anything near enough to this question."),
    NO_EVIDENCE: N_("Passages near it were found, but no sentence in them answers it."),
    NO_MODEL: N_("No language model answered. Try again in a moment."),
    NOT_BY_QUOTING: N_("Data in a form of one's own need a language model, and none is set up here."),
}


@dataclass(frozen=True, slots=True)
class CitedSource:
    number: int
    source: AnswerSourceOut
    citations: tuple[CitationOut, ...]  # each sentence once


@dataclass(frozen=True, slots=True)
class Shown:
    answer: AnswerOut
    blocks: tuple[Block, ...]
    cited: tuple[CitedSource, ...]
    uncited: tuple[AnswerSourceOut, ...]
    reason: str
    address: str  # of this answer, or of its question where it is not kept
    pack: str  # the evidence pack; none where it is not kept
    markdown: str

    @property
    def tables(self) -> int:
        return count_tables(self.blocks)


def shown(answer: AnswerOut, base: str, address: str, pack: str = "", format: str = "") -> Shown:
    """`base` is where the service is, for links that leave it."""
    blocks = parse_answer(answer, format == MARKDOWN)
    return Shown(
        answer, blocks, _cited(answer),
        tuple(one for one in answer.sources if not one.cited),
        REASONS.get(answer.refusal_reason or "", answer.refusal_reason or ""), address, pack,
        as_markdown(answer, blocks, base),
    )  # fmt: skip


def chip_name(citation: CitationOut, alone: bool = True) -> str:
    """What stands on a chip: the mark without its brackets; where several share one mark, each says what it is."""
    label = citation.label.strip(_BRACKETS).translate(_LOWERED)
    if alone and label:
        return label
    stem, dot, suffix = citation.filename.rpartition(".")
    name = stem if dot and 1 < len(suffix) <= 4 else citation.filename
    return f"{name}, p.{citation.page}" if citation.page else name


def around_of(citation: CitationOut) -> tuple[str, str]:
    """The words before and after what is cited; those that were cut through are left out."""
    before, after = citation.prefix, citation.suffix
    return before.partition(" ")[2] or before, after.rpartition(" ")[0] or after


def _cited(answer: AnswerOut) -> tuple[CitedSource, ...]:
    by_number: dict[int, dict[tuple[int, int], CitationOut]] = {}
    for citation in answer.citations:
        places = by_number.setdefault(citation.number, {})
        places.setdefault((citation.quote_start, citation.quote_end), citation)
    return tuple(
        CitedSource(number, answer.sources[next(iter(places.values())).source], tuple(places.values()))
        for number, places in sorted(by_number.items())
    )
