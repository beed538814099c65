"""python -m training.questions DATA: train the question reader on DATA/evidence and our own claims and questions.

It begins with the weights of the carried claim reader, which has learned to read a text with a claim in many languages. Training
goes on for --minutes and saves into --work; write another number into WORK/minutes to change it while it runs. `--go-on` continues
from WORK/model.pt. `python -m training.entailment.export WORK/model.pt --out FILE` writes it as int8 ONNX.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import torch

from highlighter.embedding.bundled_model import MULTILINGUAL
from highlighter.embedding.vocabulary import open_vocabulary
from highlighter.evidence.judged_passages import read_datasets
from highlighter.grounding.entailment import MODEL_FILE
from training.cross_lingual.question_lessons import read_question_lessons
from training.entailment.export import read_exported
from training.entailment.judged_pairs import LESSONS_FOLDER, read_lessons
from training.entailment.model import ClaimReader
from training.lesson_purposes import LEARNED
from training.questions.examples import LESSON_FOLDERS, build_tensors, draw_batches, select_passages
from training.reader_training import LEARNING_RATE, TOKENS_PER_BATCH, Schedule, train_reader
from training.sentence_loss import compute_question_loss

SCHEDULE = Schedule(warm_up_steps=100, final_share=0.6)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training.questions", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="a folder with evidence/")
    parser.add_argument("--work", type=Path, default=Path("build/questions"), help="where unfinished files are stored")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--rate", type=float, default=LEARNING_RATE, help="learning rate of the last layer")
    parser.add_argument("--go-on", action="store_true", help="continue from the model.pt in the work folder")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    train(options)
    return 0


def train(options: argparse.Namespace) -> None:
    vocabulary = open_vocabulary(MULTILINGUAL)
    model = ClaimReader(attention="sdpa")
    if options.go_on:
        model.load_state_dict(torch.load(options.work / "model.pt", weights_only=True))
    else:
        model.load_state_dict(read_exported(MODEL_FILE), strict=False)
    model.roles.weight.requires_grad_(False)  # else the frozen layers below would have to be gone through again
    rng = random.Random(options.seed)
    passages = select_passages(
        list(read_datasets(options.data / "evidence" / "train")),
        list(read_lessons(LESSONS_FOLDER)),
        rng,
        list(read_question_lessons(LEARNED, *LESSON_FOLDERS)),
    )
    print(len(passages), "passages and claims", flush=True)
    batches = draw_batches(passages, vocabulary.tokenizer, TOKENS_PER_BATCH, rng)
    train_reader(model, vocabulary, batches, build_tensors, compute_question_loss, SCHEDULE, options)


if __name__ == "__main__":
    sys.exit(main())
