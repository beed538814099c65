"""A page of somebody else's that shows Highlighter's citations: python -m examples.host"""
