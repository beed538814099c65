"""An answer's text in paragraphs and runs: every word of it once, every mark where it stood."""

import pytest

from highlighter.generation.answer import Answer
from highlighter.generation.laid_out import HEADING, ITEM, TEXT, paragraphs, without_list
from highlighter.models import Citation, Unresolved
from tests.properties import given, st


def answer(text, marks=(), unresolved=()):
    cited = tuple(
        Citation(n, text[a:b], a, b, "exact", 0, "", "", "", 0, None, None, "", 0, 0)
        for n, (a, b) in enumerate(marks, 1)
    )
    return Answer("a", "?", text, (), cited, tuple(Unresolved(text[a:b], a, b, "unknown") for a, b in unresolved))


def shown(made):
    return [(one.kind, [(run.text, run.citation, run.unresolved) for run in one.runs]) for one in paragraphs(made)]


def test_marks_and_words_in_turn():
    assert shown(answer("Yes [A]. No [B].", [(4, 7)], [(12, 15)])) == [
        (TEXT, [("Yes ", None, None), ("[A]", 0, None), (". No ", None, None), ("[B]", None, 0), (".", None, None)])
    ]


def test_lists_and_headings_are_told_from_text():
    assert [(one.kind, one.text) for one in paragraphs(answer("# One\n**Two**\n- a\n* b\n\nc **d** e"))] == [
        (HEADING, "One"), (HEADING, "Two"), (ITEM, "a"), (ITEM, "b"), (TEXT, "c d e")
    ]  # fmt: skip
    assert [run.bold for run in paragraphs(answer("c **d** e"))[0].runs] == [False, True, False]


def test_two_marks_of_one_place_both_stand():
    (line,) = paragraphs(answer("See [A; B].", [(4, 10), (4, 10)]))
    assert [(run.text, run.citation) for run in line.runs if run.citation is not None] == [("[A; B]", 0), ("", 1)]


def test_a_mark_without_words_stands_where_it_is():
    (line,) = paragraphs(answer("Yes.", [(4, 4)]))
    assert [(run.text, run.citation) for run in line.runs] == [("Yes.", None), ("", 0)]


@pytest.mark.parametrize("mark", ["¹", "[1]"])
def test_the_list_at_the_end_can_be_left_out(mark):
    text = f"Yes {mark}\n\n{mark} The contract, p.2"
    made = answer(text, [(4, 4 + len(mark))])
    assert [one.text for one in without_list(made, paragraphs(made))] == [f"Yes {mark}"]


@given(st.text("ab *-#[]\n", max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=4))
def test_no_mark_is_lost_and_no_letter(text, places):
    marks = [(min(a, len(text)), min(a + n, len(text))) for a, n in places]
    runs = [run for one in paragraphs(answer(text, marks)) for run in one.runs]
    assert {run.citation for run in runs if run.citation is not None} == set(range(len(marks)))
    letters = "".join(c for run in runs for c in run.text if c in "ab")
    assert letters == "".join(c for c in text if c in "ab")
