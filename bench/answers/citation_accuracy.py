"""Whether the built-in answerer cites the right sentence: on the samples' questions, and on judged passages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from bench.table import Row
from highlighter.answering.answer import Answer
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.evidence.judged_passages import JudgedPassage, read_dataset
from highlighter.models import Citation
from highlighter.services import Services
from highlighter.settings import Settings

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
MAX_PASSAGES_PER_DATASET = 150


def rows(folder: Path, data: Path) -> list[Row]:
    services = Services(Settings(data_dir=folder / "cited"))
    services.embedder.load()
    try:
        return [_measure_samples(services), *_measure_datasets(services, data / "evidence" / "dev")]
    finally:
        services.close()


def _measure_samples(services: Services) -> Row:
    for path in sorted(SAMPLES.iterdir()):
        if path.suffix in (".pdf", ".docx", ".txt"):
            services.ingest_queue.ingest_file(path)
    services.index.sync()
    listing = json.loads((SAMPLES / "making" / "questions.json").read_text(encoding="utf-8"))
    first_right = any_right = question_count = quote_count = 0
    for item in (item for entry in listing for item in entry["questions"]):
        answer = services.answer_pipeline.answer(QuestionRequest(item["question"]))
        quotes = [" ".join(citation.quote.split()) for citation in _list_answering_citations(answer)]
        expected = " ".join(item["answer"].split())
        question_count, quote_count = question_count + 1, quote_count + len(quotes)
        first_right += quotes[:1] == [expected]
        any_right += expected in quotes
    details = f"cited first {first_right} of {question_count}; {quote_count / question_count:.1f} sentences an answer"
    return Row(
        "the samples' questions, of all documents: the sentence cited",
        f"{any_right} of {question_count}",
        details,
        "-",
        "-",
    )


def _measure_datasets(services: Services, folder: Path) -> Iterator[Row]:
    for path in sorted(folder.glob("*.jsonl.gz")):
        passages = [passage for passage in read_dataset(path) if passage.sentences and passage.question.strip()]
        passages = passages[:: max(len(passages) // MAX_PASSAGES_PER_DATASET, 1)][:MAX_PASSAGES_PER_DATASET]
        answers = [services.answer_pipeline.answer(_build_request(passage)) for passage in passages]
        name = f"{path.name.removesuffix('.jsonl.gz')}, {len(passages)} passages"
        if not any(any(passage.gold) for passage in passages):
            refused = sum(answer.refused for answer in answers)
            yield Row(f"{name} without evidence: refused", f"{refused / len(passages):.0%}", "-", "-", "-")
            continue
        answered_passages = [
            (passage, answer) for passage, answer in zip(passages, answers, strict=True) if any(passage.gold)
        ]
        first_right = sum(
            _judge_citations(passage, answer)[:1] == [True] for passage, answer in answered_passages
        ) / len(answered_passages)
        any_right = sum(any(_judge_citations(passage, answer)) for passage, answer in answered_passages) / len(
            answered_passages
        )
        refused_share = sum(answer.refused for _, answer in answered_passages) / len(answered_passages)
        yield Row(
            f"{name}: a right sentence cited",
            f"{any_right:.0%}",
            f"first {first_right:.0%}, refused {refused_share:.0%}",
            "-",
            "-",
        )


def _build_request(passage: JudgedPassage) -> QuestionRequest:
    return QuestionRequest(passage.question[:4000], sources=(CallerSource("\n".join(passage.sentences)),))


def _judge_citations(passage: JudgedPassage, answer: Answer) -> list[bool]:
    """Return for each citation whether it is part of a gold sentence, or contains one."""
    gold = [text for text, marked in zip(passage.sentences, passage.gold, strict=True) if marked]
    return [
        any(citation.quote in text or text in citation.quote for text in gold)
        for citation in _list_answering_citations(answer)
    ]


def _list_answering_citations(answer: Answer) -> tuple[Citation, ...]:
    """Return the citations of an answer; none of a refusal, which cites only what comes closest."""
    return () if answer.refused else answer.citations
