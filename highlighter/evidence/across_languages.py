"""Scoring a question in one language against sentences in another, where they can share no words.

The fitted networks rest on shared words, and the joint model reads English and Chinese: across languages both say "no".
What is left is the embedder, where it knows both languages: how similar a sentence is, and by how much it leads.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from highlighter.text.language import detect_language, get_base_language

# Of the carried multilingual encoder: with these, one in seven passages without evidence gets a highlight, no more than
# within one language (bench/evidence/language_questions.py).
SIMILARITY_WEIGHT, LEAD_WEIGHT, OFFSET = 16.0, 18.0, -8.2
# A sentence beside a similar sentence is likelier itself.
NEIGHBOURS_WEIGHT = 0.1
# Headings that were not recognised have no stop, and are similar to whatever the text below them says.
_STOPS = tuple(".!?。！？؟۔।…:：;；»”\"')）」』")


def is_across_languages(question: str, texts: Sequence[str]) -> bool:
    """Return whether a passage is in another language than the question, as far as both can be told."""
    asked_in = detect_language(question)
    written_in = detect_language("\n".join(texts)) if asked_in else ""
    return bool(written_in) and get_base_language(asked_in) != get_base_language(written_in)


def score_across_languages(texts: Sequence[str], similarities: np.ndarray) -> np.ndarray:
    """Return how likely each sentence of a passage is evidence, by the similarities alone."""
    padded = np.concatenate([[0.0], similarities, [0.0]])
    values = similarities + NEIGHBOURS_WEIGHT * (padded[:-2] + padded[2:])
    is_sentence = np.array([text.rstrip().endswith(_STOPS) for text in texts])
    if not is_sentence.any():
        is_sentence[:] = True
    logits = SIMILARITY_WEIGHT * values + LEAD_WEIGHT * (values - _best_of_others(values, is_sentence)) + OFFSET
    return np.where(is_sentence, 1.0 / (1.0 + np.exp(-logits)), 0.0)


def _best_of_others(values: np.ndarray, is_sentence: np.ndarray) -> np.ndarray:
    """Return for each sentence the highest value of the other sentences; for an only sentence, its own."""
    ordered = np.sort(values[is_sentence])
    if len(ordered) < 2:
        return values
    best: np.ndarray = np.where(values == ordered[-1], ordered[-2], ordered[-1])
    return best
