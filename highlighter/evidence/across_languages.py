"""Scoring a question in one language against sentences in another, where they can share no words.

The fitted networks rest on shared words, and the joint model reads English and Chinese: across languages both say "no".
What is left is the embedder, where it knows both languages: how similar a sentence is, and by how much it leads. The words of
the most similar sentences are compared with those of the question, too: a translation of a word is near it. And the question reader
reads the question with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from highlighter.text.language import detect_language, get_base_language

WordComparison = Callable[[np.ndarray], np.ndarray]  # of the sentences with these indexes with the words of a question

# Of the carried multilingual encoder with its maps (training/cross_lingual): for sentences by themselves, and for those whose words
# are compared. They were fitted to questions of our own about texts that the maps have not learned.
SIMILARITY_WEIGHT, LEAD_WEIGHT, OFFSET = 7.60, 20.57, -3.87
# Weights of similarity and lead, of the words' similarity and lead, and the offset:
WITH_WORDS = (5.39, 3.93, 5.24, 24.30, -4.57)
# With what the question reader says of them, too: MARGIN_WEIGHT for its margins. The fitted offset is -2.80. With 0.3 more, F1 at 0.5 is
# higher on the questions of our own for weighing, with those counted that nothing answers (0.716 instead of 0.705).
MARGIN_WEIGHT = 0.32
WITH_READER = (3.77, 2.60, 3.49, 10.78, -2.50)
# With more sentences, the right one is hardly found more often.
MAX_READ_SENTENCES = 6
# A sentence beside a similar sentence is likelier itself.
NEIGHBOURS_WEIGHT = 0.1
# Headings that were not recognised have no stop, and are similar to whatever the text below them says.
_STOPS = tuple(".!?。！？؟۔।…:：;；»”\"')）」』")


def find_texts_in_other_languages(question: str, texts: Sequence[str]) -> np.ndarray:
    """Return which texts of a passage are in another language than the question, as far as both can be told.

    A text whose own language cannot be told is in that of the passage.
    """
    asked_in = get_base_language(detect_language(question))
    written_in = get_base_language(detect_language("\n".join(texts))) if asked_in else ""
    if not written_in:
        return np.zeros(len(texts), bool)
    return np.array([(get_base_language(detect_language(text)) or written_in) != asked_in for text in texts])


def are_sentences(texts: Sequence[str]) -> np.ndarray:
    """Return which texts end as a sentence does: the others are headings, which answer nothing. All, where none does."""
    with_stop = np.array([text.rstrip().endswith(_STOPS) for text in texts])
    return with_stop if with_stop.any() else np.ones(len(texts), bool)


def score_across_languages(
    texts: Sequence[str],
    similarities: np.ndarray,
    compare_words: WordComparison | None = None,
    margins: np.ndarray | None = None,
) -> np.ndarray:
    """Return how likely each sentence of a passage is evidence: by the similarities, and by the words where they are compared.

    `margins` are what the question reader says of each sentence.
    """
    values = add_neighbours(similarities)
    rows = np.flatnonzero(are_sentences(texts))
    scores = np.zeros(len(texts))
    if compare_words is None:
        logits = SIMILARITY_WEIGHT * values[rows] + LEAD_WEIGHT * compute_leads(values[rows]) + OFFSET
        scores[rows] = _compute_logistic(logits)
        return scores
    rows = rows[np.argsort(-values[rows], kind="stable")[:MAX_READ_SENTENCES]]
    words = compare_words(rows)
    similarity, lead, word, word_lead, offset = WITH_WORDS if margins is None else WITH_READER
    logits = similarity * values[rows] + lead * compute_leads(values[rows]) + offset
    logits += word * words + word_lead * compute_leads(words)
    if margins is not None:
        logits += MARGIN_WEIGHT * margins[rows]
    scores[rows] = _compute_logistic(logits)
    return scores


def add_neighbours(similarities: np.ndarray) -> np.ndarray:
    """Return the similarities with a share of those of the sentences before and behind."""
    padded = np.concatenate([[0.0], similarities, [0.0]])
    values: np.ndarray = similarities + NEIGHBOURS_WEIGHT * (padded[:-2] + padded[2:])
    return values


def compute_leads(values: np.ndarray) -> np.ndarray:
    """Return by how much each value exceeds the highest of the others; 0 for an only value."""
    if len(values) < 2:
        return np.zeros(len(values))
    second, first = np.partition(values, -2)[-2:]
    leads: np.ndarray = values - np.where(values == first, second, first)
    return leads


def _compute_logistic(logits: np.ndarray) -> np.ndarray:
    probabilities: np.ndarray = 1.0 / (1.0 + np.exp(-logits))
    return probabilities
