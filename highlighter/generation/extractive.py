"""The built-in answerer: the evidence itself, sentence by sentence, quoted and cited. It needs no model and no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from highlighter.generation.ask import BULLETS, COMPARISON, MARKDOWN, SUMMARY, Ask
from highlighter.generation.gather import ALIKE, Piece
from highlighter.language import language
from highlighter.models import Scored

NAME = "extractive"

# Sentences a sub-question; a summary is asked for more.
SENTENCES, OF_A_SUMMARY = 3, 6
# What is so much weaker than the best is left for those who open the source. Chances are relative to each passage, so
# they are weighed by how well the passage itself was found.
BESIDE_THE_BEST = 0.75
NOTHING = {
    "": "Nothing in the documents answers this part.",
    "zh-Hant": "文件中沒有回答這一部分的內容。",
    "zh-Hans": "文件中没有回答这一部分的内容。",
}


@dataclass(frozen=True, slots=True)
class Quoted:
    """A sentence of a piece, as it stands there."""

    piece: int
    sub_question: int
    scored: Scored

    @property
    def text(self) -> str:
        return " ".join(self.scored.sentence.text.split())


def chosen(ask: Ask, pieces: Sequence[Piece], sub_question: int) -> list[Quoted]:
    """The evidence of one sub-question, the best first, each thing said once."""

    def strength(quoted: Quoted) -> float:
        return quoted.scored.score * pieces[quoted.piece].score

    every = (Quoted(at, sub_question, one) for at, piece in enumerate(pieces) for one in piece.lit(sub_question))
    found = sorted(every, key=strength, reverse=True)
    kept: list[Quoted] = []
    for one in found:
        if strength(one) < BESIDE_THE_BEST * strength(found[0]):
            break
        if not any(fuzz.ratio(one.text, other.text) >= ALIKE for other in kept):
            kept.append(one)
    return kept[: OF_A_SUMMARY if ask.mode == SUMMARY else SENTENCES]


def draft(ask: Ask, questions: Sequence[str], pieces: Sequence[Piece]) -> Iterator[str | Quoted]:
    """What is said, and what is quoted, in turn. Nothing at all when no sub-question has evidence."""
    answers = [chosen(ask, pieces, at) for at in range(len(questions))]
    if not any(answers):
        return
    listed = ask.format in (BULLETS, MARKDOWN) or ask.mode in (SUMMARY, COMPARISON)
    for at, (question, quotes) in enumerate(zip(questions, answers, strict=True)):
        if at:
            yield "\n\n"
        if len(questions) > 1:
            yield f"**{question}**\n" if ask.format == MARKDOWN else f"{question}\n"
        if not quotes:
            yield NOTHING[language(question)]
        for number, quoted in enumerate(quotes):
            if number:
                yield "\n" if listed else " "
            if listed and (len(quotes) > 1 or ask.format == BULLETS):
                yield "- "
            yield quoted


def in_quotation_marks(text: str) -> str:
    """As the language of the text has them; the other pair where it holds some already."""
    if language(text):
        return f"『{text}』" if "「" in text else f"「{text}」"
    return f"‘{text}’" if "“" in text or '"' in text else f"“{text}”"
