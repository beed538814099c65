"""A host page that shows Highlighter's citations: python -m examples.host"""
