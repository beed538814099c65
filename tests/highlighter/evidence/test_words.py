import numpy as np

from highlighter.evidence.features import compute_bm25, extract_terms


def test_words_meet_by_their_stems():
    assert set(extract_terms("flooding quays")) == set(extract_terms("the quay floods"))


def test_chinese_is_counted_by_two_neighbouring_characters():
    assert extract_terms("完工日期") == ["完工", "工日", "日期"]


def test_full_width_digits_are_the_digits():
    assert extract_terms("１４ days") == extract_terms("14 days")


def test_the_sentence_that_shares_rare_words_comes_first():
    sentences = ["The works begin in May.", "The works end in June.", "Delay damages are four pounds a day."]
    assert int(np.argmax(compute_bm25("What are the delay damages?", sentences))) == 2


def test_a_word_in_every_sentence_counts_less_than_a_word_in_one():
    scores = compute_bm25("ferry tickets", ["The ferry sails.", "Ferry tickets are sold.", "The ferry rests."])
    assert scores[1] > 2 * scores[0]


def test_nothing_shared_is_nothing():
    assert compute_bm25("zebra", ["The ferry sails.", ""]).tolist() == [0.0, 0.0]
    assert compute_bm25("?", []).tolist() == []
