"""Terms of passages and their BM25 scores."""

import numpy as np

from highlighter.evidence.features import compute_bm25, extract_terms


def test_words_with_the_same_stem_have_the_same_term():
    assert set(extract_terms("flooding quays")) == set(extract_terms("the quay floods"))


def test_chinese_terms_are_bigrams():
    assert extract_terms("完工日期") == ["完工", "工日", "日期"]


def test_full_width_digits_equal_half_width_digits():
    assert extract_terms("１４ days") == extract_terms("14 days")


def test_sentence_that_shares_rare_words_has_the_best_score():
    sentences = ["The works begin in May.", "The works end in June.", "Delay damages are four pounds a day."]
    assert int(np.argmax(compute_bm25("What are the delay damages?", sentences))) == 2


def test_word_in_every_sentence_counts_less_than_a_word_in_one():
    scores = compute_bm25("ferry tickets", ["The ferry sails.", "Ferry tickets are sold.", "The ferry rests."])
    assert scores[1] > 2 * scores[0]


def test_score_is_zero_without_shared_words():
    assert compute_bm25("zebra", ["The ferry sails.", ""]).tolist() == [0.0, 0.0]
    assert compute_bm25("?", []).tolist() == []
