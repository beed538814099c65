"""The joint model's tokenizer: the embedder's own, with the CJK characters that its vocabulary lacks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from highlighter.embedding.bundled_model import find_original_model
from highlighter.text.characters import fold
from highlighter.text.terms import is_cjk

SEEN_AT_LEAST = 3


def write_tokenizer(texts: Iterable[str], path: Path) -> int:
    """Writes tokenizer.json; says how many pieces it knows. New characters come after all that was there."""
    tokenizer = json.loads((find_original_model() / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = tokenizer["model"]["vocab"]
    counted = Counter(character for text in texts for character in fold(text) if is_cjk(character))
    for character, times in sorted(counted.items()):
        if times >= SEEN_AT_LEAST and character not in vocabulary:
            vocabulary[character] = len(vocabulary)
    path.write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
    return len(vocabulary)
