"""Detect text that cannot be any language's: a font can name the wrong letter for each shape.

Judged by the letters alone, by how often those of a script occur in the languages written in it. Only what is far from
every language counts as nonsense, so that lists, codes and formulas pass.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

MIN_LETTERS = 200  # of an alphabet: fewer are inconclusive
MIN_SYLLABLES = 60  # of Hangul or Han

# Pairs of letters, without accents, that are frequent in the languages of a script. In 1,300 characters of any of 73
# languages in Latin letters they are at least 30 % of all pairs, in any of 13 in Cyrillic at least 27 %; after the
# letters are exchanged at random, 8 % and 4 % on average.
_COMMON_PAIRS = {
    "latin": frozenset(
        "an in en er ar ta ra re al te la ma on li na ri at es ti st is ka le or ni ng de el nt as ne si me et nd it da "
        "ik am se di il sa to ro pa ha ko ir ch ga ba ad ak ie ki un ia lo".split()
    ),
    "cyrillic": frozenset(
        "ан ар ра та ат ка на ал ла да ст ри ма ни ен ва ре ин те ер ти ли аи то ор ас ме не ам ил ко пр ба он но ро ад "
        "ол ик ав по га ча ит нд за ов ис ии па ак са ет ек мо ес ди ле ос до".split()
    ),
}
_MIN_COMMON_PAIRS = 0.23
# How likely two letters of a text are the same: random letters such as keys lie below, a repeated letter above.
_MIN_COINCIDENCE, _MAX_COINCIDENCE = 0.05, 0.15
_MIN_DISTINCT = 12  # different letters: fewer are a code, such as that of genes
_RUN = re.compile(r"[^\W_]{3,}")
_DIGIT = re.compile(r"\d")
_SYLLABLE = re.compile("[가-힣]")

# Arabic: a font may name the stroke that stretches a word as a letter ("اللعاوووويل"). In a page of such a font 30 % of the
# different words have a letter three times in a row, in lists and texts of nine languages up to 0.2 %. The stroke's own
# character is no letter.
_STRETCHED = re.compile(r"([^\W\d_\u0640])\1\1+(?!\1)\w")  # within a word: people stretch its last letter
_MAX_STRETCHED_WORDS = 0.1

# Hangul: syllables that make up half of any text, and the 2,350 of KS X 1001 that make up nearly all.
_COMMON_SYLLABLES = frozenset(
    "이다는에의을고하가로은지사한를도기리자서인나대시어정스해아부일그전수들있으상보라것과만원여경제장위주성조구국동신공"
    "세면선화게관문미우용모비되"
)
_MIN_COMMON_SYLLABLES = 0.25  # in running text 0.6, in lists of names 0.35; after an exchange of letters up to 0.23
_MAX_RARE_SYLLABLES = 0.15
_MAX_RARE_HAN = 0.4  # outside the first level of every national character set

_MAX_MIXED = 0.3  # of neighbouring letters that stand in scripts which are not written together
# By the first word of a character's Unicode name.
_SCRIPT_BY_NAME = {
    "cjk": "han",
    "hiragana": "kana",
    "katakana": "kana",
    "fullwidth": "kana",
    "halfwidth": "kana",
}
_WRITTEN_WITH_ALL = frozenset({"latin", "greek", "han", "hangul", "kana", "bopomofo"})
_MAX_SYMBOLS, _MIN_SYMBOLS = 0.5, 100
_SYMBOLS = frozenset("!\"#$%&'()*+/:;<=>?@[\\]^`{|}~")
_MIN_DISTINCT_SYMBOLS = 10


class _Letter(NamedTuple):
    script: str  # "" when it is no letter
    base: str  # lower case, without accents


def is_nonsense(text: str) -> bool:
    """Return whether a text cannot be that of any language; False where it has too few characters to tell."""
    counts = Counter(text)
    scripts: Counter[str] = Counter()
    for character, count in counts.items():
        scripts[_letter(character).script] += count
    del scripts[""]
    if _is_mostly_symbols(counts) or _is_mixed_script(text, scripts):
        return True
    if not scripts:
        return False
    script, number = scripts.most_common(1)[0]
    if 2 * number < scripts.total():
        return False
    if script in _COMMON_PAIRS:
        return number >= MIN_LETTERS and _is_odd_alphabet(text, script)
    if script == "arabic":
        return number >= MIN_LETTERS and _is_odd_arabic(text)
    if number < MIN_SYLLABLES:
        return False
    return (script == "hangul" and _is_odd_hangul(counts)) or (script == "han" and _is_rare_han(counts))


def has_hangul(text: str) -> bool:
    return not text.isascii() and _SYLLABLE.search(text) is not None


def is_wrong_hangul(text: str) -> bool:
    """Return whether a text is mostly Hangul that cannot be Korean."""
    syllables = len(_SYLLABLE.findall(text))
    if syllables < MIN_SYLLABLES:
        return False
    return 2 * syllables > sum(map(str.isalpha, text)) and _is_odd_hangul(Counter(text))


@lru_cache(maxsize=20_000)
def _letter(character: str) -> _Letter:
    if not character.isalpha():
        return _Letter("", character)
    name = unicodedata.name(character, "other").split(" ", 1)[0].lower()
    return _Letter(_SCRIPT_BY_NAME.get(name, name), unicodedata.normalize("NFD", character.lower())[:1])


@lru_cache(maxsize=20_000)
def _fold_word_of_script(word: str, script: str) -> str:
    """Return a word of a script in lower case and without accents, or "" for any other run of characters."""
    if word.isascii():  # most words
        return word.lower() if script == "latin" and word.isalpha() else ""
    if not _letter(word[0]).script == _letter(word[-1]).script == script or _DIGIT.search(word):
        return ""
    return "".join(_letter(character).base for character in word)


@lru_cache(maxsize=20_000)
def _count_common_pairs(word: str, script: str) -> int:
    return sum(a + b in _COMMON_PAIRS[script] for a, b in pairwise(word))


def _is_odd_alphabet(text: str, script: str) -> bool:
    # Each word once: a list may repeat a few odd ones.
    words = [base for word in dict.fromkeys(_RUN.findall(text)) if (base := _fold_word_of_script(word, script))]
    total = sum(map(len, words))
    pair_count = total - len(words)
    if sum(_count_common_pairs(word, script) for word in words) >= _MIN_COMMON_PAIRS * pair_count:
        return False  # nearly every text
    counts = Counter("".join(words))
    if total < MIN_LETTERS or len(counts) < _MIN_DISTINCT:
        return False
    coincidence = sum(count * count for count in counts.values()) / total**2
    return _MIN_COINCIDENCE < coincidence < _MAX_COINCIDENCE


def _is_odd_arabic(text: str) -> bool:
    words = [word for word in set(_RUN.findall(text)) if _letter(word[0]).script == "arabic"]
    return sum(_STRETCHED.search(word) is not None for word in words) > _MAX_STRETCHED_WORDS * len(words)


def _is_odd_hangul(counts: Counter[str]) -> bool:
    syllables = {character: count for character, count in counts.items() if "가" <= character <= "힣"}
    total = sum(syllables.values())
    rare = sum(count for syllable, count in syllables.items() if len(syllable.encode("euc_kr", "replace")) != 2)
    common = sum(syllables.get(syllable, 0) for syllable in _COMMON_SYLLABLES)
    return rare > _MAX_RARE_SYLLABLES * total or common < _MIN_COMMON_SYLLABLES * total


def _is_rare_han(counts: Counter[str]) -> bool:
    characters = {character: count for character, count in counts.items() if _letter(character).script == "han"}
    rare = sum(count for character, count in characters.items() if not _is_in_first_level(character))
    return rare > _MAX_RARE_HAN * sum(characters.values())


def _is_in_first_level(character: str) -> bool:
    return (
        _is_within(character, "gb2312", 0xB0A1, 0xD7F9)
        or _is_within(character, "big5", 0xA440, 0xC67E)
        or _is_within(character, "shift_jis", 0x889F, 0x9872)
    )


def _is_within(character: str, encoding: str, first: int, last: int) -> bool:
    return first <= int.from_bytes(character.encode(encoding, "ignore"), "big") <= last


def _is_mixed_script(text: str, scripts: Counter[str]) -> bool:
    """Return whether letters of scripts that are not written together stand side by side in words."""
    if sum(count for script, count in scripts.items() if script not in _WRITTEN_WITH_ALL) < MIN_SYLLABLES:
        return False
    mixed = pairs = 0
    before = ""
    for character in text:
        script = _letter(character).script
        if before and script:
            pairs += 1
            mixed += script != before and not {script, before} <= _WRITTEN_WITH_ALL
        before = script
    return mixed > _MAX_MIXED * pairs


def _is_mostly_symbols(counts: Counter[str]) -> bool:
    symbols = {character: count for character, count in counts.items() if character in _SYMBOLS}
    number = sum(symbols.values())
    if number < _MIN_SYMBOLS or len(symbols) < _MIN_DISTINCT_SYMBOLS:
        return False
    return number > _MAX_SYMBOLS * sum(count for character, count in counts.items() if not character.isspace())
