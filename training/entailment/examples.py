"""Training examples: pairs chosen by weight, with other sentences around them, as batches of token ids."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from training.entailment.judged_pairs import CONTRADICTED, ENTAILED, LABELS, JudgedPair
from training.example_batches import batch_by_length, pad

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

MAX_TOKENS, MAX_CLAIM_TOKENS = 288, 64
BEGIN, PADDING, END = 0, 1, 2
# How often a pair of each set is drawn. Template sets teach what they can with little; captions presume one picture.
WEIGHTS = {
    "snli": 0.3, "snli_counterfactual": 0.6, "breaking_nli": 0.25, "monli": 0.4, "scone": 0.4, "help": 0.1,
    "conjnli": 0.15, "negation_rte": 0.8, "negation_mnli": 1, "negation_snli": 0.5, "protocols_base": 0.8,
    "protocols_contrast": 1.2, "protocols_edit_premise": 0.8, "protocols_edit_other": 0.8, "protocols_paragraph": 1.5,
    "mnli_matched": 2, "mnli_binary": 1.2, "fever_binary": 0.8, "fever_gold": 1.2, "fever_symmetric": 1,
    "fever_adversarial": 1.5, "vitaminc_real": 1.6, "vitaminc_synthetic": 0.6, "nli4ct": 0.6, "clcd_comparative": 0.15,
    "clcd_counting": 0.15, "clcd_boolean_coordination": 0.15, "clcd_simple_negation": 0.15, "clcd_quantifier": 0.2,
    "clcd_equality_and_definite_description": 0.15, "fragments_boolean": 0.15, "fragments_comparative": 0.2,
    "fragments_conditional": 0.2, "fragments_counting": 0.15, "fragments_negation": 0.2, "fragments_quantifier": 0.2,
    "tracie": 0.3, "entailment_tree": 1.2, "spatial": 0.2, "folio": 1, "begin": 1.2, "hans": 0.8,
}  # fmt: skip
LESSON_WEIGHT, JOINED_WEIGHT, QUOTED_WEIGHT, RESTATED_WEIGHT = 8.0, 2.5, 1.7, 3.3
SHORTENED_WEIGHT, WEB_WEIGHT, ALTERED_WEIGHT, PASSAGE_WEIGHT = 1.9, 6.0, 2.1, 0.45
UNRELATED_WEIGHT = 7.0
DISTRACTOR_SHARE, ONLY_CARRYING_SHARE = 0.3, 0.25


@dataclass(frozen=True, slots=True)
class Example:
    """The tokens of a pair with what the model must learn from them."""

    ids: np.ndarray
    owners: np.ndarray  # the position of each token's sentence; -1: the claim
    label: int
    carries: np.ndarray | None  # whether each sentence decides


def vary(pair: JudgedPair, others: Sequence[JudgedPair], rng: random.Random) -> JudgedPair:
    """Return the pair as the checker may meet it: with sentences of other texts, or with the deciding ones alone."""
    sentences, carried_by = list(pair.sentences), pair.carried_by
    if carried_by and pair.label in (ENTAILED, CONTRADICTED) and rng.random() < ONLY_CARRYING_SHARE:
        chosen = sorted(carried_by)
        return replace(pair, sentences=tuple(sentences[i] for i in chosen), carried_by=tuple(range(len(chosen))))
    if len(sentences) <= 2 and rng.random() < DISTRACTOR_SHARE:
        for _ in range(rng.choice((1, 1, 2))):
            place = rng.randint(0, len(sentences))
            sentences.insert(place, rng.choice(rng.choice(others).sentences))
            if carried_by is not None:
                carried_by = tuple(index + (index >= place) for index in carried_by)
    return replace(pair, sentences=tuple(sentences), carried_by=carried_by)


def build_example(pair: JudgedPair, tokenizer: Tokenizer) -> Example | None:
    """Return the example of a pair, or None if it is too long."""
    claim, *sentences = (
        encoding.ids for encoding in tokenizer.encode_batch([pair.claim, *pair.sentences], add_special_tokens=False)
    )
    ids, owners = [BEGIN, *claim[:MAX_CLAIM_TOKENS], END], [-1] * (min(len(claim), MAX_CLAIM_TOKENS) + 2)
    for position, sentence in enumerate(sentences):
        ids += [*sentence, END]
        owners += [position] * (len(sentence) + 1)
    if len(ids) > MAX_TOKENS:
        return None
    carries = None
    if pair.carried_by is not None:
        carries = np.isin(np.arange(len(sentences)), pair.carried_by).astype(np.float32)
    return Example(np.array(ids), np.array(owners), LABELS.index(pair.label), carries)


def draw_batches(
    pairs_by_weight: Mapping[float, Sequence[JudgedPair]], tokenizer: Tokenizer, tokens: int, rng: random.Random
) -> Iterator[list[Example]]:
    """Yield batches of about so many tokens, without end: in pools of similar length, so that little is padding."""
    weights = [weight * len(pairs) for weight, pairs in pairs_by_weight.items()]
    decks = [_deal(pairs, rng) for pairs in pairs_by_weight.values()]
    everything = list(pairs_by_weight.values())
    while True:
        pool = []
        for index in rng.choices(range(len(decks)), weights, k=1024):
            pair = vary(next(decks[index]), everything[index], rng)
            if (example := build_example(pair, tokenizer)) is not None:
                pool.append(example)
        batches = batch_by_length(pool, lambda example: len(example.ids), tokens)
        rng.shuffle(batches)
        yield from batches


def _deal(pairs: Sequence[JudgedPair], rng: random.Random) -> Iterator[JudgedPair]:
    while True:
        yield from rng.sample(pairs, len(pairs))


def build_tensors(batch: Sequence[Example]) -> dict[str, torch.Tensor]:
    """Return a batch as padded tensors. The sentences' labels are -1 where they are not known."""
    import torch

    width = max(len(example.ids) for example in batch)
    sentences = max(int(example.owners.max()) + 1 for example in batch)
    carries = [() if example.carries is None else example.carries for example in batch]
    return {
        "ids": pad([example.ids for example in batch], width, PADDING, torch.long),
        "owners": pad([example.owners for example in batch], width, -2, torch.long),
        "carries": pad(carries, max(sentences, 1), -1.0, torch.float),
        "labels": torch.tensor([example.label for example in batch]),
    }
