from highlighter.search.fusion import fused


def test_what_stands_high_in_both_stands_first():
    assert fused([["a", "b", "c"], ["b", "d"]])[0] == "b"


def test_nothing_is_lost_and_nothing_doubled():
    assert sorted(fused([["a", "b"], ["b", "c"], []])) == ["a", "b", "c"]


def test_one_ranking_keeps_its_order():
    assert fused([list("dacb")]) == list("dacb")
