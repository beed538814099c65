"""The loss that the joint model and the question reader share: which sentences of a passage answer, if any does."""

from __future__ import annotations

import torch
from torch.nn import functional as F


def compute_sentence_losses(none: torch.Tensor, sentences: torch.Tensor, gold: torch.Tensor) -> torch.Tensor:
    """Return a loss for each passage: of each sentence against "none", and of all of them and "none" against each other.

    `gold` is 1 for sentences that answer, 0 for others, and -1 where there is no sentence.
    """
    positive, negative = gold > 0, gold == 0
    margins = sentences - none.unsqueeze(1)
    losses = F.binary_cross_entropy_with_logits(margins, gold.clamp(min=0), reduction="none")
    of_sentences = _mean(losses, positive) + _mean(losses, negative)
    everything = torch.cat([none.unsqueeze(1), sentences.masked_fill(gold < 0, -1e4)], 1).log_softmax(1)
    target = torch.cat([(~positive.any(1)).float().unsqueeze(1), positive.float()], 1)
    of_best = -(everything * target).sum(1) / target.sum(1)
    return of_sentences + of_best


def compute_question_loss(verdicts, sentences, batch):
    """Return the question reader's loss, in which the verdict's margin of neutral over entailed stands for "none"."""
    losses, weight = compute_sentence_losses(verdicts[:, 1] - verdicts[:, 0], sentences, batch["gold"]), batch["weight"]
    return (losses * weight).sum() / weight.sum()


def compute_joint_loss(out, batch) -> torch.Tensor:
    """Return the joint model's loss: of the sentences, and of the tokens inside the annotators' own range."""
    none, sentences, pieces = out
    gold, weight = batch["gold"], batch["weight"]
    # The tokens of the annotators' own range, where they marked one.
    outside = batch["owners"] < 0
    has_answer = batch["answer"].any(1)
    spread = pieces.float().masked_fill(outside, -1e4)
    inside = spread.masked_fill(~batch["answer"], -1e4)
    token_loss = torch.where(has_answer, spread.logsumexp(1) - inside.logsumexp(1), 0.0)
    return ((compute_sentence_losses(none, sentences, gold) + 0.5 * token_loss) * weight).sum() / weight.sum()


def _mean(values: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
    return (values * where).sum(1) / where.sum(1).clamp(min=1)
