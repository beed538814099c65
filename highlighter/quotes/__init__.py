"""Locate quotes in a text, compare them word by word and export them with a citation."""
