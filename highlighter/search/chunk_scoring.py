"""The score of a chunk for a question: a number from 0 to 1 that depends on these two alone.

The score combines two numbers. *Similarity* is the cosine of the question and the chunk's best sentence, scaled from what
unrelated sentences reach (0) to identical text (1). *Term share* is the share of the question's terms in the chunk, and in
its best sentence, half and half. Where an embedder that may not know a script rates unrelated sentences as similar, its
similarity has little weight. As nothing else of the library influences this score, it is the same however a chunk was found and whatever else was found,
and reveals nothing of documents that the asker may not see. A search may raise it for what the question reader reads: see `reading_across_languages.py`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.across_languages import are_sentences
from highlighter.rounding import round_for_comparison
from highlighter.store.chunk_search import ChunkCandidate, ChunkKey
from highlighter.text.function_words import FUNCTION_WORDS
from highlighter.text.language import detect_language, get_base_language
from highlighter.text.terms import extract_search_terms, extract_terms, is_cjk_character

# The weight of the term share relative to a fully trusted similarity. A higher value demands the question's own words.
WORDS_WEIGHT = 0.5
# What unrelated sentences in another language reach, in any script: so much, and a share of what everyday sentences reach.
ACROSS_LANGUAGES_FLOOR, ACROSS_LANGUAGES_SHARE = 0.095, 0.4

# The first sentences of a chunk, by which its language is told.
MAX_LANGUAGE_SENTENCES = 5

# The nearest of the following sentences to a question, whose mean similarity counts.
NEAREST_UNRELATED = 5
# Everyday sentences that no question to a library is about. The similarity of a question to the nearest of them in the
# candidate's script is what "unrelated" means to this embedder: about 0.1 for MiniLM in English, 0.5 in Chinese, which it
# hardly knows. Other models are measured by the same sentences.
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


@dataclass(frozen=True, slots=True)
class QuestionComparison:
    """A vector of a question, and what "unrelated" means to it in each script; "" for all of them."""

    vector: np.ndarray
    floors: Mapping[str, float]

    def compare(self, vectors: np.ndarray) -> np.ndarray:
        """Return the similarities of sentences, rounded so that the first of equal ones is the nearest everywhere."""
        similarities = np.nan_to_num(vectors @ self.vector, nan=-1.0, posinf=-1.0, neginf=-1.0)
        return round_for_comparison(similarities)

    def get_floor(self, sentence: str) -> float:
        return self.floors.get(name_script(sentence), self.floors[""])


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk with its score for a question, and whether it is in another language."""

    key: ChunkKey
    score: float
    is_across_languages: bool = False
    margin: float = 0.0  # by how much the question reader finds an answer, where it has to


