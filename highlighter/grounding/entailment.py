"""The entailment model: it reads a claim and the sentences that could carry it, and tells whether they say it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from highlighter.cpu_budget import check_cpu
from highlighter.embedding.text_reader import MAX_TOKENS, TextReader
from highlighter.errors import Unavailable
from highlighter.grounding.quantities import find_item_number
from highlighter.locale import N_, join_messages
from highlighter.rounding import round_for_comparison
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.terms import is_cjk

MODEL_FILE = Path(__file__).parent / "model" / "entailment.onnx"
MODEL_SHA256 = "5ec51f248cb7904606f19941c5720258c13ea1fde852c2bc881a27acbd9c2280"
# A false tick is worse than a missing one: by so much less likely, in logits, is a claim said to be entailed.
CAUTION = 0.7
# Fewer words are no clause that says something; what may follow it without a bearing on it.
MIN_CLAUSE_WORDS = 4
_NEXT_CLAUSE = compile_later(r",\s(?:and|und|y|e)\s(?=\S+\s\S+\s\S)|,(?=(?:并|而且|同时))|;\s?")
# A probability nearer to 0 or 1 counts as this one in a mean of logits.
MIN_LOGIT_PROBABILITY = 1e-6
# From this probability on, a claim is supported.
MIN_SUPPORTED_SCORE = 0.5
# From this probability on the model reads a contradiction.
MIN_CONTRADICTED_PROBABILITY = 0.9
# A sentence decides from this probability on; the one that decides most always does.
MIN_DECIDING_PROBABILITY = 0.3


@dataclass(frozen=True, slots=True)
class Entailment:
    """What the model says of a claim and sentences, as probabilities."""

    entailed: float  # lowered by CAUTION
    contradicted: float
    deciding: tuple[float, ...]  # of each sentence that was read: the probability that it decides


NOTHING_READ = Entailment(0.0, 0.0, ())


def combine_readings(together: Entailment, alone: Entailment) -> Entailment:
    """Return what two readings of a claim say: as likely entailed as the mean of their logits, and contradicted if both say so."""
    logits = [_compute_logit(reading.entailed) for reading in (together, alone)]
    entailed = float(round_for_comparison(1 / (1 + math.exp(-sum(logits) / 2))))
    return replace(together, entailed=entailed, contradicted=min(together.contradicted, alone.contradicted))


def _compute_logit(probability: float) -> float:
    probability = min(max(probability, MIN_LOGIT_PROBABILITY), 1 - MIN_LOGIT_PROBABILITY)
    return math.log(probability / (1 - probability))


def find_quoted(claim: str, sentences: Sequence[str]) -> Entailment | None:
    """Return that a claim is entailed which is one of the sentences, word for word, or its first clause: that needs no model.

    The number of a sentence's clause is no part of what it says. Whether the rest restricts it is for others to find.
    """
    words = normalise_spelling(claim)
    deciding = tuple(
        float(
            any(
                _equals_or_begins_with(normalise_spelling(text), words)
                for text in (sentence, sentence[find_item_number(sentence) :])
            )
        )
        for sentence in sentences
    )
    return Entailment(1.0, 0.0, deciding) if words and any(deciding) else None


def _equals_or_begins_with(sentence: str, words: str) -> bool:
    """Return whether a sentence is these words, or begins with them as a clause to which it adds another: ", and ...", "; ..."."""
    if sentence == words:
        return True
    is_clause = len(words.split()) >= MIN_CLAUSE_WORDS or sum(map(is_cjk, words)) >= 2 * MIN_CLAUSE_WORDS
    return is_clause and sentence.startswith(words) and _NEXT_CLAUSE.match(sentence, len(words)) is not None


def _softmax(logits: np.ndarray) -> np.ndarray:
    shares = np.exp(logits - logits.max())
    return round_for_comparison(shares / shares.sum())


def normalise_spelling(text: str) -> str:
    """Return a text without differences in case, spaces and its last full stop."""
    return " ".join(fold(text).split()).rstrip(".。!！")


class EntailmentModel:
    """The model and the multilingual encoder's vocabulary, loaded on first use."""

    def __init__(self, path: Path = MODEL_FILE):
        self.path = path
        self._reader = TextReader(path)

    def read(self, claim: str, sentences: Sequence[str]) -> Entailment:
        """Return whether the sentences say the claim. Sentences beyond the model's length are left out."""
        check_cpu()
        try:
            self._reader.load()
        except Exception as err:
            raise Unavailable(join_messages([N_("The model that reads claims cannot be loaded:"), str(err)])) from err
        claim_ids, sentence_ids = self._reader.tokenize(claim, sentences)
        lengths = np.cumsum([len(claim_ids) + 2, *(len(ids) + 1 for ids in sentence_ids)])
        read_count = int(np.searchsorted(lengths, MAX_TOKENS, side="right")) - 1
        verdict, deciding = self._reader.run(claim_ids, sentence_ids[:read_count])
        cautious = _softmax(verdict - np.array((CAUTION, 0.0, 0.0), np.float32))
        contradicted = float(_softmax(verdict)[2])
        probabilities = round_for_comparison(1 / (1 + np.exp(-deciding.astype(np.float64))))
        return Entailment(float(cautious[0]), contradicted, tuple(map(float, probabilities)))
