"""What a command says when it is used wrongly."""

from __future__ import annotations

import sys


def refuse(sentence: str) -> int:
    print(f"python -m highlighter: {sentence}", file=sys.stderr)
    return 2
