"""A question held against the library. `find.py` is the table of contents."""
