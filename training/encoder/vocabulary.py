"""The pieces that the carried encoder has: the likeliest of the original's, and every single character."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

# The whole vocabulary of 250,002 pieces would take 280 MB of memory; these take 114, and texts have 7 % more pieces.
LIKELIEST_PIECES = 120_000
SPECIAL_PIECES = ("<s>", "<pad>", "</s>", "<unk>")
NEVER_CHOSEN_SCORE = -1e4
WORD_START = "▁"
# The character map that the encoder was trained with (nmt_nfkc): controls go, unusual spaces become spaces, then NFKC.
_CONTROLS = "[\\x01-\\x08\\x0b\\x0e-\\x1f\\x7f\\x8f\\x9f]"
_SPACES = "[\\t\\n\\x0c\\r\\u1680\\u200b-\\u200f\\u2028\\u2029\\u2581\\ufeff\\ufffd]"


def choose_pieces(pieces: Sequence[str], scores: Sequence[float]) -> list[int]:
    """Return the ids of the pieces to carry, in their order: the special ones keep the ids 0 to 3."""
    first, last = len(SPECIAL_PIECES), len(pieces) - 1  # the last is <mask>, which no text has
    likeliest = np.argsort(-np.array(scores[first:last]), kind="stable")[:LIKELIEST_PIECES] + first
    single = (index for index in range(first, last) if len(pieces[index].removeprefix(WORD_START)) <= 1)
    return [*range(first), *sorted({*likeliest.tolist(), *single})]


def write_tokenizer(pieces: Sequence[str], scores: Sequence[float], path: Path) -> None:
    """Write tokenizer.json: `<s> text </s>`, split into the likeliest sequence of pieces."""
    # A text that spells a special piece must not get it: with this score, its characters are always likelier.
    scores = [*[NEVER_CHOSEN_SCORE] * len(SPECIAL_PIECES), *scores[len(SPECIAL_PIECES) :]]
    tokenizer = Tokenizer(models.Unigram(list(zip(pieces, scores, strict=True)), unk_id=SPECIAL_PIECES.index("<unk>")))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(_CONTROLS), ""),
            normalizers.Replace(Regex(_SPACES), " "),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
            normalizers.Strip(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(WORD_START, prepend_scheme="always", split=True)
    begin, end = (SPECIAL_PIECES.index(piece) for piece in ("<s>", "</s>"))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", begin), ("</s>", end)]
    )
    tokenizer.save(str(path), pretty=False)
