from highlighter.search.hybrid_search import fuse_rankings


def test_what_stands_high_in_both_stands_first():
    assert fuse_rankings([["a", "b", "c"], ["b", "d"]])[0] == "b"


def test_nothing_is_lost_and_nothing_doubled():
    assert sorted(fuse_rankings([["a", "b"], ["b", "c"], []])) == ["a", "b", "c"]


def test_one_ranking_keeps_its_order():
    assert fuse_rankings([list("dacb")]) == list("dacb")
