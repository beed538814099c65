"""Does the built-in answerer cite the right sentence? On the samples' questions, and on judged passages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from bench.table import Row
from highlighter.answering.answer import Answer
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.evidence.judged_passages import JudgedPassage, read_dataset
from highlighter.services import Services
from highlighter.settings import Settings

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
OF_EACH = 150


def rows(folder: Path, data: Path) -> list[Row]:
    services = Services(Settings(data_dir=folder / "cited"))
    services.embedder.load()
    try:
        return [_samples(services), *_judged(services, data / "evidence" / "dev")]
    finally:
        services.close()


def _samples(services: Services) -> Row:
    for path in sorted(SAMPLES.iterdir()):
        if path.suffix in (".pdf", ".docx", ".txt"):
            services.ingest_queue.ingest_file(path)
    services.index.sync()
    listing = json.loads((SAMPLES / "making" / "questions.json").read_text(encoding="utf-8"))
    first = cited = asked = sentences = 0
    for item in (item for entry in listing for item in entry["questions"]):
        answer = services.answer_pipeline.answer(QuestionRequest(item["question"]))
        quotes = [" ".join(one.quote.split()) for one in answer.citations]
        wanted = " ".join(item["answer"].split())
        asked, sentences = asked + 1, sentences + len(quotes)
        first += quotes[:1] == [wanted]
        cited += wanted in quotes
    more = f"cited first {first} of {asked}; {sentences / asked:.1f} sentences an answer"
    return Row("the samples' questions, of all documents: the sentence cited", f"{cited} of {asked}", more, "-", "-")


def _judged(services: Services, folder: Path) -> Iterator[Row]:
    for path in sorted(folder.glob("*.jsonl.gz")):
        judged = [one for one in read_dataset(path) if one.sentences and one.question.strip()]
        judged = judged[:: max(len(judged) // OF_EACH, 1)][:OF_EACH]
        answers = [services.answer_pipeline.answer(_ask(one)) for one in judged]
        name = f"{path.name.removesuffix('.jsonl.gz')}, {len(judged)} passages"
        if not any(any(one.gold) for one in judged):
            refused = sum(answer.refused for answer in answers)
            yield Row(f"{name} without evidence: refused", f"{refused / len(judged):.0%}", "-", "-", "-")
            continue
        kept = [(one, answer) for one, answer in zip(judged, answers, strict=True) if any(one.gold)]
        first = sum(_right(one, answer)[:1] == [True] for one, answer in kept) / len(kept)
        cited = sum(any(_right(one, answer)) for one, answer in kept) / len(kept)
        silent = sum(answer.refused for _, answer in kept) / len(kept)
        yield Row(
            f"{name}: a right sentence cited", f"{cited:.0%}", f"first {first:.0%}, refused {silent:.0%}", "-", "-"
        )


def _ask(one: JudgedPassage) -> QuestionRequest:
    return QuestionRequest(one.question[:4000], sources=(CallerSource("\n".join(one.sentences)),))


def _right(one: JudgedPassage, answer: Answer) -> list[bool]:
    """Of each citation, whether it is (of) a sentence that people marked."""
    gold = [text for text, marked in zip(one.sentences, one.gold, strict=True) if marked]
    return [any(citation.quote in text or text in citation.quote for text in gold) for citation in answer.citations]
