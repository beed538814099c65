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


def _mean(values: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
    return (values * where).sum(1) / where.sum(1).clamp(min=1)
