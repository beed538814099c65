"""Items made from items: passages that lost their evidence, questions nothing answers, and languages nobody speaks."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from highlighter.evidence.judged_passages import JudgedPassage

_NUMBER = re.compile(r"\b\d[\d,.]*\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")

# Letters of scripts that the vocabulary holds; a passage told in them can be read by its shared words alone.
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
_SCRIPTS = {
    "latin": (_VOWELS, _CONSONANTS),
    "cyrillic": ("аеиоуыэюя", "бвгджзклмнпрстфхцчшщ"),
    "greek": ("αεηιουω", "βγδζθκλμνξπρστφχψ"),
    "arabic": ("اويىء", "بتثجحخدذرزسشصضطظعغفقكلمنه"),
    "devanagari": ("अआइईउएओ", "कखगघचछजटडतथदनपफबभमयरलवशसह"),
}


def without_evidence(item: JudgedPassage) -> JudgedPassage | None:
    """The same passage with the answering sentences cut out: it still speaks of the thing, and does not answer."""
    kept = [at for at, gold in enumerate(item.gold) if not gold]
    if len(kept) < 2:
        return None
    return replace(
        item,
        sentences=tuple(item.sentences[at] for at in kept),
        gold=(False,) * len(kept),
        answers=(),
        id=item.id + "/cut",
    )


def asking_of_another(
    item: JudgedPassage, others: Sequence[JudgedPassage], chance: random.Random
) -> JudgedPassage | None:
    """A name or number of the question exchanged for another question's: the passage looks right and is not."""
    for pattern in chance.sample((_NUMBER, _NAME), 2):
        found = list(pattern.finditer(item.question))
        if not found:
            continue
        spot = chance.choice(found)
        for _ in range(8):
            other = pattern.search(chance.choice(others).question)
            if other and other.group() not in " ".join(item.sentences) and other.group() != spot.group():
                question = item.question[: spot.start()] + other.group() + item.question[spot.end() :]
                return replace(
                    item, question=question, gold=(False,) * len(item.gold), answers=(), id=item.id + "/other"
                )
    return None


def in_no_language(item: JudgedPassage, chance: random.Random) -> JudgedPassage:
    """Every letter exchanged, the same way in question and passage: what is left is which words are shared."""
    vowels, consonants = _SCRIPTS[chance.choice(list(_SCRIPTS))]
    table = {}
    for ours, theirs in ((_VOWELS, vowels), (_CONSONANTS, consonants)):
        drawn = (
            (chance.sample(theirs, len(theirs)) * 2)[: len(ours)]
            if len(theirs) < len(ours)
            else chance.sample(theirs, len(ours))
        )
        drawn += [chance.choice(theirs) for _ in range(len(ours) - len(drawn))]
        table |= {ord(a): b for a, b in zip(ours, drawn, strict=True)}
        table |= {ord(a.upper()): b.upper() for a, b in zip(ours, drawn, strict=True)}
    sentences = tuple(text.translate(table) for text in item.sentences)
    return replace(item, question=item.question.translate(table), sentences=sentences, id=item.id + "/cipher")
