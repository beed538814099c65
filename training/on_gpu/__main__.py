"""python -m training.on_gpu FOLDER --reader claims|questions|joint: train a model on the prepared files of FOLDER, on a GPU if there is one.

It reads FOLDER/start.npz and FOLDER/claims.npz or questions.npz (the joint model: FOLDER/joint_start.npz and joint.npz), trains for
--minutes, prints how it does on measured examples, and writes the mean of its last weights as int8 into --out.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from highlighter.embedding.vocabulary import EmbeddingTable
from training.entailment.model import ClaimReader, compute_loss
from training.layer_rates import compute_layer_rate
from training.model import JointModel
from training.on_gpu.joint_examples import JointBatches, JointExamples
from training.on_gpu.packed_state import load_packed, save_packed
from training.on_gpu.prepared_batches import DrawnBatches
from training.on_gpu.prepared_examples import PreparedExamples
from training.sentence_loss import compute_joint_loss, compute_question_loss

CLAIMS, QUESTIONS, JOINT = READERS = "claims", "questions", "joint"
HEAD_RATIO, LAYER_DECAY, WARM_UP_SHARE, MEAN_DECAY = 3.0, 0.9, 0.04, 0.999
DROPOUT = 0.1
SECONDS_PER_REPORT = 15


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training.on_gpu", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reader", choices=READERS, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=7)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--tokens", type=int, default=32768, help="tokens of a batch")
    parser.add_argument("--max-tokens", type=int, default=320, help="tokens of an example")
    parser.add_argument("--workers", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    train(parser.parse_args())
    return 0


def train(options: argparse.Namespace) -> None:
    started = time.time()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    training = (prepare_joint if options.reader == JOINT else prepare_reader)(options, device)
    loader = DataLoader(
        training.batches, batch_size=None, num_workers=options.workers, pin_memory=device == "cuda",
        prefetch_factor=8 if options.workers else None,
    )  # fmt: skip
    model = training.model
    mean = deepcopy(model).eval()
    optimizer = torch.optim.AdamW(group_parameters(model, options.rate), weight_decay=0.01, fused=True)
    print(f"{options.reader}: ready after {time.time() - started:.0f} s", flush=True)
    measure(training, mean)
    run_steps(training, mean, optimizer, loader, options.minutes)
    measure(training, model.eval())
    measure(training, mean)
    save_packed({name: value for name, value in mean.state_dict().items() if "position_ids" not in name}, options.out)


@dataclass(frozen=True, slots=True)
class Training:
    """A model with its batches, its loss, and how its outputs are read: logits of "none" (of claims: three), and of sentences."""

    model: nn.Module
    batches: DrawnBatches | JointBatches
    read: Callable[[nn.Module, dict[str, torch.Tensor]], tuple]
    compute_loss: Callable[[tuple, dict[str, torch.Tensor]], torch.Tensor]
    judges_claims: bool
    device: str


def prepare_reader(options: argparse.Namespace, device: str) -> Training:
    prepared = PreparedExamples.load(options.folder / f"{options.reader}.npz")
    model = ClaimReader(attention="sdpa", dropout=DROPOUT)
    model.load_state_dict(load_packed(options.folder / "start.npz"), strict=False)
    vectors = unpack_vectors(prepared).to(device, torch.bfloat16)
    judges_claims = options.reader == CLAIMS
    batches = DrawnBatches(prepared, options.max_tokens, options.tokens, varies=judges_claims, seed=options.seed)

    def read(model: nn.Module, tensors: dict[str, torch.Tensor]) -> tuple:
        verdicts, sentences = model(vectors[tensors["ids"]], tensors["owners"], tensors["gold"].shape[1])
        return verdicts.float(), sentences.float()

    def compute(out: tuple, tensors: dict[str, torch.Tensor]) -> torch.Tensor:
        return (compute_loss if judges_claims else compute_question_loss)(*out, tensors)

    return Training(model.to(device), batches, read, compute, judges_claims, device)


def prepare_joint(options: argparse.Namespace, device: str) -> Training:
    state = load_packed(options.folder / "joint_start.npz")
    model = JointModel(len(state["body.embeddings.word_embeddings.weight"]), dropout=DROPOUT, original=False)
    model.load_state_dict(state, strict=False)
    batches = JointBatches(JointExamples.load(options.folder / "joint.npz"), options.tokens, options.seed)

    def read(model: nn.Module, tensors: dict[str, torch.Tensor]) -> tuple:
        none, sentences, pieces = model(tensors["ids"], tensors["kinds"], tensors["owners"], tensors["gold"].shape[1])
        return none.float(), sentences.float(), pieces

    return Training(model.to(device), batches, read, compute_joint_loss, False, device)


def run_steps(
    training: Training, mean: nn.Module, optimizer: torch.optim.Optimizer, loader: DataLoader, minutes: float
) -> None:
    """Train for some minutes: the rate rises, then falls as a cosine; `mean` follows the weights."""
    model = training.model.train()
    start = reported = time.time()
    seen = tokens = 0
    losses: list[torch.Tensor] = []
    trained = [p for p in model.parameters() if p.requires_grad]
    followers = [m for m, p in zip(mean.parameters(), model.parameters(), strict=True) if p.requires_grad]
    for step, batch in enumerate(loader):
        done = (time.time() - start) / 60 / minutes
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = group["top"] * min(done / WARM_UP_SHARE, 0.5 + 0.5 * math.cos(math.pi * done))
        tensors = {name: tensor.to(training.device, non_blocking=True) for name, tensor in batch.items()}
        loss = training.compute_loss(read_batch(training, model, tensors), tensors)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        decay = min(MEAN_DECAY, (step + 1) / (step + 10))
        with torch.no_grad():
            torch._foreach_lerp_(followers, [p.detach() for p in trained], 1 - decay)
        losses.append(loss.detach())
        seen, tokens = seen + len(batch["weight"]), tokens + batch["ids"].numel()
        if time.time() - reported > SECONDS_PER_REPORT:
            mean_loss, reported = torch.stack(losses).mean().item(), time.time()
            rate = tokens / (reported - start)
            print(f"{done:6.1%} step {step} examples {seen} tokens/s {rate:.0f} loss {mean_loss:.4f}", flush=True)
            losses.clear()


def read_batch(training: Training, model: nn.Module, tensors: dict[str, torch.Tensor]) -> tuple:
    """Return what a model says of a batch, computed with half the precision where that is enough."""
    with torch.autocast(training.device, dtype=torch.bfloat16):
        return training.read(model, tensors)


def unpack_vectors(prepared: PreparedExamples) -> torch.Tensor:
    """Return the vectors of all pieces."""
    table = EmbeddingTable(prepared.packed, prepared.scales)
    return torch.from_numpy(table.look_up(np.arange(len(prepared.packed))))


def group_parameters(model: nn.Module, rate: float) -> list[dict]:
    """Return all parameters, each layer's with a lower rate than that of the layer above it."""
    layers = len(model.body.encoder.layer)
    groups = []
    for name, parameter in model.named_parameters():
        if name.startswith(("verdict", "carries", "head", "answer", "none", "peak")):
            top = rate * HEAD_RATIO
        else:
            top = compute_layer_rate(name, layers, rate, LAYER_DECAY)
        groups.append({"params": [parameter], "top": top, "weight_decay": 0.01 if parameter.ndim > 1 else 0.0})
    return groups


