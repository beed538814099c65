"""A question held against the library. `find.py` is the table of contents."""

MAX_QUESTION_CHARACTERS = 2_000  # characters
DEFAULT_HITS, MAX_HITS = 10, 100  # hits: unless told, and at most
MIN_SCORE = 0.25
