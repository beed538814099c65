"""Quotes as language models and people rewrite them: words left out, exchanged or bracketed, numbers in another form.

The faithful rewritings still say what the document says; the unfaithful ones do not, and must not be located.
"""

from __future__ import annotations

import random
import re

from bench.quote_damage import Damage
from highlighter.quotes.significance import count_significant_words
from training.meaning_changes import change_negation, change_number

ELLIPSES = (" ... ", "… ", " [...] ", " … ", " […] ", "...")
CJK_ELLIPSES = ("……", "…", "[……]", "（……）")
MIN_WORDS, MIN_EDGE_WORDS, MAX_ELIDED_WORDS = 12, 4, 12
MIN_CJK_CHARACTERS, MIN_CJK_EDGE_CHARACTERS, MAX_CJK_ELIDED_CHARACTERS = 24, 8, 16
# Words that mean nearly the same in most sentences.
SYNONYMS = {
    "within": "inside", "provide": "supply", "provides": "supplies", "provided": "supplied", "ensure": "guarantee", "begin": "start",
    "commence": "start", "terminate": "end", "obtain": "get", "purchase": "buy", "entire": "whole", "prior": "previous",
    "regarding": "concerning", "assist": "help", "require": "need", "requires": "needs", "required": "needed", "fees": "charges",
    "amount": "sum", "promptly": "quickly", "notify": "inform", "sufficient": "enough", "however": "nevertheless", "also": "too",
    "show": "demonstrate", "shows": "demonstrates", "large": "big", "method": "approach", "methods": "approaches", "using": "employing",
    "used": "employed", "use": "utilise", "many": "numerous", "results": "outcomes", "result": "outcome", "such": "similar",
    "because": "since", "pursuant": "according", "hereby": "herewith", "created": "made", "important": "essential", "several": "various",
    "company": "firm", "employee": "worker", "conduct": "carry-out", "therefore": "thus", "allow": "let", "allows": "lets",
}  # fmt: skip
_NUMBER_WORDS = dict(
    zip("2 3 4 5 6 7 8 9 10 12 14 15 20 30 60 90".split(), "two three four five six seven eight nine ten twelve fourteen fifteen"
    " twenty thirty sixty ninety".split(), strict=True)
)  # fmt: skip
_COUNT = re.compile(r"(?<![\w.,:/$£€-])(?:[2-9]|1[0245]|20|30|60|90)(?= (?:\([^)]*\) )?[a-z]{3,}\b)")
_CJK_COUNT = re.compile(r"(?<![\d.,:/第])(\d{1,2})(?=[天年个個月日人次項项元])")
_CJK_DIGITS = "〇一二三四五六七八九"
_RESTRICTION = re.compile(r"\b(?:not|only|never|unless) ", re.IGNORECASE)
_CJK = re.compile(r"[\u4e00-\u9fff]")


def elide_words(rng: random.Random, quote: str) -> str | None:
    """Replace a run of words by an ellipsis; the run holds no number, negation or "shall"."""
    if _is_chinese(quote):
        return _elide_characters(rng, quote)
    words = quote.split(" ")
    if len(words) < MIN_WORDS:
        return None
    size = rng.randint(1, min(MAX_ELIDED_WORDS, len(words) - 2 * MIN_EDGE_WORDS))
    start = rng.randint(MIN_EDGE_WORDS, len(words) - MIN_EDGE_WORDS - size)
    if count_significant_words(" ".join(words[start : start + size])):
        return None
    return " ".join(words[:start]) + rng.choice(ELLIPSES) + " ".join(words[start + size :])


def elide_twice(rng: random.Random, quote: str) -> str | None:
    """Replace two runs of words by ellipses, with ellipses around the quote."""
    first = elide_words(rng, quote)
    second = elide_words(rng, first) if first and len(first) > len(quote) // 2 else None
    return f"... {second}..." if second else None


def insert_brackets(rng: random.Random, quote: str) -> str | None:
    """Put another case of the first letter in brackets, and replace a word by a bracketed one."""
    words = quote.split(" ")
    inner = [n for n in range(2, len(words) - 2) if words[n].isalpha() and not count_significant_words(words[n])]
    if len(words) < MIN_WORDS or not inner or not words[0][:1].isalpha():
        return None
    position = rng.choice(inner)
    words[position] = rng.choice(
        ["[the Client]", "[the parties]", f"[{words[position].lower()}]", f"{words[position]} [sic]"]
    )
    return f"[{words[0][0].swapcase()}]{words[0][1:]} " + " ".join(words[1:])