class ChunkScorer:
    """The scorer of candidate chunks for questions."""

    def __init__(self, embedder: Embedder):
        self.embedder = embedder

    def score_candidates(
        self, question: str, vector: np.ndarray | None, candidates: Sequence[ChunkCandidate]
    ) -> list[ScoredChunk]:
        """Return each candidate with its score; by terms alone where the question or its sentences have no vectors."""
        language = detect_language(question)
        wanted_terms = _extract_content_terms(question, language)
        shares = [_score_words(wanted_terms, candidate) for candidate in candidates]
        if vector is None:
            return [ScoredChunk(candidate.key, share) for candidate, share in zip(candidates, shares, strict=True)]
        own = QuestionComparison(vector, self._measure_unrelated_similarities(vector))
        compare_across = cache(lambda: self._compare_across_languages(vector))  # most questions never need it
        return [
            self._score_candidate(own, compare_across, candidate, share, language)
            for candidate, share in zip(candidates, shares, strict=True)
        ]

    def _compare_across_languages(self, vector: np.ndarray) -> QuestionComparison:
        """Return the comparison of a question with sentences in other languages."""
        mapped = self.embedder.map_across_languages(vector)
        everyday = self._measure_unrelated_similarities(mapped)[""]
        return QuestionComparison(mapped, {"": ACROSS_LANGUAGES_FLOOR + ACROSS_LANGUAGES_SHARE * everyday})

    def _measure_unrelated_similarities(self, vector: np.ndarray) -> dict[str, float]:
        """Return the similarity of unrelated sentences to a question, by their script; "" for all of them."""
        similarities = np.nan_to_num(_encode_unrelated_sentences(self.embedder) @ vector)
        by_script = {script: similarities[rows] for script, rows in _list_unrelated_rows().items()}
        return {
            script: float(np.clip(np.sort(values)[-NEAREST_UNRELATED:].mean(), 0.0, 0.8))
            for script, values in {**by_script, "": similarities}.items()
        }

    def _score_candidate(
        self,
        own: QuestionComparison,
        compare_across: Callable[[], QuestionComparison],
        candidate: ChunkCandidate,
        term_share: float,
        question_language: str,
    ) -> ScoredChunk:
        if candidate.vectors is None:
            return ScoredChunk(candidate.key, term_share)
        bundled = self.embedder.bundled
        reads_every_script = bundled is not None and bundled.reads_every_script
        first_sentences = " ".join(candidate.sentences[:MAX_LANGUAGE_SENTENCES])
        is_across_languages = reads_every_script and _is_in_other_language(first_sentences, question_language)
        is_chunk_across_languages = is_across_languages
        comparison = compare_across() if is_across_languages else own
        similarities = comparison.compare(candidate.vectors)
        if is_across_languages:
            similarities = np.where(are_sentences(candidate.sentences), similarities, -1.0)
        best = int(similarities.argmax())
        sentence, best_similarity = candidate.sentences[best], float(similarities[best])
        if reads_every_script and is_across_languages != _is_in_other_language(
            sentence, question_language, otherwise=is_across_languages
        ):  # a sentence may be in another language than its chunk
            is_across_languages = not is_across_languages
            comparison = compare_across() if is_across_languages else own
            best_similarity = float(comparison.compare(candidate.vectors[best : best + 1])[0])
        floor = comparison.get_floor(sentence)
        words_weight = WORDS_WEIGHT
        if is_across_languages:
            words_weight *= term_share  # names and numbers at most: to lack the question's words says nothing
        ceiling, power = (bundled.same_text_similarity, bundled.similarity_power) if bundled else (1.0, 1.0)
        trust = 1.0 if reads_every_script else (1.0 - own.floors[""]) ** 2
        similarity = np.clip((best_similarity - floor) / (ceiling - floor), 0.0, 1.0) ** power
        score = float(round_for_comparison((trust * similarity + words_weight * term_share) / (trust + words_weight)))
        return ScoredChunk(candidate.key, score, is_chunk_across_languages)


@lru_cache(maxsize=2)
def _encode_unrelated_sentences(embedder: Embedder) -> np.ndarray:
    return embedder.encode(UNRELATED_SENTENCES)


@cache
def _list_unrelated_rows() -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {}
    for row, sentence in enumerate(UNRELATED_SENTENCES):
        rows.setdefault(name_script(sentence), []).append(row)
    return rows


def name_script(text: str) -> str:
    """Return the script of a text's first letter, all of China, Japan and Korea as one; "" without letters."""
    first = next((character for character in text if character.isalpha()), "")
    if not first:
        return ""
    return "CJK" if is_cjk_character(first) else unicodedata.name(first, "").partition(" ")[0]


def _extract_content_terms(question: str, language: str) -> frozenset[str]:
    """Return the terms of a question without those of its language's function words, unless it has no others."""
    terms = frozenset(extract_search_terms(question))
    return terms - _extract_function_terms(language) or terms


@cache
def _extract_function_terms(language: str) -> frozenset[str]:
    return frozenset(extract_terms(" ".join(FUNCTION_WORDS.get(language, ()))))


def _is_in_other_language(text: str, language: str, *, otherwise: bool = False) -> bool:
    """Return whether a text is in another language; `otherwise` where either language cannot be told."""
    written_in = detect_language(text) if language else ""
    return get_base_language(written_in) != get_base_language(language) if written_in else otherwise


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
    return frozenset(extract_search_terms(text))
