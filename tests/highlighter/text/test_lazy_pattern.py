import copy
import re

import pytest

from highlighter.text.lazy_pattern import compile_later


def test_pattern_behaves_like_a_compiled_one():
    later, now = compile_later(r"(?P<word>b)|c", re.IGNORECASE), re.compile(r"(?P<word>b)|c", re.IGNORECASE)
    assert later.pattern == now.pattern
    assert (later.groupindex, later.flags) == (now.groupindex, now.flags)
    assert later.sub("-", "aBc") == now.sub("-", "aBc") == "a--"
    assert later.split("aBc") == now.split("aBc")
    assert [match["word"] for match in later.finditer("aBc")] == ["B", None]
    assert copy.deepcopy(later).search("B")


def test_pattern_is_compiled_when_it_is_first_used():
    wrong = compile_later("(")
    assert wrong.pattern == "("
    with pytest.raises(re.error):
        wrong.search("a")
