"""The joint model's tokenizer: the embedder's own, with the CJK characters that its vocabulary lacks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from highlighter.embedding.bundled_model import find_original_model
from highlighter.text.characters import fold
from highlighter.text.terms import is_cjk

MIN_OCCURRENCES = 3


def write_tokenizer(texts: Iterable[str], path: Path) -> int:
    """Write tokenizer.json and return the size of its vocabulary. New characters get ids after all existing ones."""
    tokenizer = json.loads((find_original_model() / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = tokenizer["model"]["vocab"]
    counts = Counter(character for text in texts for character in fold(text) if is_cjk(character))
    for character, occurrences in sorted(counts.items()):
        if occurrences >= MIN_OCCURRENCES and character not in vocabulary:
            vocabulary[character] = len(vocabulary)
    path.write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
    return len(vocabulary)
