"""The serialization of what is known of recognised sentences."""

from __future__ import annotations

from highlighter.schemas.recognition import DoubtfulWordOut, RecognitionFields
from highlighter.store.word_confidences import WordConfidences


def describe_recognition(confidences: WordConfidences, start: int, end: int) -> RecognitionFields:
    """Return the fields of a sentence that was recognised; none of any other."""
    mean = confidences.mean(start, end)
    if mean is None:
        return {}
    doubtful = confidences.doubtful_spans(start, end)
    words = [DoubtfulWordOut(start=word.start, end=word.end, confidence=word.percent / 100) for word in doubtful]
    return {"recognition": round(mean, 4), "doubtful_words": words}
