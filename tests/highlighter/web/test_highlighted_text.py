from highlighter.models import Chunk, Evidence, ScoredSentence, Sentence
from highlighter.web.highlighted_text import FindMark, build_text_blocks
from tests.properties import given, st


def made(text, *lit, offset=0, headings=(), pages=()):
    """A chunk that begins at `offset`, and evidence that lights these (start, end) of its text."""
    chunk = Chunk("d", 1, 0, offset, offset + len(text), 1, 3, "", text, headings)
    scored = [
        ScoredSentence(Sentence(n, offset + a, offset + b, text[a:b], dict(pages).get(n, 1)), 0.5, 0.9, True)
        for n, (a, b) in enumerate(lit)
    ]
    return chunk, Evidence("q", tuple(scored), 0.5, "evidence")


def words(blocks):
    return "".join(part.text for block in blocks for line in block.lines for cell in line for part in cell)


def marked(blocks):
    parts = [part for block in blocks for line in block.lines for cell in line for part in cell if part.mark]
    return [(part.text, part.mark.number, part.first, part.last) for part in parts]


def test_a_lit_sentence_is_one_part():
    blocks = build_text_blocks(*made("One. Two. Three.", (5, 9), offset=100))
    assert marked(blocks) == [("Two.", 1, True, True)]
    assert words(blocks) == "One. Two. Three."


def test_a_sentence_over_a_paragraph_break_is_one_mark_in_two_parts():
    blocks = build_text_blocks(*made("It goes\n\non. End.", (0, 12)))
    assert marked(blocks) == [("It goes", 1, True, False), ("on.", 1, False, True)]


def test_a_row_s_cells_are_lit_each():
    blocks = build_text_blocks(*made("Pier\tDepth\nNorth\t7 m", (11, 20)))
    assert [block.kind for block in blocks] == ["table"]
    assert marked(blocks) == [("North", 1, True, False), ("7 m", 1, False, True)]


def test_headings_lists_and_text_are_told_apart():
    text = "1 Tides\n\nPlain words.\n\n• one\n• two"
    blocks = build_text_blocks(*made(text, headings=((0, 7, 2),)))
    assert [(block.kind, block.level, len(block.lines)) for block in blocks] == [
        ("heading", 2, 1),
        ("text", 0, 1),
        ("list", 0, 2),
    ]


def test_a_title_that_runs_in_is_set_with_its_clause():
    blocks = build_text_blocks(*made("6.3 Early warning. They warn each other.", headings=((0, 17, 2),)))
    assert [block.kind for block in blocks] == ["text"]


def test_a_new_page_shows_where_its_first_sentence_begins():
    blocks = build_text_blocks(*made("One. Two. Three.", (0, 4), (5, 9), (10, 16), pages=((1, 2), (2, 2))))
    turns = [(part.text, part.page) for line in blocks[0].lines for cell in line for part in cell if part.page]
    assert turns == [("Two.", 2)]


@given(st.text(alphabet="ab <&\n\t\u4e2d\U0001f600", max_size=60), st.data())
def test_no_character_is_lost_or_doubled_or_lit_by_mistake(text, data):
    borders = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    lit = list(zip(borders[::2], borders[1::2], strict=False))
    blocks = build_text_blocks(*made(text, *lit, offset=7))
    assert "".join(words(blocks).split()) == "".join(text.split())
    shown = "".join(part[0] for part in marked(blocks))
    assert "".join(shown.split()) == "".join("".join(text[a:b] for a, b in lit).split())


def found(blocks):
    parts = [part for block in blocks for line in block.lines for cell in line for part in cell if part.hit]
    return [(part.text, part.hit.number, part.hit_first, part.mark is not None) for part in parts]


def test_a_find_within_a_lit_sentence_leaves_it_lit():
    blocks = build_text_blocks(
        *made("It rains. It rains on.", (0, 9)), finds=[(3, 8, FindMark(1)), (13, 18, FindMark(2, True))]
    )
    assert found(blocks) == [("rains", 1, True, True), ("rains", 2, True, False)]
    assert marked(blocks) == [("It ", 1, True, False), ("rains", 1, False, False), (".", 1, False, True)]
    assert words(blocks) == "It rains. It rains on."


def test_a_find_over_the_end_of_a_lit_sentence_is_one_find_in_two_parts():
    blocks = build_text_blocks(*made("One two. Three four.", (0, 8)), finds=[(4, 14, FindMark(7))])
    assert found(blocks) == [("two.", 7, True, True), (" Three", 7, False, False)]
