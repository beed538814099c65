"""Altered passages for training: without their evidence, with another passage's question, or with exchanged letters."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from highlighter.evidence.judged_passages import JudgedPassage

_NUMBER = re.compile(r"\b\d[\d,.]*\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")

# Letters of scripts that the vocabulary holds; of a passage in such letters the model can read only the shared words.
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
_SCRIPTS = {
    "latin": (_VOWELS, _CONSONANTS),
    "cyrillic": ("аеиоуыэюя", "бвгджзклмнпрстфхцчшщ"),
    "greek": ("αεηιουω", "βγδζθκλμνξπρστφχψ"),
    "arabic": ("اويىء", "بتثجحخدذرزسشصضطظعغفقكلمنه"),
    "devanagari": ("अआइईउएओ", "कखगघचछजटडतथदनपफबभमयरलवशसह"),
}


def remove_evidence(passage: JudgedPassage) -> JudgedPassage | None:
    """Return a passage without its answering sentences: still about the subject, but without an answer. None if too
    short.
    """
    remaining = [index for index, gold in enumerate(passage.gold) if not gold]
    if len(remaining) < 2:
        return None
    return replace(
        passage,
        sentences=tuple(passage.sentences[index] for index in remaining),
        gold=(False,) * len(remaining),
        answers=(),
        id=passage.id + "/cut",
    )


def exchange_question_detail(
    passage: JudgedPassage, other_passages: Sequence[JudgedPassage], rng: random.Random
) -> JudgedPassage | None:
    """Return a passage whose question has a name or number of another question: it looks right and does not answer."""
    for pattern in rng.sample((_NUMBER, _NAME), 2):
        matches = list(pattern.finditer(passage.question))
        if not matches:
            continue
        match = rng.choice(matches)
        for _ in range(8):
            other = pattern.search(rng.choice(other_passages).question)
            if other and other.group() not in " ".join(passage.sentences) and other.group() != match.group():
                question = passage.question[: match.start()] + other.group() + passage.question[match.end() :]
                return replace(
                    passage, question=question, gold=(False,) * len(passage.gold), answers=(), id=passage.id + "/other"
                )
    return None


def exchange_letters(passage: JudgedPassage, rng: random.Random) -> JudgedPassage:
    """Return a passage with every letter exchanged, equally in question and sentences.

    Only the information which words are shared is left.
    """
    vowels, consonants = _SCRIPTS[rng.choice(list(_SCRIPTS))]
    table = {}
    for source, target in ((_VOWELS, vowels), (_CONSONANTS, consonants)):
        replacements = (
            (rng.sample(target, len(target)) * 2)[: len(source)]
            if len(target) < len(source)
            else rng.sample(target, len(source))
        )
        replacements += [rng.choice(target) for _ in range(len(source) - len(replacements))]
        table |= {ord(letter): replacement for letter, replacement in zip(source, replacements, strict=True)}
        table |= {
            ord(letter.upper()): replacement.upper() for letter, replacement in zip(source, replacements, strict=True)
        }
    sentences = tuple(text.translate(table) for text in passage.sentences)
    return replace(passage, question=passage.question.translate(table), sentences=sentences, id=passage.id + "/cipher")
