"""A question held against the library. `find.py` is the table of contents."""

MAX_QUESTION = 2_000  # characters
LIMIT, MOST = 10, 100  # hits: unless told, and at most
MIN_SCORE = 0.25
