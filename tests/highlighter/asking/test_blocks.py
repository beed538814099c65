"""From an answer's text to what a template loops over: every character once, marks in their places."""

from __future__ import annotations

import random

import pytest

from highlighter.asking.blocks import blocks, marks
from tests.highlighter.asking.made import answer

MARK = "[Harbour, p.2]"


def said(made, markdown=False) -> list[tuple[str, list[str]]]:
    return [
        (block.kind, ["|".join(_text(cell) for cell in line) for line in block.lines])
        for block in blocks(made, markdown)
    ]


def _text(cell) -> str:
    return "".join(piece.text for stretch in cell for piece in stretch.pieces)


def pieces(made, markdown=False) -> list:
    return [
        piece
        for block in blocks(made, markdown)
        for line in block.lines
        for cell in line
        for stretch in cell
        for piece in stretch.pieces
    ]


def test_a_mark_is_cut_out_of_the_text_by_code_points():
    made = answer(f"𝔸 😀 避風塘 “Boats pay.” {MARK} More.", [{"label": MARK}])
    found = [(piece.text, bool(piece.mark)) for piece in pieces(made)]
    assert found == [("𝔸 😀 避風塘 “Boats pay.” ", False), (MARK, True), (" More.", False)]


def test_several_citations_may_share_a_mark_and_none_is_lost():
    made = answer("So it is [A, p.1; B, p.2].", [{"label": "[A, p.1; B, p.2]"}, {"label": "B, p.2]"}])
    (mark,) = [piece.mark for piece in pieces(made) if piece.mark]
    assert mark.citations == (0, 1)
    assert (mark.start, mark.end) == (9, 25)


def test_a_mark_that_means_no_source_stays_what_it_was():
    made = answer(f"Yes [Moon, p.9] and {MARK}.", [{"label": MARK}], [{"label": "[Moon, p.9]"}])
    assert [(piece.text, piece.mark.lost, piece.mark.citations) for piece in pieces(made) if piece.mark] == [
        ("[Moon, p.9]", 0, ()), (MARK, -1, (0,)),
    ]  # fmt: skip


def test_a_doubted_claim_is_one_stretch_with_its_marks_and_says_where_it_ends():
    made = answer(
        f"Boats pay. Late ones pay a fine {MARK}. True.", [{"label": MARK}],
        claims=[{"said": "Boats pay.", "verdict": "supported"}, {"said": f"Late ones pay a fine {MARK}.", "verdict": "unsupported"}],
    )  # fmt: skip
    (line,) = blocks(made)[0].lines
    assert [(_text((one,)), one.claim, one.ends) for one in line[0]] == [
        ("Boats pay. ", -1, False), (f"Late ones pay a fine {MARK}.", 1, True), (" True.", -1, False),
    ]  # fmt: skip


def test_a_claim_over_two_lines_ends_once():
    made = answer("- One thing\n- and another.", claims=[{"said": "One thing\n- and another.", "verdict": "partly"}])
    ends = [one.ends for block in blocks(made) for line in block.lines for one in line[0]]
    assert ends == [False, True]


def test_lists_titles_and_paragraphs_are_told_apart():
    made = answer("**Who pays?**\n- “A.”\n- “B.”\n\nThat is all.\nReally.")
    assert said(made) == [("heading", ["Who pays?"]), ("list", ["“A.”", "“B.”"]), ("text", ["That is all.", "Really."])]


def test_the_list_that_footnotes_point_at_is_told_apart():
    made = answer("“Boats pay.” ¹\n\n¹ Harbour, p.2", [{"label": "¹"}])
    assert said(made) == [("text", ["“Boats pay.” ¹"]), ("notes", ["¹ Harbour, p.2"])]
    assert [kind for kind, _ in said(answer("[1] is cited first.", [{"label": "[1]"}]))] == ["text"]


def test_sub_questions_are_titles():
    parts = [{"text": text, "sentences": 1, "documents": 1} for text in ("Who pays?", "When?")]
    made = answer("Who pays?\n“Boats.”\n\nWhen?\n“At noon.”", sub_questions=parts)
    assert [kind for kind, _ in said(made)] == ["heading", "text", "heading", "text"]


def test_markdown_is_understood_only_where_it_was_asked_for():
    text = f"# Fees\n| Boat | Fee |\n|---|---|\n| **Small** | 4 {MARK} |\n\nA **strong** word, 2 ** 3."
    made = answer(text, [{"label": MARK}])
    assert said(made, markdown=True) == [
        ("heading", ["Fees"]), ("table", [" Boat | Fee ", f" Small | 4 {MARK} "]), ("text", ["A strong word, 2 ** 3."]),
    ]  # fmt: skip
    assert [piece.text for piece in pieces(made, markdown=True) if piece.strong] == ["Small", "strong"]
    assert "\n".join(line for _, lines in said(made) for line in lines) == text.replace("\n\n", "\n")


@pytest.mark.parametrize("markdown", [True, False])
def test_whatever_the_spans_no_mark_is_cut_or_shown_twice(markdown):
    chance = random.Random(7)
    for _ in range(300):
        text = "".join(chance.choice("ab *|#-\n[]😀") for _ in range(60))
        spans = [sorted(chance.sample(range(61), 2)) for _ in range(6)]
        made = answer(text).model_copy(
            update={
                "citations": [answer("[x]", [{"label": "[x]"}]).citations[0].model_copy(update={"start": a, "end": b}) for a, b in spans[:3]],
                "claims": [answer("x", claims=[{"said": "x", "verdict": "partly"}]).claims[0].model_copy(update={"start": a, "end": b}) for a, b in spans[3:]],
            }
        )  # fmt: skip
        shown = [piece.mark for piece in pieces(made, markdown) if piece.mark]
        assert len(shown) == len(set(shown))
        assert sum(len(mark.citations) for mark in marks(made)) == 3
        if not markdown:
            assert set(shown) >= {mark for mark in marks(made) if text[mark.start : mark.end].strip(" *-\n")}
            rest = [letter for at, letter in enumerate(text) if not any(m.start <= at < m.end for m in marks(made))]
            kept = "".join(piece.text for piece in pieces(made) if not piece.mark)
            assert [letter for letter in kept if letter not in " *-\n"] == [c for c in rest if c not in " *-\n"]


def test_places_that_are_none_are_passed_over():
    made = answer("Short.", [{"label": "Short."}])
    beyond = made.model_copy(update={"citations": [made.citations[0].model_copy(update={"end": 99})]})
    assert marks(beyond) == []
    assert [piece.text for piece in pieces(beyond)] == ["Short."]
