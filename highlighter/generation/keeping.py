"""From an answer to what is kept of it, and back: what it says in parts that can be redacted, all else as facts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from sqlalchemy import Engine

from highlighter.access import Visible
from highlighter.citations.diff import Piece
from highlighter.errors import NotFound
from highlighter.generation.answer import Answer, SubQuestion
from highlighter.generation.ask import Ask
from highlighter.models import Citation, Claim, Source, Support, Unresolved
from highlighter.store import answers
from highlighter.store.answers import ALL, NONE, QUESTION, Part, Record
from highlighter.store.chain import Head, canonical, digest
from highlighter.store.database import writing

# Fields that hold no words. Whatever else an answer has, or comes to have, is taken for words, and goes with them.
_FACTS = (
    "refused", "grounding_score", "confidence", "confidence_level", "sources_used", "sources_provided", "model_used",
    "tokens_used", "latency_ms", "mode", "asked_at", "prompt_version",
)  # fmt: skip
_OF_A_SOURCE = ("document_id", "pages", "chunk_index")
_OF_A_CITATION = (
    "number", "start", "end", "tier", "source", "document_id", "sha256", "page", "chunk_index", "chunk", "quote_start",
    "quote_end", "probability", "quoted", "sub_question_index",
)  # fmt: skip
_OF_A_CLAIM = ("start", "end", "verdict", "score")
# What stands there once the words are gone.
_BLANK_SOURCE = {"filename": ""}
_BLANK_CITATION = {"label": "", "filename": "", "quote": ""}
_BLANK_CLAIM = {"text": ""}
TEXT, ASKED, CLAIMS = "text", "asked", "claims"


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it was given, less what was redacted since."""

    answer: Answer
    asked: Mapping[str, Any]  # how: format, citation style, filters ...; empty once it is redacted
    record: Record
    row: Mapping[str, Any]  # in the chain: its columns

    @property
    def head(self) -> Head:
        """The head of the chain as it was when this answer was kept."""
        return Head(self.row["seq"], self.row["hash"], self.row["at"])

    @property
    def whole(self) -> bool:
        return not self.record.redacted

    def redacted(self, source: int) -> bool:
        return of_source(source) in self.record.redacted


class Keeping:
    def __init__(self, engine: Engine):
        self.engine = engine

    def keep(self, answer: Answer, ask: Ask, visible: Visible = Visible()) -> None:
        """`visible`: what its asker may see, of which a filter may have left out some."""
        facts, parts = taken_apart(answer, ask)
        facts |= {"over": _over(ask, visible)}
        ids = [source.document_id for source in answer.sources if source.document_id]
        with writing(self.engine) as connection:
            answers.keep(connection, answer.id, facts, ids, parts)

    def open(self, answer_id: str, visible: Visible) -> Kept:
        """It belongs to the collections that it was asked over: who may not see them all, does not see it."""
        with self.engine.connect() as connection:
            record = answers.read(connection, answer_id)
            if record is None or not _is_of(record, visible):
                raise NotFound(
                    f"There is no answer {answer_id[:64]}. It may never have been kept, or the link is cut short."
                )
            row = answers.chained(connection, record)
        return Kept(put_together(record), record.said(ASKED) or {}, record, row)


def _over(ask: Ask, visible: Visible) -> list[str] | None:
    """The collections that it was asked over, whichever of them it found something in; none: all there are."""
    named = ask.filters.get("collection")
    if named is not None and ask.sources is None:
        narrowed = visible.only(*map(str, named if isinstance(named, list | tuple) else [named]))
        visible = narrowed if narrowed.names else visible  # over none of them: its words are still the asker's
    return None if visible.names is None else sorted(visible.names)


def _is_of(record: Record, visible: Visible) -> bool:
    if visible.names is None:
        return True
    over = json.loads(record.facts).get("over")  # an answer of before there were keys was asked over all
    return over is not None and {*over, *(one.collection for one in record.documents)} <= visible.names


