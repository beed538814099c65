import numpy as np

from highlighter.evidence.words import bm25, terms


def test_words_meet_by_their_stems():
    assert set(terms("flooding quays")) == set(terms("the quay floods"))


def test_chinese_is_counted_by_two_neighbouring_characters():
    assert terms("完工日期") == ["完工", "工日", "日期"]


def test_full_width_digits_are_the_digits():
    assert terms("１４ days") == terms("14 days")


def test_the_sentence_that_shares_rare_words_comes_first():
    sentences = ["The works begin in May.", "The works end in June.", "Delay damages are four pounds a day."]
    assert int(np.argmax(bm25("What are the delay damages?", sentences))) == 2


def test_a_word_in_every_sentence_counts_less_than_a_word_in_one():
    scores = bm25("ferry tickets", ["The ferry sails.", "Ferry tickets are sold.", "The ferry rests."])
    assert scores[1] > 2 * scores[0]


def test_nothing_shared_is_nothing():
    assert bm25("zebra", ["The ferry sails.", ""]).tolist() == [0.0, 0.0]
    assert bm25("?", []).tolist() == []
