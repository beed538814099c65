"""What the joint model is shown: the question and the passage's sentences as word pieces, with the words they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from highlighter.folding import fold
from highlighter.rounding import rounded
from highlighter.terms import EMPTY_WORDS, is_cjk, stem, words

MOST_IN_QUESTION, MOST_IN_SENTENCE = 96, 192

# A word of this many characters also meets one with the same beginning: inflections of any spaced language.
LONG_WORD, BEGINNING = 6, 5

# How a piece's word is found on the other side: not at all, by its beginning (or one CJK character), wholly.
NOT, PARTLY, WHOLLY = 0, 1, 2
KINDS = 6  # question and passage, three of each


@dataclass(frozen=True, slots=True)
class Pieces:
    """The word pieces of a question or a sentence, and how each one's word is found on the other side."""

    ids: np.ndarray
    found: np.ndarray


@dataclass(frozen=True, slots=True)
class Sheet:
    """One input: piece ids, their kind, and for each the place of its sentence among `chosen` (-1: none)."""

    ids: np.ndarray
    kinds: np.ndarray
    owners: np.ndarray
    chosen: tuple[int, ...]


class Reader:
    """Turns words into pieces, by the tokenizer that the joint model was trained with."""

    def __init__(self, tokenizer: Path):
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        id_of = self._tokenizer.token_to_id
        self.cls, self.sep, self.unknown = id_of("[CLS]"), id_of("[SEP]"), id_of("[UNK]")
        spare = [id_of(f"[unused{n}]") for n in range(994)]
        self._spare = [at for at in spare if at is not None]

    def pieces(self, question: str, sentences: Sequence[str]) -> tuple[Pieces, list[Pieces]]:
        asked, told = fold(question), [fold(sentence) for sentence in sentences]
        asked_words, told_words = words(asked), [words(text) for text in told]
        asked_keys = _keys(asked, asked_words)
        told_keys = set().union(*(_keys(text, spans) for text, spans in zip(told, told_words, strict=True)))
        encodings = self._tokenizer.encode_batch([asked, *told], add_special_tokens=False)
        question_pieces = self._of(encodings[0], asked, asked_words, told_keys, MOST_IN_QUESTION)
        rest = [
            self._of(encoding, text, spans, asked_keys, MOST_IN_SENTENCE)
            for encoding, text, spans in zip(encodings[1:], told, told_words, strict=True)
        ]
        return question_pieces, rest

    def starts(self, sentence: str) -> list[int]:
        """Where each piece of a sentence begins in it."""
        return [start for start, _ in self._tokenizer.encode(fold(sentence), add_special_tokens=False).offsets]

    def _of(self, encoding, text: str, spans, keys: set[str], most: int) -> Pieces:
        by_character = _found(text, spans, keys)
        ids, offsets = encoding.ids[:most], encoding.offsets[:most]
        known = [
            self._spare_for(text[s:e]) if at == self.unknown else at for at, (s, e) in zip(ids, offsets, strict=True)
        ]
        found = [by_character[start] if start < len(text) else NOT for start, _ in offsets]
        return Pieces(np.array(known, dtype=np.int64), np.array(found, dtype=np.int64))

    def _spare_for(self, unknown: str) -> int:
        """A character the vocabulary lacks gets one of its unused places, always the same: it can meet itself."""
        if not self._spare or not unknown:
            return self.unknown
        return self._spare[sum(ord(c) * (n + 1) for n, c in enumerate(unknown)) % len(self._spare)]

    def sheet(self, question: Pieces, sentences: Sequence[Pieces], chosen: Sequence[int]) -> Sheet:
        ids = [np.array([self.cls]), question.ids, np.array([self.sep])]
        kinds = [np.array([NOT]), question.found, np.array([NOT])]
        owners = [np.full(len(question.ids) + 2, -1)]
        for place, at in enumerate(chosen):
            one = sentences[at]
            ids += [one.ids, np.array([self.sep])]
            kinds += [one.found + 3, np.array([3])]
            owners.append(np.full(len(one.ids) + 1, place))
        return Sheet(np.concatenate(ids), np.concatenate(kinds), np.concatenate(owners), tuple(chosen))


def choose(prior: np.ndarray, lengths: Sequence[int], room: int) -> list[int]:
    """The likeliest sentences that fit, in their order; a sentence beside a likely one is likelier."""
    if sum(lengths) + len(lengths) <= room:
        return list(range(len(lengths)))
    beside = np.zeros(len(prior))
    beside[1:] = np.maximum(beside[1:], prior[:-1])
    beside[:-1] = np.maximum(beside[:-1], prior[1:])
    chosen, left = [], room
    for at in np.argsort(-rounded(prior + 0.4 * beside), kind="stable"):
        if lengths[at] + 1 <= left:
            chosen.append(int(at))
            left -= lengths[at] + 1
    return sorted(chosen)


def _keys(text: str, spans: Sequence[tuple[int, int]]) -> set[str]:
    keys: set[str] = set()
    for start, end in spans:
        keys.update(_word_keys(text[start:end]))
    return keys


def _word_keys(word: str) -> list[str]:
    if is_cjk(word):
        return [word[at : at + 2] for at in range(len(word) - 1)] + list(word)
    if word in EMPTY_WORDS:
        return []
    return [stem(word), _beginning(word)] if len(word) >= LONG_WORD else [stem(word)]


def _beginning(word: str) -> str:
    return word[:BEGINNING] + "~"


def _found(text: str, spans: Sequence[tuple[int, int]], keys: set[str]) -> bytearray:
    by_character = bytearray(len(text))
    for start, end in spans:
        word = text[start:end]
        if is_cjk(word):
            for at in range(start, end):
                if text[at] in keys and not by_character[at]:
                    by_character[at] = PARTLY
                if at + 1 < end and text[at : at + 2] in keys:
                    by_character[at] = by_character[at + 1] = WHOLLY
            continue
        level = WHOLLY if stem(word) in keys else PARTLY if len(word) >= LONG_WORD and _beginning(word) in keys else NOT
        by_character[start:end] = bytes([level]) * (end - start)
    return by_character
