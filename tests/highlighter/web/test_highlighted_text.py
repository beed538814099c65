from highlighter.models import Chunk, Evidence, ScoredSentence, Sentence
from highlighter.web.highlighted_text import FindMark, build_text_blocks
from tests.properties import given, st


def make_chunk_and_evidence(text, *spans, offset=0, headings=(), pages=()):
    """Return a chunk that begins at `offset`, and evidence with highlights at the given (start, end) of its text."""
    chunk = Chunk("d", 1, 0, offset, offset + len(text), 1, 3, "", text, headings)
    scored = [
        ScoredSentence(Sentence(n, offset + a, offset + b, text[a:b], dict(pages).get(n, 1)), 0.5, 0.9, True)
        for n, (a, b) in enumerate(spans)
    ]
    return chunk, Evidence("q", tuple(scored), 0.5, "evidence")


def words(blocks):
    return "".join(segment.text for block in blocks for line in block.lines for cell in line for segment in cell)


def marked(blocks):
    segments = [
        segment for block in blocks for line in block.lines for cell in line for segment in cell if segment.mark
    ]
    return [(segment.text, segment.mark.number, segment.starts_mark, segment.ends_mark) for segment in segments]


def test_highlighted_sentence_is_one_segment():
    blocks = build_text_blocks(*make_chunk_and_evidence("One. Two. Three.", (5, 9), offset=100))
    assert marked(blocks) == [("Two.", 1, True, True)]
    assert words(blocks) == "One. Two. Three."


def test_sentence_over_paragraph_break_is_one_mark_in_two_segments():
    blocks = build_text_blocks(*make_chunk_and_evidence("It goes\n\non. End.", (0, 12)))
    assert marked(blocks) == [("It goes", 1, True, False), ("on.", 1, False, True)]


def test_each_cell_of_a_row_is_highlighted():
    blocks = build_text_blocks(*make_chunk_and_evidence("Pier\tDepth\nNorth\t7 m", (11, 20)))
    assert [block.kind for block in blocks] == ["table"]
    assert marked(blocks) == [("North", 1, True, False), ("7 m", 1, False, True)]


def test_headings_lists_and_text_are_distinguished():
    text = "1 Tides\n\nPlain words.\n\n• one\n• two"
    blocks = build_text_blocks(*make_chunk_and_evidence(text, headings=((0, 7, 2),)))
    assert [(block.kind, block.level, len(block.lines)) for block in blocks] == [
        ("heading", 2, 1),
        ("text", 0, 1),
        ("list", 0, 2),
    ]


def test_heading_that_shares_its_block_is_set_as_text():
    blocks = build_text_blocks(
        *make_chunk_and_evidence("6.3 Early warning. They warn each other.", headings=((0, 17, 2),))
    )
    assert [block.kind for block in blocks] == ["text"]


def test_new_page_begins_at_its_first_sentence():
    blocks = build_text_blocks(
        *make_chunk_and_evidence("One. Two. Three.", (0, 4), (5, 9), (10, 16), pages=((1, 2), (2, 2)))
    )
    turns = [
        (segment.text, segment.page) for line in blocks[0].lines for cell in line for segment in cell if segment.page
    ]
    assert turns == [("Two.", 2)]


@given(st.text(alphabet="ab <&\n\t\u4e2d\U0001f600", max_size=60), st.data())
def test_every_character_is_shown_once_and_only_spans_are_highlighted(text, data):
    offsets = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = list(zip(offsets[::2], offsets[1::2], strict=False))
    blocks = build_text_blocks(*make_chunk_and_evidence(text, *spans, offset=7))
    assert "".join(words(blocks).split()) == "".join(text.split())
    highlighted = "".join(segment[0] for segment in marked(blocks))
    assert "".join(highlighted.split()) == "".join("".join(text[a:b] for a, b in spans).split())


def found(blocks):
    segments = [
        segment for block in blocks for line in block.lines for cell in line for segment in cell if segment.find
    ]
    return [(segment.text, segment.find.number, segment.starts_find, segment.mark is not None) for segment in segments]


def test_find_within_highlighted_sentence_keeps_highlight():
    blocks = build_text_blocks(
        *make_chunk_and_evidence("It rains. It rains on.", (0, 9)),
        finds=[(3, 8, FindMark(1)), (13, 18, FindMark(2, True))],
    )
    assert found(blocks) == [("rains", 1, True, True), ("rains", 2, True, False)]
    assert marked(blocks) == [("It ", 1, True, False), ("rains", 1, False, False), (".", 1, False, True)]
    assert words(blocks) == "It rains. It rains on."


def test_find_over_end_of_highlight_is_one_find_in_two_segments():
    blocks = build_text_blocks(*make_chunk_and_evidence("One two. Three four.", (0, 8)), finds=[(4, 14, FindMark(7))])
    assert found(blocks) == [("two.", 7, True, True), (" Three", 7, False, False)]
