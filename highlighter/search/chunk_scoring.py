"""The score of a chunk for a question: a number from 0 to 1 that depends on these two alone.

The score combines two numbers. *Similarity* is the cosine of the question and the chunk's best sentence, scaled from what
unrelated sentences reach (0) to identical text (1). *Term share* is the share of the question's terms in the chunk, and in
its best sentence, half and half. The similarity of an embedder that rates unrelated sentences as similar has little weight.
As nothing else of the library influences the score, it is the same however a chunk was found and whatever else was found,
and reveals nothing of documents that the asker may not see.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.rounding import round_for_comparison
from highlighter.store.chunk_search import ChunkCandidate
from highlighter.text.terms import extract_terms, is_cjk_character

# The weight of the term share relative to a fully trusted similarity. A higher value demands the question's own words.
WORDS_WEIGHT = 0.5

# Everyday sentences that no question to a library is about. The similarity of a question to the nearest of them is what
# "unrelated" means to this embedder in this script: about 0.15 for MiniLM in English, 0.6 in Chinese, which it hardly
# knows. Other models are measured by the same sentences.
UNRELATED_SENTENCES = (
    "The cat slept on the warm windowsill all afternoon.",
    "She painted the kitchen walls pale yellow last spring.",
    "Our team won the match by two goals.",
    "Stir the soup slowly until the onions are soft.",
    "The mountain path was covered with fresh snow.",
    "He plays the violin in a small orchestra.",
    "猫整个下午都睡在温暖的窗台上。",
    "她去年春天把厨房的墙刷成了浅黄色。",
    "我们队以两个进球赢得了比赛。",
    "慢慢搅拌汤，直到洋葱变软。",
    "山路上覆盖着新雪。",
    "他在一个小乐团里拉小提琴。",
    "那個國家的首都是哪裡？",
    "到那裡需要多長時間？",
    "El gato durmió toda la tarde junto a la ventana.",
    "Remueva la sopa despacio hasta que la cebolla esté blanda.",
    "Le chat a dormi tout l'après-midi près de la fenêtre.",
    "Notre équipe a gagné le match par deux buts.",
    "Die Katze schlief den ganzen Nachmittag am Fenster.",
    "Unsere Mannschaft gewann das Spiel mit zwei Toren.",
    "Кошка весь день спала на тёплом подоконнике.",
    "Наша команда выиграла матч с разницей в два мяча.",
    "猫は午後ずっと暖かい窓辺で眠っていた。",
    "私たちのチームは二点差で試合に勝った。",
    "고양이는 오후 내내 따뜻한 창가에서 잤다.",
    "우리 팀이 두 골 차로 경기에서 이겼다.",
    "نامت القطة طوال فترة ما بعد الظهر بجانب النافذة.",
    "فاز فريقنا بالمباراة بفارق هدفين.",
    "बिल्ली पूरी दोपहर खिड़की के पास सोती रही।",
    "हमारी टीम ने दो गोल से मैच जीता।",
    # Single words, in scripts where a model with an English vocabulary may read every word as the same unknown one.
    "天气",
    "音乐",
    "足球",
    "雨傘",
    "ラーメン",
    "기차",
)


class ChunkScorer:
    """The scorer of candidate chunks for questions."""

    def __init__(self, embedder: Embedder):
        self.embedder = embedder

    def score_candidates(
        self, question: str, vector: np.ndarray | None, candidates: Sequence[ChunkCandidate]
    ) -> list[float]:
        """Return a score for each candidate; by terms alone where the question or its sentences have no vectors."""
        wanted_terms = frozenset(extract_terms(question))
        floor = 0.0 if vector is None else self._measure_unrelated_similarity(vector)
        return [
            _combine_scores(_score_similarity(vector, candidate, floor), floor, _score_words(wanted_terms, candidate))
            for candidate in candidates
        ]

    def _measure_unrelated_similarity(self, vector: np.ndarray) -> float:
        return float(np.clip(np.nan_to_num(self._unrelated_vectors @ vector).max(), 0.0, 0.99))

    @cached_property
    def _unrelated_vectors(self) -> np.ndarray:
        return self.embedder.encode(UNRELATED_SENTENCES)


def _combine_scores(similarity: float | None, floor: float, term_share: float) -> float:
    if similarity is None:
        return term_share
    trust = (1.0 - floor) ** 2
    return float(round_for_comparison((trust * similarity + WORDS_WEIGHT * term_share) / (trust + WORDS_WEIGHT)))


def _score_similarity(vector: np.ndarray | None, candidate: ChunkCandidate, floor: float) -> float | None:
    if vector is None or candidate.vectors is None:
        return None
    best = float(np.nan_to_num(candidate.vectors @ vector, nan=-1.0, posinf=-1.0, neginf=-1.0).max())
    return float(np.clip((best - floor) / (1.0 - floor), 0.0, 1.0))


def _score_words(wanted_terms: Collection[str], candidate: ChunkCandidate) -> float:
    if not wanted_terms:
        return 0.0
    chunk_share = compute_term_share(wanted_terms, candidate.terms)
    if chunk_share == 0.0:
        return 0.0
    return 0.5 * chunk_share + 0.5 * max(
        (compute_term_share(wanted_terms, extract_term_set(text)) for text in candidate.sentences), default=0.0
    )


def compute_term_share(wanted_terms: Collection[str], present_terms: frozenset[str]) -> float:
    """Return the share of the wanted terms that are present."""
    return sum(term in present_terms or _occurs_in_any(term, present_terms) for term in wanted_terms) / len(
        wanted_terms
    )


def _occurs_in_any(term: str, present_terms: frozenset[str]) -> bool:
    return is_cjk_character(term) and any(term in present_term for present_term in present_terms)


@lru_cache(maxsize=50_000)  # the same sentences are found again and again; about 1 kB each
def extract_term_set(text: str) -> frozenset[str]:
    return frozenset(extract_terms(text))
