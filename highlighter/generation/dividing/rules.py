"""Questions divided by rule, without a model: only where it is sure that two things are asked. English and Chinese."""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.generation.dividing import chinese, english
from highlighter.language import language

MOST = 5
# What is longer is a text rather than a question, and rules would only tear it up.
LONGEST = 1_000
# Of the history, the latest.
TURNS = 5


def divided(question: str, history: Sequence[tuple[str, str]] = ()) -> tuple[str, ...]:
    """One to five questions, each complete in itself as far as rules can tell; the question itself where they cannot."""
    question = " ".join(question.split())
    if len(question) > LONGEST:
        return (question,)
    tongue = chinese if language(question) else english
    before = ""
    for asked, _ in history[-TURNS:]:  # each may itself have counted on the one before it
        asked = " ".join(asked.split())[:LONGEST]
        if bool(language(asked)) == bool(language(question)):
            before = tongue.completed(asked, before) if before else asked
    question = tongue.completed(question, before) if before else question
    found = tongue.divided(question, MOST)
    return tuple({one.casefold(): one for one in found}.values())[:MOST] or (question,)
