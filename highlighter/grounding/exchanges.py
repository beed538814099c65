"""Words of a sentence that a claim exchanges for each other: "Add water to acid" where the source says "Add acid to water".

A small model overlooks this, as the claim has the very words of the source.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.terms import STOP_WORDS, is_cjk

Run = tuple[int, int]
Spans = tuple[Run, ...]

# Longer runs are other wordings, not exchanged words.
MAX_RUN_TOKENS = 8
_TOKEN = compile_later(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:[.,'’-][^\W\u3400-\u9fff]+)*|[,;:，；：、。]")
# What these join may stand in either order: "the Buyer and the Seller".
_SYMMETRIC = frozenset(
    "and or nor with versus plus the a an both either neither between , 、 and/or 和 与 及 或 跟 同 以 并 ，".split()
)
# In German either may come first, and the article tells who does it: "Die Kosten trägt der Mieter".
_GERMAN_ARTICLES = frozenset(
    "der die das den dem des ein eine einen einem einer eines für vom von zum zur im am".split()
)


def find_exchange(claim: str, sentence: str) -> tuple[Spans, Spans] | None:
    """Return the spans of two runs of words in a claim and in a sentence, if the claim has each in the place of the other.

    The words between them are the same, so that "paid by the Buyer" and "the Buyer pays" are not compared.
    """
    claim_tokens, source_tokens = find_tokens(claim), find_tokens(sentence)
    claim_words, source_words = ([token[0] for token in tokens] for tokens in (claim_tokens, source_tokens))
    for (claim_left, source_left), (claim_right, source_right) in pairwise(
        _list_differences(claim_words, source_words)
    ):
        in_claim = _extend([claim_left, claim_right], claim_words)
        in_source = _extend([source_left, source_right], source_words)
        runs = [claim_words[start:end] for start, end in in_claim]
        is_exchanged = runs == [source_words[start:end] for start, end in reversed(in_source)]
        between = claim_words[in_claim[0][1] : in_claim[1][0]]
        is_inverted = all(run and run[0] in _GERMAN_ARTICLES for run in runs)
        if is_exchanged and not is_inverted and all(map(_is_content, runs)) and not _SYMMETRIC.issuperset(between):
            return _find_spans(claim_tokens, in_claim), _find_spans(source_tokens, in_source)
    return None


def _list_differences(claim: list[str], source: list[str]) -> list[tuple[Run, Run]]:
    """Return the runs of words that differ, in both texts; what is between two of them is the same."""
    differences: list[tuple[Run, Run]] = []
    was_equal = True
    for step in Levenshtein.opcodes(claim, source):
        is_equal = step.tag == "equal"
        if not is_equal and was_equal:
            differences.append(((step.src_start, step.src_end), (step.dest_start, step.dest_end)))
        elif not is_equal:
            (claim_start, _), (source_start, _) = differences.pop()
            differences.append(((claim_start, step.src_end), (source_start, step.dest_end)))
        was_equal = is_equal
    return differences


def _extend(runs: list[tuple[int, int]], words: list[str]) -> list[tuple[int, int]]:
    """Return single ideographs with the next one where it is the same after both: 甲方 and 乙方 differ in one."""
    following = {"".join(words[end : end + 1]) for _, end in runs}
    is_part = len(following) == 1 and all(
        end - start == 1 and all(map(is_cjk, (words[start], *following))) for start, end in runs
    )
    return [(start, end + is_part) for start, end in runs]


def _is_content(words: list[str]) -> bool:
    return len(words) <= MAX_RUN_TOKENS and not STOP_WORDS.issuperset(words)


def _find_spans(tokens: list[re.Match[str]], runs: list[tuple[int, int]]) -> Spans:
    return tuple((tokens[start].start(), tokens[end - 1].end()) for start, end in runs)


def find_tokens(text: str) -> list[re.Match[str]]:
    """Return the words, ideographs and commas of a text, folded."""
    return list(_TOKEN.finditer(fold(text.rstrip(" .。!！"))))