def drop_three_words(rng: random.Random, quote: str) -> str | None:
    words = quote.split(" ")
    inner = [n for n in range(1, len(words) - 1) if words[n].isalpha() and not count_significant_words(words[n])]
    if len(words) < MIN_WORDS or len(inner) < 5:
        return None
    dropped = set(rng.sample(inner, 3))
    return " ".join(word for n, word in enumerate(words) if n not in dropped)


def exchange_synonyms(rng: random.Random, quote: str) -> str | None:
    words = quote.split(" ")
    places = [n for n, word in enumerate(words) if word in SYNONYMS]
    if len(words) < MIN_WORDS - 2 or not places:
        return None
    for n in rng.sample(places, min(len(places), 2)):
        words[n] = SYNONYMS[words[n]]
    return " ".join(words)


def rewrite_number(rng: random.Random, quote: str) -> str | None:
    """Write a small number as a word, or in Chinese numerals."""
    if match := _COUNT.search(quote):
        return quote[: match.start()] + _NUMBER_WORDS[match.group()] + quote[match.end() :]
    if match := _CJK_COUNT.search(quote):
        return quote[: match.start()] + _write_chinese_numeral(int(match[1])) + quote[match.end() :]
    return None


def elide_and_change_number(rng: random.Random, quote: str) -> str | None:
    return _change(rng, elide_words(rng, quote), change_number)


def elide_and_change_negation(rng: random.Random, quote: str) -> str | None:
    return _change(rng, elide_words(rng, quote), change_negation)


def drop_words_and_change_number(rng: random.Random, quote: str) -> str | None:
    return _change(rng, drop_three_words(rng, quote), change_number)


def exchange_synonyms_and_change_negation(rng: random.Random, quote: str) -> str | None:
    return _change(rng, exchange_synonyms(rng, quote), change_negation)


def hide_restriction(_: random.Random, quote: str) -> str | None:
    """Replace a "not", "only" or "unless" inside the quote by an ellipsis."""
    match = _RESTRICTION.search(quote, 12, len(quote) - 12) if len(quote) > 40 else None
    return f"{quote[: match.start()].rstrip()} … {quote[match.end() :]}" if match else None


REWRITINGS: dict[str, Damage] = {
    "an ellipsis": elide_words,
    "two ellipses": elide_twice,
    "brackets": insert_brackets,
    "three dropped words": drop_three_words,
    "synonyms": exchange_synonyms,
    "another form of a number": rewrite_number,
}
UNFAITHFUL_REWRITINGS: dict[str, Damage] = {
    "ellipsis, another number": elide_and_change_number,
    "ellipsis, a negation more or less": elide_and_change_negation,
    "ellipsis in place of a restriction": hide_restriction,
    "dropped words, another number": drop_words_and_change_number,
    "synonyms, a negation more or less": exchange_synonyms_and_change_negation,
}


def _change(rng: random.Random, rewritten: str | None, damage: Damage) -> str | None:
    return damage(rng, rewritten) if rewritten else None


def _elide_characters(rng: random.Random, quote: str) -> str | None:
    if len(quote) < MIN_CJK_CHARACTERS:
        return None
    size = rng.randint(1, min(MAX_CJK_ELIDED_CHARACTERS, len(quote) - 2 * MIN_CJK_EDGE_CHARACTERS))
    start = rng.randint(MIN_CJK_EDGE_CHARACTERS, len(quote) - MIN_CJK_EDGE_CHARACTERS - size)
    if count_significant_words(quote, start, start + size):
        return None
    return quote[:start] + rng.choice(CJK_ELLIPSES) + quote[start + size :]


def _is_chinese(quote: str) -> bool:
    return 2 * len(_CJK.findall(quote)) > len(quote)


def _write_chinese_numeral(number: int) -> str:
    tens, ones = divmod(number, 10)
    return ("" if tens < 1 else "十" if tens == 1 else f"{_CJK_DIGITS[tens]}十") + (_CJK_DIGITS[ones] if ones else "")
