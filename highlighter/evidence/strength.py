"""The strength of a highlight, graded from the score of its sentence."""

from __future__ import annotations

# Pages and PDFs show the strength by dots, line and shade.
WEAK, MEDIUM, STRONG = 1, 2, 3
STRONG_MIN_SCORE, MEDIUM_MIN_SCORE = 0.85, 0.65


def grade_score(score: float) -> int:
    """Return the strength of a highlighted sentence with this score."""
    return STRONG if score >= STRONG_MIN_SCORE else MEDIUM if score >= MEDIUM_MIN_SCORE else WEAK
