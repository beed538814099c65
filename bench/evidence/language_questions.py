"""Questions in one language about documents in another: is the document found, and is the right sentence highlighted?

The documents and the questions are written by hand: bench/evidence/languages. Weights were chosen by trials.tsv, which also has
questions that nothing answers; questions.tsv measures them.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from highlighter.answering.request import QuestionRequest
from highlighter.models import READABLE, Evidence
from highlighter.services import Services
from highlighter.settings import Settings

MAX_RANK = 3  # readers look at the first hits
QUESTIONS_NAME, TRIALS_NAME = "questions.tsv", "trials.tsv"
NO_ANSWER = "-"  # in place of the words of the sentence
LANGUAGES_FOLDER = Path(__file__).parent / "languages"


@dataclass(frozen=True, slots=True)
class LanguageQuestion:
    """A question, and the words by which the sentence that answers it is known."""

    asked_in: str
    document: str  # the name of its file without the extension, which ends with its language
    question: str
    answer_words: str


@dataclass(frozen=True, slots=True)
class LanguageOutcome:
    """What a question finds."""

    question: LanguageQuestion
    rank: int  # of the right document among the hits, from 1; 0 where it is not listed
    is_highlighted: bool  # the right sentence, in its document
    is_best: bool  # no other sentence of the document has a higher score
    others_highlighted: int
    is_cited: bool  # by the answer that quotes without a language model
    score: float = 0.0  # of the right sentence

    @property
    def is_right(self) -> bool:
        return 0 < self.rank <= MAX_RANK and self.is_highlighted


def read_questions(name: str = QUESTIONS_NAME) -> list[LanguageQuestion]:
    with (LANGUAGES_FOLDER / name).open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [LanguageQuestion(*row) for row in rows][1:]


def ingest_documents(services: Services, names: Sequence[str]) -> None:
    """Ingest the documents of these names into the library."""
    for name in names:
        document = services.ingest_queue.ingest_file(LANGUAGES_FOLDER / f"{name}.txt")
        assert document.state in READABLE, document.reason
    services.index.sync()


def measure_questions(services: Services, questions: Sequence[LanguageQuestion]) -> Iterator[LanguageOutcome]:
    """Ask each question of the whole library, as the search page, the viewer and the ask page do."""
    for question in questions:
        hits = services.search.find(question.question).hits
        answer = services.answer_pipeline.answer(QuestionRequest(question.question))
        is_cited = any(question.answer_words in citation.quote for citation in answer.citations)
        names = [hit.document.name for hit in hits]
        rank = names.index(f"{question.document}.txt") + 1 if f"{question.document}.txt" in names else 0
        if not rank:
            yield LanguageOutcome(question, 0, False, False, 0, is_cited)
            continue
        evidence = services.passage_highlighter.highlight_chunk(question.question, hits[rank - 1].chunk)
        yield _judge_evidence(question, rank, evidence, is_cited)


def print_questions_across_languages() -> None:
    """Print what each question finds, and how many find the right sentence, in a library of their documents alone."""
    questions = read_questions()
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        services = Services(Settings(data_dir=Path(folder)))
        ingest_documents(services, sorted({question.document for question in questions}))
        outcomes = list(measure_questions(services, questions))
        trials = read_questions(TRIALS_NAME)
        trial_outcomes = list(
            measure_questions(services, [trial for trial in trials if trial.answer_words != NO_ANSWER])
        )
        unanswered = [trial for trial in trials if trial.answer_words == NO_ANSWER]
        highlighted = sum(_is_own_document_highlighted(services, trial) for trial in unanswered)
        services.close()
    print("\nQuestions across languages: rank of the document, score of the right sentence, where it is not found\n")
    print("| question | document | rank | score | best | cited |\n|---|---|---|---|---|---|")
    for outcome in outcomes:
        question = outcome.question
        marks = ["yes" if mark else "-" for mark in (outcome.is_best, outcome.is_cited)]
        if not outcome.is_right:
            print(
                f"| {question.question} | {question.document} | {outcome.rank or '-'} | {outcome.score:.2f} | "
                f"{' | '.join(marks)} |"
            )
    print(
        f"\n{sum(o.is_right for o in outcomes)} of {len(outcomes)} find the document in the first {MAX_RANK} hits and "
        f"highlight its right sentence (document first: {sum(o.rank == 1 for o in outcomes)}, right sentence best: "
        f"{sum(o.is_best for o in outcomes)}, right sentence cited: {sum(o.is_cited for o in outcomes)}); "
        f"{sum(o.others_highlighted for o in outcomes)} other sentences of these documents are highlighted\n\n"
        f"Of the trials, {sum(o.is_right for o in trial_outcomes)} of {len(trial_outcomes)} find theirs, and "
        f"{highlighted} of {len(unanswered)} that nothing answers get a highlight in the document that they are about\n"
    )


def _is_own_document_highlighted(services: Services, trial: LanguageQuestion) -> bool:
    hits = services.search.find(trial.question, min_score=0.0).hits
    chunks = [hit.chunk for hit in hits if hit.document.name == f"{trial.document}.txt"]
    return any(
        scored.highlighted
        for chunk in chunks
        for scored in services.passage_highlighter.highlight_chunk(trial.question, chunk).sentences
    )


def _judge_evidence(question: LanguageQuestion, rank: int, evidence: Evidence, is_cited: bool) -> LanguageOutcome:
    right = next((scored for scored in evidence.sentences if question.answer_words in scored.sentence.text), None)
    best = max(evidence.sentences, key=lambda scored: scored.score)
    return LanguageOutcome(
        question,
        rank,
        right is not None and right.highlighted,
        right is best,
        sum(scored.highlighted for scored in evidence.sentences if scored is not right),
        is_cited,
        right.score if right else 0.0,
    )