@torch.no_grad()
def measure(training: Training, model: nn.Module) -> None:
    """Print how well a model tells true claims from others, or finds the sentences that answer."""
    entailed, truth, first_right, best, answerable = [], [], [], [], []
    for rows, batch in training.batches.read_measured():
        tensors = {name: tensor.to(training.device) for name, tensor in batch.items()}
        none, sentences, *_ = (tensor.float().cpu() for tensor in read_batch(training, model, tensors))
        if training.judges_claims:
            entailed += none.softmax(1)[:, 0].tolist()
            truth += (batch["labels"] == 0).tolist()
            continue
        gold = batch["gold"]
        none = none[:, 1] - none[:, 0] if none.ndim == 2 else none
        margins = (sentences - none.unsqueeze(1)).masked_fill(gold < 0, -99)
        for i in range(len(rows)):
            answers = bool((gold[i] > 0).any())
            best.append(margins[i].max().item())
            answerable.append(answers)
            if answers:
                first_right.append(gold[i, margins[i].argmax()].item())
    if training.judges_claims:
        print(f"measured: {len(truth)} claims, AUC {compute_auc(entailed, truth):.4f}", flush=True)
        return
    without = np.array(best)[~np.array(answerable)]
    print(
        f"measured: {len(best)} questions, P@1 {np.mean(first_right):.4f}, AUC of answerable "
        f"{compute_auc(best, answerable):.4f}, of {len(without)} without answer {np.mean(without > 0):.3f} above none, "
        f"of the others {np.mean(np.array(best)[np.array(answerable)] > 0):.3f}",
        flush=True,
    )


def compute_auc(scores, truth) -> float:
    scores, truth = np.array(scores), np.array(truth, bool)
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores, kind="stable")] = np.arange(1, len(scores) + 1)
    positive, negative = truth.sum(), (~truth).sum()
    return float((ranks[truth].sum() - positive * (positive + 1) / 2) / (positive * negative))


if __name__ == "__main__":
    sys.exit(main())
