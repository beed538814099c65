"""The fields of sentences that were recognised from images, which are left out of all others."""

from __future__ import annotations

from typing import Annotated, TypedDict

from pydantic import BaseModel, Field


class DoubtfulWordOut(BaseModel):
    """A word that was recognised from an image with a confidence below 0.7, and may be misread."""

    start: int
    end: int
    confidence: float = Field(description="0 to 1, of Tesseract")


def _is_left_out(value: object) -> bool:
    return value is None


RecognitionConfidence = Annotated[
    float | None,
    Field(
        description="0 to 1: the mean confidence with which the sentence was recognised from an image (OCR); left out where it was not",
        exclude_if=_is_left_out,
    ),
]
DoubtfulWords = Annotated[
    list[DoubtfulWordOut] | None,
    Field(
        description="of a recognised sentence: the words that may be misread, in order; left out for all others",
        exclude_if=_is_left_out,
    ),
]


class RecognitionFields(TypedDict, total=False):
    """The fields of a sentence that was recognised; none of any other."""

    recognition: float
    doubtful_words: list[DoubtfulWordOut]
