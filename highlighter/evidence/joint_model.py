"""What the joint model is shown: the question and the passage's sentences as word pieces, with the words they share."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from highlighter.rounding import round_for_comparison
from highlighter.text.characters import fold
from highlighter.text.terms import STOP_WORDS, find_words, is_cjk, stem_word

MAX_QUESTION_TOKENS, MAX_SENTENCE_TOKENS = 96, 192

# A word of this many characters also meets one with the same beginning: inflections of any spaced language.
MIN_LONG_WORD_CHARACTERS, PREFIX_CHARACTERS = 6, 5

# How a piece's word is found on the other side: not at all, by its beginning (or one CJK character), wholly.
NO_MATCH, PARTIAL_MATCH, WHOLE_MATCH = 0, 1, 2
TOKEN_KIND_COUNT = 6  # question and passage, three of each


@dataclass(frozen=True, slots=True)
class MatchedTokens:
    """The word pieces of a question or a sentence, and how each one's word is found on the other side."""

    ids: np.ndarray
    matches: np.ndarray


@dataclass(frozen=True, slots=True)
class JointInput:
    """One input: piece ids, their kind, and for each the place of its sentence among `chosen` (-1: none)."""

    ids: np.ndarray
    kinds: np.ndarray
    sentence_positions: np.ndarray
    sentence_indexes: tuple[int, ...]


class JointTokenizer:
    """Turns words into pieces, by the tokenizer that the joint model was trained with."""

    def __init__(self, tokenizer: Path):
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        id_of = self._tokenizer.token_to_id
        self.cls_id, self.sep_id, self.unknown_id = id_of("[CLS]"), id_of("[SEP]"), id_of("[UNK]")
        spare = [id_of(f"[unused{n}]") for n in range(994)]
        self._unused_ids = [at for at in spare if at is not None]

    def tokenize_passage(self, question: str, sentences: Sequence[str]) -> tuple[MatchedTokens, list[MatchedTokens]]:
        asked, told = fold(question), [fold(sentence) for sentence in sentences]
        asked_words, told_words = find_words(asked), [find_words(text) for text in told]
        asked_keys = _collect_keys(asked, asked_words)
        told_keys = set().union(*(_collect_keys(text, spans) for text, spans in zip(told, told_words, strict=True)))
        encodings = self._tokenizer.encode_batch([asked, *told], add_special_tokens=False)
        question_pieces = self._match_tokens(encodings[0], asked, asked_words, told_keys, MAX_QUESTION_TOKENS)
        rest = [
            self._match_tokens(encoding, text, spans, asked_keys, MAX_SENTENCE_TOKENS)
            for encoding, text, spans in zip(encodings[1:], told, told_words, strict=True)
        ]
        return question_pieces, rest

    def find_token_starts(self, sentence: str) -> list[int]:
        """Where each piece of a sentence begins in it."""
        return [start for start, _ in self._tokenizer.encode(fold(sentence), add_special_tokens=False).offsets]

    def _match_tokens(self, encoding, text: str, spans, keys: set[str], max_tokens: int) -> MatchedTokens:
        by_character = _match_characters(text, spans, keys)
        ids, offsets = encoding.ids[:max_tokens], encoding.offsets[:max_tokens]
        known = [
            self._choose_unused_id(text[s:e]) if at == self.unknown_id else at
            for at, (s, e) in zip(ids, offsets, strict=True)
        ]
        found = [by_character[start] if start < len(text) else NO_MATCH for start, _ in offsets]
        return MatchedTokens(np.array(known, dtype=np.int64), np.array(found, dtype=np.int64))

    def _choose_unused_id(self, unknown: str) -> int:
        """A character the vocabulary lacks gets one of its unused places, always the same: it can meet itself."""
        if not self._unused_ids or not unknown:
            return self.unknown_id
        return self._unused_ids[sum(ord(c) * (n + 1) for n, c in enumerate(unknown)) % len(self._unused_ids)]

    def build_input(
        self, question: MatchedTokens, sentences: Sequence[MatchedTokens], chosen: Sequence[int]
    ) -> JointInput:
        ids = [np.array([self.cls_id]), question.ids, np.array([self.sep_id])]
        kinds = [np.array([NO_MATCH]), question.matches, np.array([NO_MATCH])]
        owners = [np.full(len(question.ids) + 2, -1)]
        for place, at in enumerate(chosen):
            one = sentences[at]
            ids += [one.ids, np.array([self.sep_id])]
            kinds += [one.matches + 3, np.array([3])]
            owners.append(np.full(len(one.ids) + 1, place))
        return JointInput(np.concatenate(ids), np.concatenate(kinds), np.concatenate(owners), tuple(chosen))