def of_source(at: int) -> str:
    return f"source {at}"


def taken_apart(answer: Answer, ask: Ask) -> tuple[dict[str, Any], list[Part]]:
    left = asdict(answer)
    del left["id"], left["kept"]
    for one in left["sources"]:
        one["pages"] = list(one["pages"])  # they may be a range
    facts = _take(left, _FACTS)
    sources, citations, claims = left.pop("sources"), left.pop("citations"), left.pop("claims")
    facts["sources"] = [_take(one, _OF_A_SOURCE) for one in sources]
    facts["citations"] = [_take(one, _OF_A_CITATION) for one in citations]
    facts["claims"] = [_take(one, _OF_A_CLAIM) for one in claims]
    for one in citations:
        del one["sub_question"]  # said once, with the question: it may stay when a document goes, or go when one stays
    asked = {"question": left.pop("question"), "sub_questions": left.pop("sub_questions")}
    parts = [
        Part.of(QUESTION, NONE, asked), Part.of(ASKED, ALL, _how(ask)), Part.of(CLAIMS, ALL, claims),
        Part.of(TEXT, ALL, left),
    ]  # fmt: skip
    for at, source in enumerate(sources):
        cited = {str(n): one for n, one in enumerate(citations) if facts["citations"][n]["source"] == at}
        said = {"source": source, "citations": cited}
        parts.append(Part.of(of_source(at), facts["sources"][at]["document_id"] or NONE, said))
    return facts, parts


def put_together(record: Record) -> Answer:
    facts = json.loads(record.facts)
    asked = record.said(QUESTION) or {"question": "", "sub_questions": []}
    said = [record.said(of_source(at)) or {} for at in range(len(facts["sources"]))]
    claims = record.said(CLAIMS) or [_BLANK_CLAIM] * len(facts["claims"])
    whole = {
        **facts, **asked, **(record.said(TEXT) or {"text": ""}), "id": record.id, "kept": True,
        "sources": [fact | part.get("source", _BLANK_SOURCE) for fact, part in zip(facts["sources"], said, strict=True)],
        "claims": [fact | words for fact, words in zip(facts["claims"], claims, strict=True)],
        "citations": [
            fact
            | said[fact["source"]].get("citations", {}).get(str(n), _BLANK_CITATION)
            | {"sub_question": _sub_question(asked["sub_questions"], fact["sub_question_index"])}
            for n, fact in enumerate(facts["citations"])
        ],
    }  # fmt: skip
    return _answer(whole)


def _how(ask: Ask) -> dict[str, Any]:
    """How it was asked. Of the turns before, which are answers of their own, only digests."""
    how = {field: getattr(ask, field) for field in Ask.__dataclass_fields__ if field not in ("question", "sources")}
    return {**how, "history": [digest(canonical(list(turn))) for turn in ask.history], "own": ask.sources is not None}


def _take(values: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: values.pop(name) for name in names}


def _sub_question(sub_questions: list[dict[str, Any]], at: int) -> str:
    return sub_questions[at]["text"] if at < len(sub_questions) else ""


def _answer(whole: dict[str, Any]) -> Answer:
    nouns = {"sub_questions": SubQuestion, "sources": Source, "unresolved": Unresolved}
    made = {name: tuple(_as(noun, one) for one in whole.get(name, ())) for name, noun in nouns.items()}
    made["citations"] = tuple(
        _as(Citation, {**one, "differs": [_as(Piece, piece) for piece in one.get("differs", ())]})
        for one in whole["citations"]
    )
    made["claims"] = tuple(
        _as(Claim, {**one, "evidence": [_as(Support, support) for support in one.get("evidence", ())]})
        for one in whole["claims"]
    )
    return replace(_as(Answer, {**whole, **made}), data=whole.get("data"))


def _as(noun: type, values: Mapping[str, Any]) -> Any:
    """What it knew then of what it knows now; JSON has no tuples."""
    found = {field.name: values[field.name] for field in fields(noun) if field.name in values}
    return noun(**{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()})
