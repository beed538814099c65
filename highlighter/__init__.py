"""Highlighter shows the sentence that carries a citation, in its place."""
