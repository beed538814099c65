"""Reading sections in other languages where a search finds nothing, or only what is weakly similar.

Similarity across languages says too little of short questions about short sentences. So where no section has more than a weak score,
the question reader reads those of the nearest sections in other languages that do not reach MIN_SCORE. One that answers gets
MIN_SCORE: it is listed, behind all that were found without the reader, the likeliest first. So this score depends on the
question, the section, and the other candidates, which are all sections that the asker may see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from highlighter.search import MIN_SCORE
from highlighter.search.chunk_scoring import ScoredChunk

# From this score of the first section on, nothing is read: hardly ever is the right section then below MIN_SCORE.
CLEAR_SCORE = 0.36
# Each takes some 0.05 seconds on one core.
MAX_NEAREST_CHUNKS = 6
# Sections with a lower score are hardly ever the right ones.
MIN_READ_SCORE = 0.1
# From what margin of the reader on a section is listed, in logits: with a higher one, fewer right sections are.
MIN_MARGIN = 1.0


def choose_chunks_to_read(ranked: Sequence[ScoredChunk]) -> list[ScoredChunk]:
    """Return the chunks in other languages that are read, of all chunks with the best first."""
    if ranked and ranked[0].score >= CLEAR_SCORE:
        return []
    nearest = [chunk for chunk in ranked if chunk.is_across_languages][:MAX_NEAREST_CHUNKS]
    return [chunk for chunk in nearest if MIN_READ_SCORE <= chunk.score < MIN_SCORE]


def raise_answering_chunks(
    ranked: Sequence[ScoredChunk], read: Callable[[ScoredChunk], float | None]
) -> list[ScoredChunk]:
    """Return the chunks, best first, after those that answer were raised to MIN_SCORE. `read` returns the reader's margin."""
    margins = {chunk.key: read(chunk) for chunk in choose_chunks_to_read(ranked)}
    answering = {key: margin for key, margin in margins.items() if margin is not None and margin >= MIN_MARGIN}
    raised = [
        replace(chunk, score=MIN_SCORE, margin=answering[chunk.key]) if chunk.key in answering else chunk
        for chunk in ranked
    ]
    return sorted(raised, key=lambda chunk: (-chunk.score, -chunk.margin))
