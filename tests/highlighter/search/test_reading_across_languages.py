import pytest

from highlighter.search import MIN_SCORE
from highlighter.search.chunk_scoring import ScoredChunk
from highlighter.search.reading_across_languages import (
    MAX_NEAREST_CHUNKS,
    MIN_MARGIN,
    choose_chunks_to_read,
    raise_answering_chunks,
)
from highlighter.store.chunk_search import ChunkKey


def make_chunks(own=(), other=()):
    """Return chunks with these scores, in the question's own language and in others, best first."""
    scored = [(score, False) for score in own] + [(score, True) for score in other]
    chunks = [ScoredChunk(ChunkKey("d", 1, number), *values) for number, values in enumerate(scored)]
    return sorted(chunks, key=lambda chunk: -chunk.score)


@pytest.mark.parametrize(
    ("own", "other", "read"),
    [
        ((), (0.29, 0.2), [0.29, 0.2]),
        ((0.29,), (0.2,), [0.2]),
        ((0.36,), (0.29, 0.2), []),
        ((), (0.36, 0.2), []),
        ((0.29, 0.2), (), []),
        ((0.35,), (0.35, 0.2, 0.05), [0.2]),
        ((), (0.35,) * (MAX_NEAREST_CHUNKS - 1) + (0.2, 0.19), [0.2]),
        ((), (0.2,) * 10, [0.2] * MAX_NEAREST_CHUNKS),
    ],
)
def test_nearest_unlisted_chunks_in_other_languages_are_read_where_nothing_is_clearly_found(own, other, read):
    assert [chunk.score for chunk in choose_chunks_to_read(make_chunks(own, other))] == read


def test_chunks_that_answer_are_raised_behind_those_found_without_reader_likeliest_first():
    margins = {0.28: MIN_MARGIN - 0.01, 0.26: MIN_MARGIN, 0.24: MIN_MARGIN + 3, 0.22: None}
    ranked = make_chunks([0.27], [0.35, *margins])
    raised = raise_answering_chunks(ranked, lambda chunk: margins[chunk.score])
    score_before = {chunk.key: chunk.score for chunk in ranked}
    assert [score_before[chunk.key] for chunk in raised] == [0.35, 0.24, 0.26, 0.28, 0.27, 0.22]
    assert [chunk.score for chunk in raised] == [0.35, MIN_SCORE, MIN_SCORE, 0.28, 0.27, 0.22]
