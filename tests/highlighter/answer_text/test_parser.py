"""Parsing answers: the structure in each format, and the positions of markers and claims."""

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
from tests.properties import example, given, st

# Includes white space that only Python strips, and signs of more than one character.
FRAGMENTS = st.sampled_from([
    "a", "甲", "😀", "1. ", "- ", "> ", "# ", "|", "\n|---|---|\n", "*", "**", "_", "`", "```", "~~~", "\\", "&amp;", "&#65;",
    "[", "](", "<b>", "===", "---", " ", "    ", "\t", "\n", "\n\n", "\u00a0", "\u3000", "\x85", "\u2028", "\x0c",
])  # fmt: skip


def outline(blocks: tuple[AnswerBlock, ...]) -> list:
    """Return the kind of each block with its children or its text."""
    return [(block.kind, outline(block.children) if block.children else block.text) for block in blocks]


def parse_runs(text: str, is_markdown: bool = True, **options) -> list:
    return list(iterate_runs(parse_answer(cited(text, **options), is_markdown)))


def parse_styles(text: str) -> list[tuple[str, str]]:
    names = ("bold", "italic", "code")
    return [(run.text, " ".join(name for name in names if getattr(run, name))) for run in parse_runs(text)]


def test_plain_text_has_lists_and_titles_but_no_markup():
    plain_answer = answer(
        "Who pays?\n- **A**\n\n- # B\n\nThat is `all`.\nReally.\n\nWhen?", titles=["Who pays?", "When?"]
    )
    assert outline(parse_answer(plain_answer, False)) == [
        (HEADING, "Who pays?"),
        (LIST, [("item", [(PARAGRAPH, "**A**")]), ("item", [(PARAGRAPH, "# B")])]),
        (PARAGRAPH, "That is `all`.\nReally."), (HEADING, "When?"),
    ]  # fmt: skip
    assert not any(run.bold or run.code for run in iterate_runs(parse_answer(plain_answer, False)))


def test_single_question_is_no_title():
    assert outline(parse_answer(answer("Who pays?\nBoats.", titles=["Who pays?"]), False)) == [
        (PARAGRAPH, "Who pays?\nBoats.")
    ]


def test_completely_bold_line_is_a_heading():
    markdown_answer = answer("**Who pays?**\nBoats *do*.\n- **all**\n\n**Boats** pay.\n**When?**")
    assert outline(parse_answer(markdown_answer, True)) == [
        (HEADING, "Who pays?"), (PARAGRAPH, "Boats do."), (LIST, [("item", [(PARAGRAPH, "all")])]),
        (PARAGRAPH, "Boats pay."), (HEADING, "When?"),
    ]  # fmt: skip


def test_headings_have_two_levels():
    assert [block.level for block in parse_answer(answer("## A\n#### B\n### C\n## D"), True)] == [1, 2, 2, 1]
    assert [block.level for block in parse_answer(answer("#### A"), True)] == [1]


def test_styles_nest_and_escapes_are_literal():
    assert parse_styles(r"a **b *c*** `d*e` \*f\* &amp; g_h_i 2 * 3") == [
        ("a ", ""), ("b ", "bold"), ("c", "bold italic"), (" ", ""), ("d*e", "code"), (" *f* & g_h_i 2 * 3", ""),
    ]  # fmt: skip


def test_bold_text_in_chinese_needs_no_spaces():
    assert parse_styles("依據**「合約」**後面，**工程師：**必須") == [
        ("依據", ""), ("「合約」", "bold"), ("後面，", ""), ("工程師：", "bold"), ("必須", ""),
    ]  # fmt: skip
    assert parse_styles("甲 * 乙 * 丙 2**3") == [("甲 * 乙 * 丙 2**3", "")]


def test_row_keeps_cells_beyond_the_columns_of_the_heading():
    (table,) = parse_answer(cited(f"| A | B |\n|---|---|\n| a\\|b | `c` | {CITED} |\n| d |"), True)
    assert outline(table.children) == [
        (ROW, [(CELL, "A"), (CELL, "B")]), (ROW, [(CELL, "a|b"), (CELL, "c"), (CELL, CITED)]), (ROW, [(CELL, "d")]),
    ]  # fmt: skip


