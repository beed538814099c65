import numpy as np
import pytest

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
        return scorer.score_candidates(question, embedder.encode_question(question) if model else None, [candidate])[0]

    return score


def test_the_same_words_score_1_and_unrelated_ones_0(score):
    assert score("The ferry leaves at seven.", "The ferry leaves at seven.") == pytest.approx(1, abs=0.01)
    assert score("The ferry leaves at seven.", "Amortised cost is measured yearly.") < 0.05


def test_the_better_the_answer_the_higher_the_score(score):
    question = "When does the ferry leave the island?"
    falling = [
        score(question, "The ferry leaves the island at seven in the morning."),
        score(question, "Tickets for the ferry are sold on board."),
        score(question, "Dogs must be kept on a lead."),
    ]
    assert falling == sorted(falling, reverse=True)


def test_the_same_meaning_in_other_words_passes_the_default_minimum(score):
    assert score("When does the ferry leave the island?", "The boat departs at seven.") >= 0.25
    assert score("Can I bring my dog?", "Pets are allowed on the premises.") >= 0.25


def test_another_sentence_beside_it_takes_nothing_away(score):
    alone = score("When does the ferry leave?", "The ferry leaves at seven.")
    beside = score("When does the ferry leave?", "Dogs need a lead.", "The ferry leaves at seven.")
    assert beside == pytest.approx(alone, abs=1e-4)


def test_where_the_model_finds_all_alike_words_decide(score):
    assert score("早餐", "早餐由七时三十分供应。") > 0.6
    assert score("假期", "早餐由七时三十分供应。") < 0.1


def test_without_a_model_the_score_is_the_share_of_words(score):
    assert score("ferry island", "The ferry leaves.", "The island sleeps.", model=False) == pytest.approx(0.75)
    assert score("whale", "The ferry leaves.", model=False) == 0


def test_vectors_gone_wrong_do_not_break_it(embedder):
    broken = ChunkCandidate(ChunkKey("d", 1, 0), frozenset(), ("One.",), np.full((1, 384), np.nan, np.float32))
    assert ChunkScorer(embedder).score_candidates("One?", embedder.encode_question("One?"), [broken]) == [0.0]


def test_one_character_is_held_by_every_word_it_is_part_of():
    assert compute_term_share({"船"}, frozenset({"漁船"})) == 1
    assert compute_term_share({"船"}, frozenset({"漁民"})) == 0
