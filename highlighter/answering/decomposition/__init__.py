"""Decomposition of questions into sub-questions."""
