"""python -m training.on_gpu.prepare DATA --out FOLDER: write what a training on a GPU reads, some 40 MB.

claims.npz and questions.npz hold the examples of DATA/entailment, evidence and grounding and of our own lessons, split into pieces,
with the pieces' vectors, joint.npz those of the joint model; start.npz and joint_start.npz the weights to begin with. Our own lessons that are only measured are marked so.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from highlighter.embedding.bundled_model import MULTILINGUAL
from highlighter.embedding.vocabulary import open_vocabulary
from highlighter.evidence.joint_model import MODEL_FOLDER, JointTokenizer
from highlighter.evidence.judged_passages import JudgedPassage, read_datasets
from highlighter.evidence.question_reader import JOINT_LANGUAGES
from highlighter.grounding.entailment import MODEL_FILE
from highlighter.text.language import get_base_language
from training.cross_lingual.question_lessons import QuestionLesson, read_question_lessons
from training.entailment import examples as claim_examples
from training.entailment.__main__ import read_pairs
from training.entailment.export import read_exported
from training.entailment.judged_pairs import LABELS, LESSONS_FOLDER, JudgedPair, read_lessons
from training.example_selection import is_held_out, is_measured, weight_passages
from training.joint_graph import read_graph
from training.lesson_purposes import LEARNED, MEASURED
from training.on_gpu.__main__ import CLAIMS, JOINT, QUESTIONS, READERS
from training.on_gpu.joint_examples import JointExamples
from training.on_gpu.packed_state import save_packed
from training.on_gpu.prepared_examples import UNKNOWN, TextExample, prepare
from training.questions.examples import (
    LESSON_FOLDERS,
    MAX_QUESTION_TOKENS,
    MAX_SENTENCE_TOKENS,
    ask_by_claim,
    ask_by_lesson,
    is_read_jointly,
    select_passages,
    shorten_passage,
    weigh_lessons,
)
from training.questions.topics import ask_for_topics
from training.training_examples import TrainingExample, build_example

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SPECIAL = (claim_examples.BEGIN, claim_examples.PADDING, claim_examples.END)
MAX_EXAMPLE_TOKENS = 320
TOPIC_COUNT, TOPIC_WEIGHT = 15_000, 0.6


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training.on_gpu.prepare",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("data", type=Path, help="a folder with entailment/, evidence/ and grounding/")
    parser.add_argument("--out", type=Path, default=Path("build/on_gpu"))
    parser.add_argument("--only", choices=READERS, help="leave the other files as they are")
    parser.add_argument("--start", type=Path, default=MODEL_FILE, help="an exported reader to begin with")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    vocabulary = open_vocabulary(MULTILINGUAL)
    save_packed(read_exported(options.start), options.out / "start.npz")
    if options.only in (None, CLAIMS):
        limits = {"max_statement": claim_examples.MAX_CLAIM_TOKENS, "max_sentence": MAX_EXAMPLE_TOKENS}
        made = prepare(list_claims(options), vocabulary.tokenizer, vocabulary.table, special=SPECIAL, **limits)
        made.save(options.out / "claims.npz")
        print(len(made.labels), "claims,", len(made.packed), "pieces")
    if options.only in (None, QUESTIONS):
        limits = {"max_statement": MAX_QUESTION_TOKENS, "max_sentence": MAX_SENTENCE_TOKENS}
        questions = list_questions(options, vocabulary.tokenizer)
        made = prepare(questions, vocabulary.tokenizer, vocabulary.table, special=SPECIAL, **limits)
        made.save(options.out / "questions.npz")
        print(len(made.labels), "questions,", len(made.packed), "pieces")
    if options.only in (None, JOINT):
        state = {
            name: torch.from_numpy(value.copy()) for name, value in read_graph(MODEL_FOLDER / "joint.onnx").items()
        }
        save_packed(state, options.out / "joint_start.npz")
        of_joint = JointExamples.build(list_joint_examples(options))
        of_joint.save(options.out / "joint.npz")
        print(len(of_joint.weights), "examples of the joint model,", len(of_joint.ids), "tokens")
    return 0


def list_claims(options: argparse.Namespace) -> Iterator[TextExample]:
    for weight, pairs in read_pairs(options.data, LESSONS_FOLDER, options.seed).items():
        for pair in pairs:
            yield _describe_claim(pair, weight, measured=False)
    for pair in read_lessons(purpose=MEASURED):
        yield _describe_claim(pair, 0.0, measured=True)


def _describe_claim(pair: JudgedPair, weight: float, *, measured: bool) -> TextExample:
    carried = pair.carried_by
    marks = [UNKNOWN if carried is None else int(i in carried) for i in range(len(pair.sentences))]
    return TextExample(pair.claim, pair.sentences, marks, LABELS.index(pair.label), weight, 1.0, measured)


def list_questions(options: argparse.Namespace, tokenizer: Tokenizer) -> Iterator[TextExample]:
    rng = random.Random(options.seed)
    passages = list(read_datasets(options.data / "evidence" / "train"))
    learned = list(read_question_lessons(LEARNED, *LESSON_FOLDERS))
    drawn = Counter(select_passages(passages, list(read_lessons()), rng, learned))
    for (passage, weight), count in drawn.items():
        yield from _describe_question(passage, tokenizer, float(count), weight, measured=False)
    measured = [passage for passage in passages if is_measured(passage)]
    for lesson in read_question_lessons(MEASURED, *LESSON_FOLDERS):
        measured.append(ask_by_lesson(lesson))
    for passage in measured:
        yield from _describe_question(passage, tokenizer, 0.0, 1.0, measured=True)


def _describe_question(
    passage: JudgedPassage, tokenizer: Tokenizer, draw_weight: float, loss_weight: float, *, measured: bool
) -> Iterator[TextExample]:
    if (shortened := shorten_passage(passage, tokenizer, MAX_EXAMPLE_TOKENS)) is not None:
        read, _ = shortened
        yield TextExample(
            read.question, read.sentences, [int(g) for g in read.gold], 0, draw_weight, loss_weight, measured
        )


def list_joint_examples(options: argparse.Namespace) -> Iterator[tuple[TrainingExample, float, bool]]:
    """Yield examples of the joint model's languages, with how often they are drawn and whether they are only measured."""
    rng = random.Random(options.seed)
    passages = list(read_datasets(options.data / "evidence" / "train"))
    read = [passage for passage in passages if not is_held_out(passage) and not is_measured(passage)]
    weighted = Counter(weight_passages(read, rng))
    claims = [
        c for c in read_lessons() if c.language == c.claim_language and get_base_language(c.language) in JOINT_LANGUAGES
    ]
    for claim in claims:
        if passage := ask_by_claim(claim, claims, rng):
            weighted[passage, 1.0] += 1
    weighted.update(weigh_lessons(_list_lessons(LEARNED), rng))
    weighted.update((passage, TOPIC_WEIGHT) for passage in ask_for_topics(read, TOPIC_COUNT, rng))
    measured = [(p, 1.0) for p in passages if is_measured(p)]
    measured += [(ask_by_lesson(lesson), 1.0) for lesson in _list_lessons(MEASURED)]
    rows = [(*row, count, False) for row, count in weighted.items()] + [(*row, 0, True) for row in measured]
    tokenizer = JointTokenizer(MODEL_FOLDER / "tokenizer.json")
    for passage, weight, count, is_only_measured in rows:
        if (example := build_example(passage, tokenizer, weight)) is not None:
            yield example, float(count), is_only_measured


def _list_lessons(purpose: str) -> list[QuestionLesson]:
    return list(filter(is_read_jointly, read_question_lessons(purpose, *LESSON_FOLDERS)))


if __name__ == "__main__":
    sys.exit(main())
