"""Chunks have whole sentences, follow sections, are neither huge nor tiny, and leave no heading behind."""

from __future__ import annotations

from itertools import pairwise

import pytest

from highlighter.text.sentences import SplitSentence, split_sentences
from ingest.chunker import MAX_TOKENS, MIN_TOKENS, ChunkSpan, estimate_tokens, split_into_chunks
from ingest.readers.extracted_document import Heading
from tests.properties import example, given, settings, st

SENTENCE = "The Contractor shall give notice of any matter which could delay the completion of the whole of the works."


def document(*blocks: str | tuple[int, str]) -> tuple[str, tuple[Heading, ...]]:
    """Return a canonical text of blocks between blank lines; `(level, title)` is a heading."""
    text, headings = "", []
    for block in blocks:
        text += "\n\n" if text else ""
        if isinstance(block, tuple):
            headings.append(Heading(len(text), len(text) + len(block[1]), block[0]))
            block = block[1]
        text += block
    return text, tuple(headings)


def split_blocks_into_chunks(*blocks: str | tuple[int, str]) -> tuple[list[ChunkSpan], list[str]]:
    text, headings = document(*blocks)
    chunks = split_into_chunks(text, split_sentences(text, wrapped=False), headings)
    return chunks, [text[chunk.start : chunk.end] for chunk in chunks]


def prose(sentences: int) -> str:
    return " ".join([SENTENCE] * sentences)


def test_empty_document_has_no_chunks():
    assert split_into_chunks("", [], ()) == []


def test_a_short_document_is_one_chunk():
    assert split_blocks_into_chunks(prose(3))[0] == [ChunkSpan(0, len(prose(3)), 0, 3, "")]


def test_a_long_text_without_headings_is_cut_into_chunks_of_about_a_dozen_sentences():
    chunks, _ = split_blocks_into_chunks(prose(120))
    assert all(9 <= chunk.last_sentence - chunk.first_sentence <= 16 for chunk in chunks)


def test_chunk_ends_at_a_paragraph_where_possible():
    _, texts = split_blocks_into_chunks(*[prose(5)] * 12)
    assert all(text.endswith(SENTENCE) and text.count(SENTENCE) % 5 == 0 for text in texts)


def test_a_chunk_does_not_end_after_a_lead_in():
    _, texts = split_blocks_into_chunks(
        prose(12), "These are the documents of the contract:", *["A document of some length."] * 40
    )
    assert len(texts) > 1
    assert not any(text.endswith(":") for text in texts)


def test_the_section_is_the_path_of_open_headings():
    chunks, _ = split_blocks_into_chunks(
        (1, "4"), (2, "4.2 Early warning"), prose(12), (2, "4.3 Records"), prose(12), (1, "5 Payment"), prose(9)
    )
    assert [chunk.section for chunk in chunks] == ["4 > 4.2 Early warning", "4 > 4.3 Records", "5 Payment"]


def test_section_of_a_chunk_is_that_of_its_first_sentence_that_is_no_heading():
    chunks, _ = split_blocks_into_chunks((1, "Part A"), (2, "Scope"), "It is wide.", (2, "Limits"), "There are none.")
    assert [chunk.section for chunk in chunks] == ["Part A > Scope"]


def test_text_before_the_first_heading_has_no_section():
    chunks, _ = split_blocks_into_chunks(prose(12), (1, "Payment"), prose(12))
    assert [chunk.section for chunk in chunks] == ["", "Payment"]


def test_a_long_title_is_cut_in_the_path():
    chunks, _ = split_blocks_into_chunks((1, "On " + "and on " * 40), prose(4))
    assert len(chunks[0].section) == 80
    assert chunks[0].section.endswith("…")


def test_a_heading_that_runs_into_its_sentence_still_opens_a_section():
    text = f"{prose(12)}\n\n4.2 {SENTENCE}"
    start = text.index("4.2")
    chunks = split_into_chunks(text, split_sentences(text), (Heading(start, start + 3, 1),))
    assert [chunk.section for chunk in chunks] == ["", "4.2"]


def test_small_sibling_sections_share_a_chunk():
    blocks = [block for number in range(1, 7) for block in ((2, f"1.{number} Clause"), SENTENCE)]
    chunks, _ = split_blocks_into_chunks((1, "1 General"), *blocks)
    assert len(chunks) == 1


def test_a_chunk_does_not_cross_into_the_next_chapter():
    chunks, texts = split_blocks_into_chunks((1, "1 General"), prose(4), (1, "2 Payment"), prose(4))
    assert [text.split("\n")[0] for text in texts] == ["1 General", "2 Payment"]
    assert len(chunks) == 2


def test_a_tiny_chapter_joins_the_next_chunk():
    _, texts = split_blocks_into_chunks((1, "Preamble"), "Now agreed.", (1, "1 General"), prose(4))
    assert len(texts) == 1