def test_links_images_and_html_are_literal():
    text = "[see](http://x.example) ![x](http://x.example/a.png) <b>4</b> <http://x.example>\n\n[r]: http://x.example"
    assert [block.text for block in parse_answer(answer(text), True)] == text.split("\n\n")


def test_numbered_list_keeps_its_first_number():
    first, second = parse_answer(answer("3. a\n4. b\n\n- c"), True)
    assert (first.first, second.first) == (3, None)


@given(st.lists(FRAGMENTS, max_size=30).map("".join))
@example("\x85\n|---|---|\n\xa0")
@example("\xa0\nA b.\n\xa0")
def test_every_character_of_markdown_has_its_offset(text):
    for character in iterate_characters(parse_markdown(text, frozenset())):
        original = text[character.offset : character.offset + 1]
        assert original == character.text or character.text.isspace() or original in ("&", "\\")


@pytest.mark.parametrize("is_markdown", [True, False])
def test_marker_is_one_run_whatever_its_content(is_markdown):
    text = f"𝔸 😀 避風塘 “Boats pay.”{CITED} More."
    runs = [(run.text, bool(run.marker)) for run in parse_runs(text, is_markdown)]
    assert runs == [("𝔸 😀 避風塘 “Boats pay.”", False), (CITED, True), (" More.", False)]


def test_offsets_are_right_with_other_line_ends():
    text = f"One **two**\r\nthree {CITED}.\r\rA \0 {CITED} end"
    texts = [
        run.text for run in parse_runs(text, claims=[(text.index("end"), len(text))]) if run.marker or run.claim == 0
    ]
    assert texts == [CITED, CITED, "end"]


def test_citations_of_one_span_share_a_marker():
    cited_answer = answer("So it is [A, p.1; B, p.2].", [(9, 25), (17, 25)])
    assert find_markers(cited_answer) == [AnswerMarker(9, 25, (0, 1))]


def test_citation_outside_the_text_has_no_marker():
    cited_answer = answer("Short.", [(0, 6)])
    invalid_answer = replace(cited_answer, citations=(replace(cited_answer.citations[0], end=99),))
    assert [run.text for run in iterate_runs(parse_answer(invalid_answer, True))] == ["Short."]


def test_unsupported_claim_covers_its_runs_and_ends_once():
    text = f"Boats pay. Late **ones** pay {CITED}. True."
    runs = parse_runs(text, claims=[(11, text.index(" True"))])
    assert [(run.text, run.claim, run.ends_claim) for run in runs] == [
        ("Boats pay. ", -1, False), ("Late ", 0, False), ("ones", 0, False), (" pay ", 0, False), (CITED, 0, False),
        (".", 0, True), (" True.", -1, False),
    ]  # fmt: skip


@pytest.mark.parametrize("is_markdown", [True, False])
def test_claim_across_two_items_ends_once(is_markdown):
    assert [run.ends_claim for run in parse_runs("- One thing\n- and another.", is_markdown, claims=[(2, 26)])] == [
        False,
        True,
    ]


@pytest.mark.parametrize("marker", ["¹", "[1]"])
@pytest.mark.parametrize("is_markdown", [True, False])
def test_source_list_of_footnotes_can_be_removed(marker, is_markdown):
    cited_answer = answer(f"- Yes {marker}\n\n{marker} Harbour, p.2\n\nA warning.", [(6, 6 + len(marker))])
    blocks = parse_answer(cited_answer, is_markdown)
    assert [block.kind for block in blocks] == [LIST, NOTES, PARAGRAPH]
    assert [block.kind for block in remove_notes(blocks, cited_answer)] == [LIST, PARAGRAPH]
    sentence_answer = answer(f"{marker} is cited first.", [(0, len(marker))])
    assert [block.kind for block in parse_answer(sentence_answer, is_markdown)] == [PARAGRAPH]
