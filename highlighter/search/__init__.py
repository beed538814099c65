"""Search in the library. `hybrid_search.py` is the entry point."""

MAX_QUESTION_CHARACTERS = 2_000
DEFAULT_HITS, MAX_HITS = 10, 100
MIN_SCORE = 0.3
