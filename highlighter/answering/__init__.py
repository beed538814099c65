"""Answers to questions, each claim with a citation. `pipeline.py` shows the steps in order."""
