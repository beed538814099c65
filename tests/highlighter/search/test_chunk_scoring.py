import numpy as np
import pytest

from highlighter.search import MIN_SCORE
from highlighter.search.chunk_scoring import ChunkScorer, compute_term_share
from highlighter.store.chunk_search import ChunkCandidate, ChunkKey
from highlighter.text.terms import extract_terms


@pytest.fixture(scope="module")
def score(embedder):
    scorer = ChunkScorer(embedder)

    def score(question, *sentences, model=True):
        vectors = embedder.encode(sentences) if model else None
        all_terms = frozenset(term for sentence in sentences for term in extract_terms(sentence))
        candidate = ChunkCandidate(ChunkKey("d", 1, 0), all_terms, sentences, vectors)
        (scored,) = scorer.score_candidates(
            question, embedder.encode_question(question) if model else None, [candidate]
        )
        return scored.score

    return score


def test_same_text_scores_nearly_1_and_unrelated_text_0(score):
    assert score("The ferry leaves at seven.", "The ferry leaves at seven.") > 0.9
    assert score("The ferry leaves at seven.", "Amortised cost is measured yearly.") < 0.05


def test_better_answer_scores_higher(score):
    question = "When does the ferry leave the island?"
    scores = [
        score(question, "The ferry leaves the island at seven in the morning."),
        score(question, "Tickets for the ferry are sold on board."),
        score(question, "Dogs must be kept on a lead."),
    ]
    assert scores == sorted(scores, reverse=True)


def test_paraphrase_reaches_default_minimum_score(score):
    assert score("How long is the warranty?", "The guarantee ends two years after purchase.") >= MIN_SCORE
    assert score("Can I bring my dog?", "Pets are allowed on the premises.") >= MIN_SCORE


def test_passage_in_another_language_reaches_default_minimum_score(score):
    assert score("Who pays for delay?", "延誤的費用由承包商負擔。") >= MIN_SCORE
    assert score("¿Cuánto cuesta el billete?", "Tickets cost four pounds and are sold on board.") >= MIN_SCORE
    assert score("誰可以取消渡輪？", "The captain may cancel a crossing when the wind is strong.") >= MIN_SCORE


def test_sentence_in_another_language_than_its_chunk_scores_like_one_by_itself(score):
    question, answer = "When is the deposit paid back?", "Die Kaution wird sechs Wochen nach dem Auszug zurückgezahlt."
    around = ("The landlord sent this notice to all tenants.", "The tenants asked for a translation of the notice.")
    assert score(question, around[0], answer, around[1]) == pytest.approx(score(question, answer), abs=0.02)


@pytest.mark.parametrize(
    ("sentences", "count"),
    [
        (("The ferry leaves the island at seven in the morning.",) * 2, 0),
        (("Die Fähre legt jeden Morgen um sieben Uhr von der Insel ab.",) * 2, 1),
    ],
    ids=["one language", "two languages"],
)
def test_question_is_mapped_across_languages_once_and_only_where_it_is_needed(embedder, monkeypatch, sentences, count):
    mapped, map_across_languages = [], embedder.map_across_languages
    monkeypatch.setattr(
        embedder, "map_across_languages", lambda vector: mapped.append(vector) or map_across_languages(vector)
    )
    candidates = [
        ChunkCandidate(ChunkKey("d", 1, number), frozenset(), (sentence,), embedder.encode([sentence]))
        for number, sentence in enumerate(sentences)
    ]
    question = "When does the ferry leave the island?"
    ChunkScorer(embedder).score_candidates(question, embedder.encode_question(question), candidates)
    assert len(mapped) == count


def test_other_sentences_of_chunk_do_not_lower_score(score):
    alone = score("When does the ferry leave?", "The ferry leaves at seven.")
    with_other = score("When does the ferry leave?", "Dogs need a lead.", "The ferry leaves at seven.")
    assert with_other == pytest.approx(alone, abs=1e-4)


def test_last_bits_of_similarities_do_not_choose_the_sentence(embedder):
    """Processors differ in them, and the script of the nearest sentence decides what counts as unrelated."""
    question, sentences = "Who pays for delay?", ("The contractor pays for it.", "費用由承包商負擔。")
    vector, near = embedder.encode_question(question), embedder.encode(sentences[:1])[0]

    def score(*lengths):
        vectors = np.outer(lengths, near).astype(np.float32)
        candidate = ChunkCandidate(ChunkKey("d", 1, 0), frozenset(), sentences, vectors)
        return ChunkScorer(embedder).score_candidates(question, vector, [candidate])

    assert score(1, 1 + 5e-7) == score(1 + 5e-7, 1)


def test_terms_decide_where_model_finds_everything_similar(score):
    assert score("早餐", "早餐由七时三十分供应。") > 0.6
    assert score("假期", "早餐由七时三十分供应。") < 0.15


def test_score_without_model_is_term_share(score):
    assert score("ferry island", "The ferry leaves.", "The island sleeps.", model=False) == pytest.approx(0.75)
    assert score("whale", "The ferry leaves.", model=False) == 0


def test_invalid_vectors_score_0(embedder):
    broken = ChunkCandidate(ChunkKey("d", 1, 0), frozenset(), ("One.",), np.full((1, 384), np.nan, np.float32))
    (scored,) = ChunkScorer(embedder).score_candidates("One?", embedder.encode_question("One?"), [broken])
    assert scored.score == 0.0


def test_chinese_character_matches_every_word_that_contains_it():
    assert compute_term_share({"船"}, frozenset({"漁船"})) == 1
    assert compute_term_share({"船"}, frozenset({"漁民"})) == 0