def test_a_clause_does_not_share_a_chunk_with_a_higher_section_after_it():
    _, texts = split_blocks_into_chunks(
        (1, "1 A"), (2, "1.1 B"), prose(3), (3, "1.1.1 C"), prose(3), (2, "1.2 D"), prose(3)
    )
    assert len(texts) == 1
    _, texts = split_blocks_into_chunks((1, "1 A"), prose(12), (3, "1.1.1 C"), prose(3), (2, "1.2 D"), prose(3))
    assert [text.split("\n")[0] for text in texts] == ["1 A", "1.1.1 C", "1.2 D"]


def test_a_tiny_last_section_joins_the_previous_chunk():
    _, texts = split_blocks_into_chunks((1, "1 A"), prose(12), (2, "1.1 Notes"), "None.")
    assert len(texts) == 1


def test_a_heading_at_the_very_end_is_no_chunk_of_its_own():
    _, texts = split_blocks_into_chunks((1, "1 A"), prose(12), (2, "Annex"))
    assert len(texts) == 1


def test_a_sentence_above_the_limit_is_a_chunk_of_its_own_with_its_heading():
    giant = "word " * 900 + "end."
    _, texts = split_blocks_into_chunks((1, "1 A"), giant, prose(12))
    assert texts[0] == f"1 A\n\n{giant}"
    _, texts = split_blocks_into_chunks(prose(6), giant, prose(12))
    assert giant in texts


def test_a_chunk_holds_at_most_some_dozen_table_rows():
    chunks, _ = split_blocks_into_chunks("\n".join(f"bolt {at}\t{at}" for at in range(300)))
    assert max(chunk.last_sentence - chunk.first_sentence for chunk in chunks) <= 60


def test_each_character_of_a_script_without_spaces_is_a_token():
    assert estimate_tokens("合約第五條") == 5
    assert estimate_tokens("abcdefgh") == 2
    chunks, _ = split_blocks_into_chunks("承建商須於七日內通知業主。" * 100)
    assert len(chunks) > 2


BLOCK = st.one_of(
    st.tuples(st.integers(1, 4), st.sampled_from(["1", "4.2 Early warning", "Scope. Limits", "第三章"])),
    st.integers(1, 30).map(prose),
    st.sampled_from(["Short.", "word " * 1_200 + ".", "第一句。第二句。" * 30, "a\tb\nc\td"]),
)


@settings(max_examples=200)
@given(st.lists(BLOCK, max_size=14))
def test_chunks_cover_all_sentences_once_in_order_and_keep_their_bounds(blocks):
    text, headings = document(*blocks)
    sentences = split_sentences(text, wrapped=False)
    chunks = split_into_chunks(text, sentences, headings)
    counted = [at for chunk in chunks for at in range(chunk.first_sentence, chunk.last_sentence)]
    assert counted == list(range(len(sentences)))
    for chunk in chunks:
        assert chunk.start == sentences[chunk.first_sentence].start_char
        assert chunk.end == sentences[chunk.last_sentence - 1].end_char
        body = [
            span for span in sentences[chunk.first_sentence : chunk.last_sentence] if not _is_heading(span, headings)
        ]
        if len(body) > 1:
            assert sum(estimate_tokens(span.text) for span in body) <= MAX_TOKENS
    for chunk in chunks[:-1]:
        assert not _is_heading(sentences[chunk.last_sentence - 1], headings)


@settings(max_examples=200)
@given(st.lists(BLOCK, max_size=14))
@example([prose(14), (2, "1"), prose(1), (1, "1")])
def test_a_chunk_holds_a_new_chapter_only_after_something_tiny(blocks):
    """A tiny chapter at the end of the text, which has none after it, goes with what is before it."""
    text, headings = document(*blocks)
    sentences = split_sentences(text, wrapped=False)

    def is_tiny(start: int, end: int) -> bool:
        run = [span for span in sentences if start <= span.start_char < end and not _is_heading(span, headings)]
        return sum(max(estimate_tokens(span.text), 10) for span in run) < MIN_TOKENS

    for chunk in split_into_chunks(text, sentences, headings):
        for heading in headings:
            if heading.level == 1 and chunk.start < heading.start < chunk.end:
                assert is_tiny(chunk.start, heading.start) or is_tiny(heading.start, len(text))


@settings(max_examples=150)
@given(
    st.text(max_size=400), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 60), st.integers(1, 9)), max_size=8)
)
def test_chunks_cover_the_text_whatever_the_headings(text, spans):
    headings = tuple(Heading(start, start + length, level) for start, length, level in spans)
    sentences = split_sentences(text)
    chunks = split_into_chunks(text, sentences, headings)
    edges = [0, *[chunk.last_sentence for chunk in chunks]]
    assert edges[-1] == len(sentences)
    assert [chunk.first_sentence for chunk in chunks] == edges[:-1]
    assert all(before.end <= after.start for before, after in pairwise(chunks))


@pytest.mark.parametrize("level", [1, 2])
def test_thousands_of_headings_without_text_are_still_cut(level):
    chunks, _ = split_blocks_into_chunks(*[(level, f"Entry {at}") for at in range(3_000)])
    assert len(chunks) > 20


def _is_heading(span: SplitSentence, headings: tuple[Heading, ...]) -> bool:
    return any(heading.start <= span.start_char and span.end_char <= heading.end for heading in headings)
