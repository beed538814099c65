"""Which sentences of a passage answer a question: the one seam that viewer, API and command line all go through."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

import numpy as np

from highlighter.evidence.words import bm25
from highlighter.models import Evidence, Scored, Sentence

# Untrained: how sharply similarity and words part the passage's best sentence from the rest. Raising SIMILARITY trusts
# the embedder more, raising WORDS the exact words (which carry Chinese, where MiniLM is weak).
SIMILARITY, WORDS = 10.0, 0.5

# A passage whose best sentence is no stronger than FLOOR (its cosine, and a little for its words) lights nothing.
FLOOR, WORDS_IN_FLOOR = 0.3, 0.04

Score = Callable[[str, Sequence[str], np.ndarray], np.ndarray]


def cosine(question: str, texts: Sequence[str], similarities: np.ndarray) -> np.ndarray:
    """Raw cosine, as a user of any embedder expects it."""
    return similarities


def joined(question: str, texts: Sequence[str], similarities: np.ndarray) -> np.ndarray:
    """Similarity and words together, relative to the passage's best sentence, and damped where even that is weak."""
    words = bm25(question, texts)
    together = SIMILARITY * similarities + WORDS * words
    strength = similarities.max() + WORDS_IN_FLOOR * words.max()
    return np.exp(together - together.max()) * np.clip(strength / (2 * FLOOR), 0.0, 1.0)


METHODS: dict[str, Score] = {"evidence": joined, "cosine": cosine}


def score(
    question: str,
    question_vector: np.ndarray,
    sentences: Sequence[Sentence],
    vectors: np.ndarray,
    method: str,
    threshold: float,
    titles: Container[int] = (),
) -> Evidence:
    """Every sentence with its similarity, its score and whether it is lit. Both numbers are always returned.

    `titles` are sentences (by index) that name what follows and say nothing of it: they are no evidence, and do not
    stand in the way of what is.
    """
    if not sentences:
        return Evidence(question, (), threshold, method)
    # An embedder gone wrong must not light anything, nor break the page.
    similarities = np.clip(np.nan_to_num(vectors @ question_vector, posinf=0.0, neginf=0.0), -1.0, 1.0)
    telling = [at for at, sentence in enumerate(sentences) if sentence.index not in titles] or range(len(sentences))
    scores = np.zeros(len(sentences))
    texts = [sentences[at].text for at in telling]
    scores[telling] = METHODS[method](question, texts, similarities[telling])
    scored = (
        Scored(sentence, float(similarity), float(number), bool(number >= threshold))
        for sentence, similarity, number in zip(sentences, similarities, scores, strict=True)
    )
    return Evidence(question, tuple(scored), threshold, method)


def unscored(question: str, sentences: Sequence[Sentence], threshold: float, method: str, why: str) -> Evidence:
    """The plain passage, when nothing could be held against the question."""
    return Evidence(question, tuple(Scored(s, 0.0, 0.0, False) for s in sentences), threshold, method, why)


def whole(question: str, passage: Sentence, threshold: float, method: str, why: str) -> Evidence:
    """The whole passage marked, when its sentences cannot be told apart."""
    return Evidence(question, (Scored(passage, 0.0, 0.0, True),), threshold, method, why)
