"""The question reader: a model of the multilingual encoder that reads a question with the sentences of a passage.

It reads where the joint model cannot: passages in languages that this has not learned, or in another than the question's.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from highlighter.embedding.text_reader import MAX_TOKENS, TextReader
from highlighter.evidence.joint_model import choose_sentences
from highlighter.text.language import detect_language, get_base_language

log = logging.getLogger(__name__)

READER_FILE = Path(__file__).parent / "model" / "reader.onnx"
UNREAD = -20.0  # the margin of a sentence that was not read
JOINT_LANGUAGES = ("en", "zh", "ja")  # what the joint model has learned
# Of the margin and of the logit of the probability without a model, and what is added (training/questions/weighing.py).
MARGIN_WEIGHT, PRIOR_WEIGHT, OFFSET = 0.51, 0.55, 0.02


class QuestionReader:
    """The model, loaded on first use. One that cannot be loaded is logged once, and scoring goes on without it."""

    def __init__(self, path: Path = READER_FILE):
        self.model_file = path
        self._reader = TextReader(path)
        self._has_failed = False

    def read(self, question: str, texts: Sequence[str], prior: np.ndarray) -> np.ndarray | None:
        """Return by how much each sentence is likelier to answer than nothing is, in logits; None without a model.

        Of a long passage the sentences with the highest prior are read.
        """
        if not self._load():
            return None
        question_ids, sentence_ids = self._reader.tokenize(question, texts)
        chosen = choose_sentences(prior, [len(ids) for ids in sentence_ids], MAX_TOKENS - len(question_ids) - 2)
        margins = np.full(len(texts), UNREAD)
        if chosen:
            verdict, logits = self._reader.run(question_ids, [sentence_ids[index] for index in chosen])
            margins[chosen] = logits - (verdict[1] - verdict[0])  # "nothing answers" against "something does"
        return margins

    def _load(self) -> bool:
        if not self._has_failed:
            try:
                self._reader.load()
            except Exception as err:
                self._has_failed = True
                log.error("The question reader cannot be loaded, and is done without: %s", err)
        return not self._has_failed


def is_read_by_words_alone(texts: Sequence[str]) -> bool:
    """Return whether the joint model has not learned the language of a passage, as far as it can be told."""
    language = detect_language("\n".join(texts))
    return bool(language) and get_base_language(language) not in JOINT_LANGUAGES


def combine_with_prior(margins: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Return how likely each sentence is evidence, by the reader's margins and the probabilities without a model."""
    logits = MARGIN_WEIGHT * margins + PRIOR_WEIGHT * compute_logits(prior) + OFFSET
    probabilities: np.ndarray = 1.0 / (1.0 + np.exp(-logits))
    return probabilities


def compute_logits(probabilities: np.ndarray) -> np.ndarray:
    clipped = np.clip(probabilities, 1e-4, 1 - 1e-4)
    logits: np.ndarray = np.log(clipped / (1 - clipped))
    return logits