def choose_sentences(prior: np.ndarray, lengths: Sequence[int], max_tokens: int) -> list[int]:
    """The likeliest sentences that fit, in their order; a sentence beside a likely one is likelier."""
    if sum(lengths) + len(lengths) <= max_tokens:
        return list(range(len(lengths)))
    beside = np.zeros(len(prior))
    beside[1:] = np.maximum(beside[1:], prior[:-1])
    beside[:-1] = np.maximum(beside[:-1], prior[1:])
    chosen, left = [], max_tokens
    for at in np.argsort(-round_for_comparison(prior + 0.4 * beside), kind="stable"):
        if lengths[at] + 1 <= left:
            chosen.append(int(at))
            left -= lengths[at] + 1
    return sorted(chosen)


def _collect_keys(text: str, spans: Sequence[tuple[int, int]]) -> set[str]:
    keys: set[str] = set()
    for start, end in spans:
        keys.update(_word_keys(text[start:end]))
    return keys


def _word_keys(word: str) -> list[str]:
    if is_cjk(word):
        return [word[at : at + 2] for at in range(len(word) - 1)] + list(word)
    if word in STOP_WORDS:
        return []
    return [stem_word(word), _prefix_key(word)] if len(word) >= MIN_LONG_WORD_CHARACTERS else [stem_word(word)]


def _prefix_key(word: str) -> str:
    return word[:PREFIX_CHARACTERS] + "~"


def _match_characters(text: str, spans: Sequence[tuple[int, int]], keys: set[str]) -> bytearray:
    by_character = bytearray(len(text))
    for start, end in spans:
        word = text[start:end]
        if is_cjk(word):
            for at in range(start, end):
                if text[at] in keys and not by_character[at]:
                    by_character[at] = PARTIAL_MATCH
                if at + 1 < end and text[at : at + 2] in keys:
                    by_character[at] = by_character[at + 1] = WHOLE_MATCH
            continue
        level = (
            WHOLE_MATCH
            if stem_word(word) in keys
            else PARTIAL_MATCH
            if len(word) >= MIN_LONG_WORD_CHARACTERS and _prefix_key(word) in keys
            else NO_MATCH
        )
        by_character[start:end] = bytes([level]) * (end - start)
    return by_character


# The model that reads question and sentences together: what neither similarity nor shared words can tell.


log = logging.getLogger(__name__)

MODEL_FOLDER = Path(__file__).parent / "model"
JOINT_COLUMN_NAMES = ("joint", "joint_below_best", "joint_share", "joint_none", "joint_best", "joint_gap")

# Pieces of a passage that one reading holds: of a longer passage, the likeliest sentences are read.
MAX_INPUT_TOKENS = 384


@dataclass(frozen=True, slots=True)
class JointReading:
    """Which sentences were read, and the six columns of each."""

    sentence_indexes: tuple[int, ...]
    columns: np.ndarray


class JointScorer:
    """Loaded on first use. A file that is not there or cannot be read is said once, and done without."""

    def __init__(self, folder: Path = MODEL_FOLDER):
        self.folder = folder
        self._loading = threading.Lock()
        self._session = None
        self._tokenizer: JointTokenizer | None = None
        self._problem = ""

    def score_passage(self, question: str, texts: Sequence[str], prior: np.ndarray) -> JointReading | None:
        if not self._is_loaded():
            return None
        asked, told = self._tokenizer.tokenize_passage(question, texts)
        chosen = choose_sentences(prior, [len(one.ids) for one in told], MAX_INPUT_TOKENS - len(asked.ids))
        return self.run_model(self._tokenizer.build_input(asked, told, chosen), chosen) if chosen else None

    def run_model(self, joint_input: JointInput, chosen: Sequence[int]) -> JointReading:
        member = (joint_input.sentence_positions[None, :] == np.arange(len(chosen))[:, None]).astype(np.float32)
        none, logits = self._session.run(
            None, {"ids": joint_input.ids[None], "kinds": joint_input.kinds[None], "member": member[None]}
        )
        return JointReading(tuple(chosen), build_joint_columns(float(none[0]), logits[0]))

    def _is_loaded(self) -> bool:
        with self._loading:
            if self._session is None and not self._problem:
                try:
                    from highlighter.embedding.engines import open_session

                    self._tokenizer = JointTokenizer(self.folder / "tokenizer.json")
                    self._session = open_session(self.folder / "joint.onnx")
                except Exception as err:
                    self._problem = str(err)
                    log.error("The joint model cannot be loaded, and is done without: %s", err)
            return self._session is not None


def build_joint_columns(none: float, logits: np.ndarray) -> np.ndarray:
    """What the model's logits say of each sentence, by itself and beside the others."""
    margin = logits - none
    every = np.concatenate([[none], logits])
    share = np.exp(every - every.max())
    share /= share.sum()
    best, count = margin.max(), len(logits)
    second = np.partition(margin, -2)[-2] if count > 1 else margin.min()
    rows = (
        margin,
        margin - best,
        share[1:],
        np.full(count, share[0]),
        np.full(count, best),
        np.full(count, best - second),
    )
    return np.stack(rows, axis=1).astype(np.float32)
