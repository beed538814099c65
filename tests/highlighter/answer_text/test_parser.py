"""An answer's text as blocks: what is structure in each format, where markers stand, what a claim covers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from highlighter.answer_text.markdown_parser import parse_markdown
from highlighter.answer_text.parser import parse_answer, remove_notes
from highlighter.answer_text.styled_characters import iterate_characters
from highlighter.answer_text.tree import (
    CELL,
    HEADING,
    LIST,
    NOTES,
    PARAGRAPH,
    ROW,
    AnswerBlock,
    AnswerMarker,
    find_markers,
    iterate_runs,
)
from tests.highlighter.answer_text.answers import CITED, answer, cited
from tests.properties import given, st

# Also what is space to Python and not to Markdown, and what is more than one letter there.
SIGNS = st.sampled_from([
    "a", "甲", "😀", "1. ", "- ", "> ", "# ", "|", "\n|---|---|\n", "*", "**", "_", "`", "```", "~~~", "\\", "&amp;", "&#65;",
    "[", "](", "<b>", "===", "---", " ", "    ", "\t", "\n", "\n\n", "\u00a0", "\u3000", "\x85", "\u2028", "\x0c",
])  # fmt: skip


def outline(blocks: tuple[AnswerBlock, ...]) -> list:
    """Return kinds and texts, with what a block holds after it."""
    return [(one.kind, outline(one.children) if one.children else one.text) for one in blocks]


def runs(text: str, markdown: bool = True, **rest) -> list:
    return list(iterate_runs(parse_answer(cited(text, **rest), markdown)))


def styled(text: str) -> list[tuple[str, str]]:
    names = ("bold", "italic", "code")
    return [(run.text, " ".join(name for name in names if getattr(run, name))) for run in runs(text)]


def test_plain_text_has_lists_and_titles_and_no_markup():
    made = answer("Who pays?\n- **A**\n\n- # B\n\nThat is `all`.\nReally.\n\nWhen?", titles=["Who pays?", "When?"])
    assert outline(parse_answer(made, False)) == [
        (HEADING, "Who pays?"),
        (LIST, [("item", [(PARAGRAPH, "**A**")]), ("item", [(PARAGRAPH, "# B")])]),
        (PARAGRAPH, "That is `all`.\nReally."), (HEADING, "When?"),
    ]  # fmt: skip
    assert not any(run.bold or run.code for run in iterate_runs(parse_answer(made, False)))


def test_one_question_is_no_title():
    assert outline(parse_answer(answer("Who pays?\nBoats.", titles=["Who pays?"]), False)) == [
        (PARAGRAPH, "Who pays?\nBoats.")
    ]


def test_a_line_of_markdown_that_is_bold_as_a_whole_is_a_title():
    made = answer("**Who pays?**\nBoats *do*.\n- **all**\n\n**Boats** pay.\n**When?**")
    assert outline(parse_answer(made, True)) == [
        (HEADING, "Who pays?"), (PARAGRAPH, "Boats do."), (LIST, [("item", [(PARAGRAPH, "all")])]),
        (PARAGRAPH, "Boats pay."), (HEADING, "When?"),
    ]  # fmt: skip


def test_headings_have_two_levels_whatever_signs_a_model_uses():
    assert [one.level for one in parse_answer(answer("## A\n#### B\n### C\n## D"), True)] == [1, 2, 2, 1]
    assert [one.level for one in parse_answer(answer("#### A"), True)] == [1]


def test_styles_nest_and_escapes_are_letters():
    assert styled(r"a **b *c*** `d*e` \*f\* &amp; g_h_i 2 * 3") == [
        ("a ", ""), ("b ", "bold"), ("c", "bold italic"), (" ", ""), ("d*e", "code"), (" *f* & g_h_i 2 * 3", ""),
    ]  # fmt: skip


def test_bold_type_in_chinese_needs_no_spaces():
    assert styled("依據**「合約」**後面，**工程師：**必須") == [
        ("依據", ""), ("「合約」", "bold"), ("後面，", ""), ("工程師：", "bold"), ("必須", ""),
    ]  # fmt: skip
    assert styled("甲 * 乙 * 丙 2**3") == [("甲 * 乙 * 丙 2**3", "")]


def test_a_row_keeps_the_cells_that_its_heading_has_no_column_for():
    (table,) = parse_answer(cited(f"| A | B |\n|---|---|\n| a\\|b | `c` | {CITED} |\n| d |"), True)
    assert outline(table.children) == [
        (ROW, [(CELL, "A"), (CELL, "B")]), (ROW, [(CELL, "a|b"), (CELL, "c"), (CELL, CITED)]), (ROW, [(CELL, "d")]),
    ]  # fmt: skip


def test_links_images_and_html_are_text():
    text = "[see](http://x.example) ![x](http://x.example/a.png) <b>4</b> <http://x.example>\n\n[r]: http://x.example"
    assert [one.text for one in parse_answer(answer(text), True)] == text.split("\n\n")


def test_numbered_lists_keep_their_first_number():
    first, second = parse_answer(answer("3. a\n4. b\n\n- c"), True)
    assert (first.first, second.first) == (3, None)


@given(st.lists(SIGNS, max_size=30).map("".join))
def test_every_letter_of_markdown_has_its_offset(text):
    for letter in iterate_characters(parse_markdown(text, frozenset())):
        there = text[letter.offset : letter.offset + 1]
        assert there == letter.text or letter.text.isspace() or there in ("&", "\\")


@pytest.mark.parametrize("markdown", [True, False])
def test_a_marker_is_one_run_whatever_it_holds(markdown):
    text = f"𝔸 😀 避風塘 “Boats pay.”{CITED} More."
    found = [(run.text, bool(run.marker)) for run in runs(text, markdown)]
    assert found == [("𝔸 😀 避風塘 “Boats pay.”", False), (CITED, True), (" More.", False)]


def test_offsets_hold_with_the_line_ends_of_other_systems():
    text = f"One **two**\r\nthree {CITED}.\r\rA \0 {CITED} end"
    found = [run.text for run in runs(text, claims=[(text.index("end"), len(text))]) if run.marker or run.claim == 0]
    assert found == [CITED, CITED, "end"]


def test_citations_that_share_a_place_share_a_marker():
    made = answer("So it is [A, p.1; B, p.2].", [(9, 25), (17, 25)])
    assert find_markers(made) == [AnswerMarker(9, 25, (0, 1))]


def test_a_citation_outside_the_text_has_no_marker():
    made = answer("Short.", [(0, 6)])
    beyond = replace(made, citations=(replace(made.citations[0], end=99),))
    assert [run.text for run in iterate_runs(parse_answer(beyond, True))] == ["Short."]


def test_a_doubted_claim_covers_its_words_and_ends_once():
    text = f"Boats pay. Late **ones** pay {CITED}. True."
    found = runs(text, claims=[(11, text.index(" True"))])
    assert [(run.text, run.claim, run.ends_claim) for run in found] == [
        ("Boats pay. ", -1, False), ("Late ", 0, False), ("ones", 0, False), (" pay ", 0, False), (CITED, 0, False),
        (".", 0, True), (" True.", -1, False),
    ]  # fmt: skip


@pytest.mark.parametrize("markdown", [True, False])
def test_a_claim_over_two_items_ends_once(markdown):
    assert [run.ends_claim for run in runs("- One thing\n- and another.", markdown, claims=[(2, 26)])] == [False, True]


@pytest.mark.parametrize("mark", ["¹", "[1]"])
@pytest.mark.parametrize("markdown", [True, False])
def test_the_list_that_footnotes_point_at_can_be_left_out(mark, markdown):
    made = answer(f"- Yes {mark}\n\n{mark} Harbour, p.2\n\nA warning.", [(6, 6 + len(mark))])
    blocks = parse_answer(made, markdown)
    assert [one.kind for one in blocks] == [LIST, NOTES, PARAGRAPH]
    assert [one.kind for one in remove_notes(blocks, made)] == [LIST, PARAGRAPH]
    other = answer(f"{mark} is cited first.", [(0, len(mark))])
    assert [one.kind for one in parse_answer(other, markdown)] == [PARAGRAPH]
