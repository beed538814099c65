"""The language of a text, so that browsers choose its fonts and direction, voices its sounds, and translators its words.

The script decides first. Languages that share a script are told apart by their function words, or not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from highlighter.text.function_words import FUNCTION_WORDS
from highlighter.text.lazy_pattern import compile_later

MAX_SAMPLE_CHARACTERS = 2000
MAX_LANGUAGE_SAMPLE_CHARACTERS = 600  # as accurate as 2,000, in a third of the time
_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
# Japanese has more: a Chinese text quotes a word of it at most.
MAX_IDEOGRAPHS_PER_KANA = 4
# Without single ASCII letters: those of lists and of "'s" are words of Czech, Polish and others.
_WORD = re.compile(r"[^\W\d_]{2,}|[^\W\d_a-z]")
# Devanagari writes vowels as marks, which are no word characters of `re`.
_DEVANAGARI_WORD = re.compile(r"[\u0900-\u0963\u0971-\u097f]+")

# By script: its letters, and the languages written in it; the first of them counts where words do not decide.
# A script with an empty first language says nothing by itself.
_SCRIPTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Latin": (
        "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff",
        (
            "",
            "en",
            "de",
            "fr",
            "es",
            "it",
            "pt",
            "nl",
            "sv",
            "da",
            "nb",
            "fi",
            "pl",
            "cs",
            "ro",
            "hu",
            "tr",
            "id",
            "vi",
        ),
    ),
    "Greek": ("\u0370-\u03ff\u1f00-\u1fff", ("el",)),
    "Cyrillic": ("\u0400-\u052f", ("ru", "uk", "bg")),
    "Hebrew": ("\u05d0-\u05f4\ufb1d-\ufb4f", ("he",)),
    "Arabic": ("\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc", ("ar", "fa", "ur")),
    "Devanagari": ("\u0904-\u0963\u0971-\u097f", ("hi", "mr", "ne")),
    "Bengali": ("\u0980-\u09e3", ("bn",)),
    "Gurmukhi": ("\u0a01-\u0a5e", ("pa",)),
    "Gujarati": ("\u0a81-\u0ae3", ("gu",)),
    "Tamil": ("\u0b82-\u0bd7", ("ta",)),
    "Telugu": ("\u0c00-\u0c63", ("te",)),
    "Kannada": ("\u0c80-\u0ce3", ("kn",)),
    "Malayalam": ("\u0d00-\u0d63", ("ml",)),
    "Sinhala": ("\u0d81-\u0df3", ("si",)),
    "Thai": ("\u0e01-\u0e4e", ("th",)),
    "Lao": ("\u0e81-\u0ecd", ("lo",)),
    "Tibetan": ("\u0f40-\u0fbc", ("bo",)),
    "Myanmar": ("\u1000-\u103f", ("my",)),
    "Georgian": ("\u10a0-\u10ff", ("ka",)),
    "Armenian": ("\u0531-\u0587", ("hy",)),
    "Ethiopic": ("\u1200-\u135a", ("am",)),
    "Khmer": ("\u1780-\u17d3", ("km",)),
    "Hangul": ("\u1100-\u11ff\u3131-\u318e\uac00-\ud7af", ("ko",)),
    "Han": ("\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff", ("",)),
}
_SCRIPT_LETTERS = {name: compile_later(f"[{letters}]") for name, (letters, _) in _SCRIPTS.items()}
_ASIAN_SCRIPTS = ("Han", "Hangul")
# One of their characters says as much as several letters.
_ASIAN_CHARACTER_WEIGHT = 2
_MIN_KANA_SHARE = 0.1  # of the Han and Kana characters of a Japanese text; Chinese texts quote a Japanese name at most

# Fewer could be names, or words that an unlisted language has, too.
MIN_FUNCTION_WORDS = 2
# Letters that few languages of the Latin and Arabic scripts have; one of them counts as a function word.
_RARE_LETTERS = {
    "de": "ßü", "es": "ñ¿¡", "pt": "ãõ", "da": "æø", "nb": "æø", "pl": "łżąęś", "cs": "ěřů", "ro": "țșă", "hu": "őűü",
    "tr": "ğışü", "vi": "ơưđạảấầậếềệịọốồộớờợụứừự", "fr": "œ", "uk": "іїєґ", "ru": "ыэё", "bg": "щъ", "fa": "پچژگیک",
    "ur": "ٹڈڑںےہھ",
}  # fmt: skip

RTL_LANGUAGES = frozenset({"ar", "fa", "he", "ur"})


def detect_chinese_script(text: str) -> str:
    """Return "zh-Hans" or "zh-Hant" where at least a third of the text is Chinese, else an empty string, as of Japanese."""
    sample = text[:MAX_SAMPLE_CHARACTERS]
    ideographs = _IDEOGRAPH.findall(sample)
    is_japanese = 0 < len(ideographs) <= MAX_IDEOGRAPHS_PER_KANA * len(_KANA.findall(sample))
    if 3 * len(ideographs) <= len(sample) or is_japanese:
        return ""
    return "zh-Hans" if sum(map(_weigh_script, ideographs)) > 0 else "zh-Hant"


def detect_language(text: str) -> str:
    """Return the language tag of a text, or an empty string where it cannot be told: of numbers, a name, a few words."""
    return _detect_language(text[:MAX_LANGUAGE_SAMPLE_CHARACTERS])


@lru_cache(maxsize=10_000)
def _detect_language(text: str) -> str:
    counts = {name: len(letters.findall(text)) for name, letters in _SCRIPT_LETTERS.items()}
    for name in _ASIAN_SCRIPTS:
        counts[name] *= _ASIAN_CHARACTER_WEIGHT
    script = max(counts, key=counts.__getitem__)
    if not counts[script]:
        return ""
    if script == "Han":
        return _detect_han_language(text)
    languages = _SCRIPTS[script][1]
    return _choose_by_words(text, languages) or languages[0]


def _detect_han_language(text: str) -> str:
    ideographs, kana = _IDEOGRAPH.findall(text), _KANA.findall(text)
    if len(kana) >= _MIN_KANA_SHARE * (len(kana) + len(ideographs)):
        return "ja"
    return "zh-Hans" if sum(map(_weigh_script, ideographs)) > 0 else "zh-Hant"


def _choose_by_words(text: str, languages: tuple[str, ...]) -> str:
    """Return the language with most function words and rare letters, or an empty string where two have as many."""
    if len(languages) < 2:
        return ""
    lower = text.lower()
    words = Counter((_DEVANAGARI_WORD if "hi" in languages else _WORD).findall(lower))
    letters = set(lower)
    scores = {
        language: sum(count for word, count in words.items() if word in FUNCTION_WORDS[language])
        + len(letters & set(_RARE_LETTERS.get(language, "")))
        for language in languages
        if language
    }
    first, second = sorted(scores.values(), reverse=True)[:2]
    if first < MIN_FUNCTION_WORDS or first == second:
        return ""
    return max(scores, key=scores.__getitem__)


def is_latin_language(code: str) -> bool:
    """Return whether a language is written in Latin letters, as far as it is known here."""
    return code in _SCRIPTS["Latin"][1]


def get_base_language(code: str) -> str:
    """Return the language of a tag without its script: "zh" of "zh-Hant"."""
    return code.partition("-")[0]


def get_direction(code: str) -> str:
    """Return "rtl" for a language that is written from right to left, else "ltr"."""
    return "rtl" if code in RTL_LANGUAGES else "ltr"


@lru_cache(maxsize=10_000)
def _weigh_script(ideograph: str) -> int:
    """Return 1 for a character of only the simplified character set, -1 for one of only the traditional, else 0."""
    return _is_encodable(ideograph, "gb2312") - _is_encodable(ideograph, "big5")


def _is_encodable(character: str, character_set: str) -> bool:
    try:
        return bool(character.encode(character_set))
    except UnicodeEncodeError:
        return False
