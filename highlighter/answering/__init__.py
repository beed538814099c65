"""A question in, an answer out whose every claim can be opened. `pipeline.py` is the table of contents."""
