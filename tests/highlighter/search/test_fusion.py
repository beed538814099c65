from highlighter.search.hybrid_search import fuse_rankings


def test_item_high_in_both_rankings_is_first():
    assert fuse_rankings([["a", "b", "c"], ["b", "d"]])[0] == "b"


def test_fusion_keeps_every_item_once():
    assert sorted(fuse_rankings([["a", "b"], ["b", "c"], []])) == ["a", "b", "c"]


def test_single_ranking_keeps_its_order():
    assert fuse_rankings([list("dacb")]) == list("dacb")
