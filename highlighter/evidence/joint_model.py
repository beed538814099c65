"""The joint model, which reads a question and a passage's sentences together: its input and its output."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from highlighter.cpu_budget import check_cpu
from highlighter.rounding import round_for_comparison
from highlighter.text.characters import fold
from highlighter.text.terms import STOP_WORDS, find_words, is_cjk, stem_word

if TYPE_CHECKING:
    from tokenizers import Encoding

    from highlighter.embedding.engines import ReaderSession

MAX_QUESTION_TOKENS, MAX_SENTENCE_TOKENS = 96, 192

# Sentences that the features find less likely than this are hardly ever evidence: only their beginning is read, so that the
# others are still compared with them.
UNLIKELY_PROBABILITY, MAX_UNLIKELY_TOKENS = 0.03, 16

# A word of this many characters also matches one with the same prefix: inflections of any spaced language.
MIN_LONG_WORD_CHARACTERS, PREFIX_CHARACTERS = 6, 5

# How a token's word matches on the other side: not at all, by its prefix (or one CJK character), wholly.
NO_MATCH, PARTIAL_MATCH, WHOLE_MATCH = 0, 1, 2
TOKEN_KIND_COUNT = 6  # three matches in the question, three in the passage


@dataclass(frozen=True, slots=True)
class MatchedTokens:
    """The tokens of a question or a sentence, and how each token's word matches on the other side."""

    ids: np.ndarray
    matches: np.ndarray


@dataclass(frozen=True, slots=True)
class JointInput:
    """One input of the model: token ids, their kinds, and the position of each token's sentence (-1: none).

    A position counts within `sentence_indexes`, the sentences of the passage that this input holds.
    """

    ids: np.ndarray
    kinds: np.ndarray
    sentence_positions: np.ndarray
    sentence_indexes: tuple[int, ...]


class JointTokenizer:
    """The tokenizer that the joint model was trained with."""

    def __init__(self, tokenizer: Path):
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        id_of = self._tokenizer.token_to_id
        self.cls_id, self.sep_id, self.unknown_id = map(self._require_id, ("[CLS]", "[SEP]", "[UNK]"))
        unused_ids = [id_of(f"[unused{number}]") for number in range(994)]
        self._unused_ids = [token_id for token_id in unused_ids if token_id is not None]

    def _require_id(self, token: str) -> int:
        token_id = self._tokenizer.token_to_id(token)
        if token_id is None:
            raise ValueError(f"The tokenizer has no {token}")
        return token_id

    def tokenize_passage(self, question: str, sentences: Sequence[str]) -> tuple[MatchedTokens, list[MatchedTokens]]:
        """Return the matched tokens of the question and of each sentence."""
        folded_question, folded_sentences = fold(question), [fold(sentence) for sentence in sentences]
        question_words, sentence_words = find_words(folded_question), [find_words(text) for text in folded_sentences]
        question_keys = _collect_keys(folded_question, question_words)
        sentence_keys = set().union(
            *(_collect_keys(text, spans) for text, spans in zip(folded_sentences, sentence_words, strict=True))
        )
        encodings = self._tokenizer.encode_batch([folded_question, *folded_sentences], add_special_tokens=False)
        question_tokens = self._match_tokens(
            encodings[0], folded_question, question_words, sentence_keys, MAX_QUESTION_TOKENS
        )
        sentence_tokens = [
            self._match_tokens(encoding, text, spans, question_keys, MAX_SENTENCE_TOKENS)
            for encoding, text, spans in zip(encodings[1:], folded_sentences, sentence_words, strict=True)
        ]
        return question_tokens, sentence_tokens

    def find_token_starts(self, sentence: str) -> list[int]:
        """Return the offset in a sentence at which each of its tokens begins."""
        return [start for start, _ in self._tokenizer.encode(fold(sentence), add_special_tokens=False).offsets]

    def _match_tokens(
        self, encoding: Encoding, text: str, words: Sequence[tuple[int, int]], keys: set[str], max_tokens: int
    ) -> MatchedTokens:
        check_cpu()
        by_character = _match_characters(text, words, keys)
        offsets = encoding.offsets[:max_tokens]
        ids = [
            self._choose_unused_id(text[start:end]) if token_id == self.unknown_id else token_id
            for token_id, (start, end) in zip(encoding.ids[:max_tokens], offsets, strict=True)
        ]
        matches = [by_character[start] if start < len(text) else NO_MATCH for start, _ in offsets]
        return MatchedTokens(np.array(ids, dtype=np.int64), np.array(matches, dtype=np.int64))

    def _choose_unused_id(self, unknown: str) -> int:
        """Return an unused vocabulary id for characters that the vocabulary lacks, always the same, so that they can
        match.
        """
        if not self._unused_ids or not unknown:
            return self.unknown_id
        checksum = sum(ord(character) * (n + 1) for n, character in enumerate(unknown))
        return self._unused_ids[checksum % len(self._unused_ids)]

    def build_input(
        self, question: MatchedTokens, sentences: Sequence[MatchedTokens], chosen: Sequence[int]
    ) -> JointInput:
        """Return the model's input: the question and the chosen sentences, each with a separator after it."""
        ids = [np.array([self.cls_id]), question.ids, np.array([self.sep_id])]
        kinds = [np.array([NO_MATCH]), question.matches, np.array([NO_MATCH])]
        positions = [np.full(len(question.ids) + 2, -1)]
        for position, index in enumerate(chosen):
            sentence = sentences[index]
            ids += [sentence.ids, np.array([self.sep_id])]
            kinds += [sentence.matches + 3, np.array([3])]
            positions.append(np.full(len(sentence.ids) + 1, position))
        return JointInput(np.concatenate(ids), np.concatenate(kinds), np.concatenate(positions), tuple(chosen))


