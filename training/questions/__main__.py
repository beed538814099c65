"""python -m training.questions DATA: train the question reader on DATA/evidence and our own claims.

It begins with the weights of the carried claim reader, which has learned to read a text with a claim in many languages. Training
goes on for --minutes and saves into --work; write another number into WORK/minutes to change it while it runs. `--go-on` continues
from WORK/model.pt. `python -m training.entailment.export WORK/model.pt --out FILE` writes it as int8 ONNX.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from torch.nn import functional as F

from highlighter.embedding.bundled_model import MULTILINGUAL
from highlighter.embedding.vocabulary import open_vocabulary
from highlighter.evidence.judged_passages import read_datasets
from highlighter.grounding.entailment import MODEL_FILE
from training.entailment.__main__ import LEARNING_RATE, group_parameters
from training.entailment.export import read_exported
from training.entailment.judged_pairs import LESSONS_FOLDER, read_lessons
from training.entailment.model import ClaimReader
from training.questions.examples import Example, build_tensors, draw_batches, select_passages
from training.timed_loop import train_for_minutes

WARM_UP_STEPS, FINAL_SHARE, TOKENS_PER_BATCH = 100, 0.6, 6144


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


def compute_loss(verdicts, sentences, batch):
    """Return the loss: of each sentence against "none", and of all of them and "none" against each other."""
    gold, weight = batch["gold"], batch["weight"]
    none = verdicts[:, 1] - verdicts[:, 0]
    positive, negative, is_sentence = gold > 0, gold == 0, gold >= 0
    losses = F.binary_cross_entropy_with_logits(sentences - none.unsqueeze(1), gold.clamp(min=0), reduction="none")
    of_sentences = _mean(losses, positive) + _mean(losses, negative)
    everything = torch.cat([none.unsqueeze(1), sentences.masked_fill(~is_sentence, -1e4)], 1).log_softmax(1)
    target = torch.cat([(~positive.any(1)).float().unsqueeze(1), positive.float()], 1)
    of_best = -(everything * target).sum(1) / target.sum(1)
    return ((of_sentences + of_best) * weight).sum() / weight.sum()


def _mean(values, where):
    return (values * where).sum(1) / where.sum(1).clamp(min=1)


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
        list(read_datasets(options.data / "evidence" / "train")), list(read_lessons(LESSONS_FOLDER)), rng
    )
    print(len(passages), "passages and claims", flush=True)
    batches = draw_batches(passages, vocabulary.tokenizer, TOKENS_PER_BATCH, rng)
    optimizer = torch.optim.AdamW(group_parameters(model, 12, options.rate), weight_decay=0.01, fused=True)

    def compute_batch_loss(batch: Sequence[Example]) -> torch.Tensor:
        tensors = build_tensors(batch)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            embedded = torch.from_numpy(vocabulary.look_up(tensors["ids"].numpy()))
            verdicts, sentences = model(embedded, tensors["owners"])
        return compute_loss(verdicts.float(), sentences.float(), tensors)

    def compute_rate(step: int, done: float) -> float:
        return min((step + 1) / WARM_UP_STEPS, (1 - done) / FINAL_SHARE, 1)

    train_for_minutes(model, optimizer, batches, compute_batch_loss, compute_rate, options.work, options.minutes)


if __name__ == "__main__":
    sys.exit(main())