def cut_unlikely_sentences(sentences: Sequence[MatchedTokens], prior: np.ndarray) -> list[MatchedTokens]:
    """Return the tokens of sentences, of unlikely ones only the first."""
    is_unlikely = weigh_neighbours(prior) < UNLIKELY_PROBABILITY
    return [
        MatchedTokens(tokens.ids[:MAX_UNLIKELY_TOKENS], tokens.matches[:MAX_UNLIKELY_TOKENS]) if unlikely else tokens
        for tokens, unlikely in zip(sentences, is_unlikely, strict=True)
    ]


def weigh_neighbours(prior: np.ndarray) -> np.ndarray:
    """Return for each sentence how likely it is with its neighbours, rounded for comparison."""
    neighbour_prior = np.zeros(len(prior))
    neighbour_prior[1:] = np.maximum(neighbour_prior[1:], prior[:-1])
    neighbour_prior[:-1] = np.maximum(neighbour_prior[:-1], prior[1:])
    return round_for_comparison(prior + 0.4 * neighbour_prior)


def choose_sentences(prior: np.ndarray, lengths: Sequence[int], max_tokens: int) -> list[int]:
    """Return the likeliest sentences that fit into the input, in their order.

    A sentence beside a likely sentence is likelier itself.
    """
    if sum(lengths) + len(lengths) <= max_tokens:
        return list(range(len(lengths)))
    chosen, tokens_left = [], max_tokens
    for index in np.argsort(-weigh_neighbours(prior), kind="stable"):
        if lengths[index] + 1 <= tokens_left:
            chosen.append(int(index))
            tokens_left -= lengths[index] + 1
    return sorted(chosen)


def _collect_keys(text: str, spans: Sequence[tuple[int, int]]) -> set[str]:
    check_cpu()
    keys: set[str] = set()
    for start, end in spans:
        keys.update(_word_keys(text[start:end]))
    return keys


def _word_keys(word: str) -> list[str]:
    if is_cjk(word):
        return [word[index : index + 2] for index in range(len(word) - 1)] + list(word)
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
            for index in range(start, end):
                if text[index] in keys and not by_character[index]:
                    by_character[index] = PARTIAL_MATCH
                if index + 1 < end and text[index : index + 2] in keys:
                    by_character[index] = by_character[index + 1] = WHOLE_MATCH
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


log = logging.getLogger(__name__)

MODEL_FOLDER = Path(__file__).parent / "model"
JOINT_COLUMN_NAMES = ("joint", "joint_below_best", "joint_share", "joint_none", "joint_best", "joint_gap")

# Of a passage with more tokens, only the likeliest sentences are read.
MAX_INPUT_TOKENS = 384


@dataclass(frozen=True, slots=True)
class JointReading:
    """The sentences that the joint model read, and its six columns for each of them."""

    sentence_indexes: tuple[int, ...]
    columns: np.ndarray


def hash_model(file: Path) -> bytes:
    """Return the digest of a model's file."""
    return hashlib.sha256(file.read_bytes()).digest()


class JointScorer:
    """The joint model, loaded on first use. A model that cannot be loaded is logged once, and scoring goes on without
    it.
    """

    def __init__(self, folder: Path = MODEL_FOLDER):
        self.folder = folder
        self.model_file = folder / "joint.onnx"
        self._lock = threading.Lock()
        self._loaded: tuple[JointTokenizer, ReaderSession] | None = None
        self._problem = ""

    def compute_hash(self) -> str:
        """Return the SHA-256 of the model's file, by which a calibration names the model that it was fitted to."""
        return hash_model(self.model_file).hex()

    def score_passage(self, question: str, texts: Sequence[str], prior: np.ndarray) -> JointReading | None:
        """Return the reading of the likeliest sentences, or None when the model cannot be loaded or nothing fits."""
        loaded = self._load()
        if loaded is None:
            return None
        tokenizer, _ = loaded
        question_tokens, whole_sentences = tokenizer.tokenize_passage(question, texts)
        sentences = cut_unlikely_sentences(whole_sentences, prior)
        lengths = [len(tokens.ids) for tokens in sentences]
        chosen = choose_sentences(prior, lengths, MAX_INPUT_TOKENS - len(question_tokens.ids))
        return self.run_model(tokenizer.build_input(question_tokens, sentences, chosen), chosen) if chosen else None

    def run_model(self, joint_input: JointInput, chosen: Sequence[int]) -> JointReading:
        """Return the model's reading of one input."""
        loaded = self._load()
        if loaded is None:
            raise RuntimeError("The joint model is not loaded")
        _, session = loaded
        member = (joint_input.sentence_positions[None, :] == np.arange(len(chosen))[:, None]).astype(np.float32)
        none, logits = session.run(
            {"ids": joint_input.ids[None], "kinds": joint_input.kinds[None], "member": member[None]}
        )
        return JointReading(tuple(chosen), build_joint_columns(float(none[0]), logits[0]))

    def _load(self) -> tuple[JointTokenizer, ReaderSession] | None:
        with self._lock:
            if self._loaded is None and not self._problem:
                try:
                    from highlighter.embedding.engines import ReaderSession

                    tokenizer = JointTokenizer(self.folder / "tokenizer.json")
                    self._loaded = tokenizer, ReaderSession(self.model_file)
                except Exception as err:
                    self._problem = str(err)
                    log.error("The joint model cannot be loaded, and is done without: %s", err)
            return self._loaded


def build_joint_columns(none: float, logits: np.ndarray) -> np.ndarray:
    """Return the columns of each sentence from the model's logits, by themselves and relative to the others."""
    margin = logits - none
    all_logits = np.concatenate([[none], logits])
    share = np.exp(all_logits - all_logits.max())
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
