"""Choose the languages with which the text of a page is recognised, by the script that it is written in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from highlighter import tesseract

# The languages whose data read a script, by the name that Tesseract gives the script; the first is advised where none is
# installed. An installed language that is in none of these lists is written in Latin letters.
LANGUAGES_BY_SCRIPT = {
    "Han": ("chi_tra", "chi_sim"),
    "Japanese": ("jpn",),
    "Hiragana": ("jpn",),
    "Katakana": ("jpn",),
    "Hangul": ("kor",),
    "Korean": ("kor",),
    "Cyrillic": (
        *("rus", "ukr", "bul", "srp", "bel", "mkd", "kaz", "kir", "mon", "tgk", "tat", "uzb_cyrl", "aze_cyrl"),
    ),
    "Greek": ("ell", "grc"),
    "Arabic": ("ara", "fas", "urd", "pus", "snd", "uig"),
    "Hebrew": ("heb", "yid"),
    "Syriac": ("syr",),
    "Thaana": ("div",),
    "Devanagari": ("hin", "mar", "nep", "san"),
    "Bengali": ("ben", "asm"),
    "Gurmukhi": ("pan",),
    "Gujarati": ("guj",),
    "Oriya": ("ori",),
    "Tamil": ("tam",),
    "Telugu": ("tel",),
    "Kannada": ("kan",),
    "Malayalam": ("mal",),
    "Sinhala": ("sin",),
    "Thai": ("tha",),
    "Lao": ("lao",),
    "Tibetan": ("bod", "dzo"),
    "Myanmar": ("mya",),
    "Khmer": ("khm",),
    "Georgian": ("kat", "kat_old"),
    "Armenian": ("hye",),
    "Ethiopic": ("amh", "tir"),
    "Cherokee": ("chr",),
    "Canadian_Aboriginal": ("iku",),
}
_SAME_SCRIPTS = {"Korean", "Hiragana", "Katakana"}  # as Hangul and Japanese, by another name
_VERTICAL = "_vert"  # at the end of a language: its data read columns from top to bottom
_WHOLE_SCRIPT = "script/"  # before the data of all languages of a script
LATIN = "Latin"
_LATIN_PACKAGE_LANGUAGE = "eng"
# Characters of these look much the same, so each is tried by itself and the more confident result counts.
_TRIED_SEPARATELY = {"Han"}
_WRITTEN_WITH_LATIN = {"Han", "Japanese", "Hiragana", "Katakana", "Hangul", "Korean"}
_NON_LATIN = {name for languages in LANGUAGES_BY_SCRIPT.values() for name in languages}

# Frequent words, by which a language is known in spite of misread letters.
_COMMON_WORDS = {
    "eng": "the of and to in is that for was with",
    "deu": "der die und das den ist von mit dem ein",
    "fra": "le les des et du est une dans que pour",
    "spa": "el los las y del una por que con se",
    "ita": "il di che e la della per una con non",
    "por": "o os do da e que para uma com não",
    "nld": "de het een van en dat op te zijn met",
    "swe": "och att det som på är av för med den",
    "dan": "og at det til af er på for den med",
    "pol": "i w na z do się nie jest że o",
}
_MIN_COMMON_WORDS = 3


class ScriptNotInstalled(Exception):
    """The error for a script that no installed language reads."""

    def __init__(self, script: str):
        super().__init__(script)
        self.script = script
        self.package = tesseract.package_of(LANGUAGES_BY_SCRIPT.get(script, (_LATIN_PACKAGE_LANGUAGE,))[0])


def list_candidates(script: str, installed: Sequence[str], preferred: str = "") -> list[str]:
    """Return the values for Tesseract's -l to try for a script; for an unknown script, one of each script.

    `preferred` is what an earlier page of the file was read with. Raises ScriptNotInstalled when no installed language
    reads the script.
    """
    scripts = [script] if script else [LATIN, *(name for name in LANGUAGES_BY_SCRIPT if name not in _SAME_SCRIPTS)]
    preferred = preferred.replace(_VERTICAL, "")  # another page may be written in lines
    by_script = {name: _list_of_script(name, installed) for name in scripts}
    if preferred and any(_reads(name, preferred.partition("+")[0]) for name in scripts):
        return [preferred]
    candidates = [candidate for of_script in by_script.values() for candidate in of_script]
    if not candidates:
        raise ScriptNotInstalled(script)
    return candidates


def list_vertical_candidates(candidates: Sequence[str], installed: Sequence[str]) -> list[str]:
    """Return what reads columns from top to bottom, of the languages that were tried for lines."""
    languages = [language for candidate in candidates for language in candidate.split("+")]
    return [vertical for language in languages if (vertical := language + _VERTICAL) in installed]


def is_vertical(languages: str) -> bool:
    """Return whether languages, as given to Tesseract, are read in columns from top to bottom."""
    return all(language.endswith(_VERTICAL) for language in languages.split("+"))


def find_language(text: str, languages: str, installed: Sequence[str]) -> str:
    """Return the installed language in Latin letters that a text is in, "" where that is unclear or no other one.

    Read as English, German loses its umlauts, and the confidence is no lower for that.
    """
    if languages.partition("+")[0].removesuffix(_VERTICAL) in _NON_LATIN:
        return ""
    words = Counter(text.lower().split())
    counts = {language: sum(words[word] for word in common.split()) for language, common in _COMMON_WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    is_clear = counts[best] >= _MIN_COMMON_WORDS and best in installed and best != languages
    return best if is_clear else ""


def find_missing_packages(languages: str, installed: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the script of languages other than Latin, and the packages of its languages that are not installed.

    For languages in Latin letters the script is "".
    """
    first = languages.partition("+")[0].removesuffix(_VERTICAL)
    for script, of_script in LANGUAGES_BY_SCRIPT.items():
        if first in of_script:
            missing = [language for language in of_script if language not in installed]
            return script, tuple(map(tesseract.package_of, missing))
    return "", ()


def _reads(script: str, language: str) -> bool:
    return language in LANGUAGES_BY_SCRIPT[script] if script in LANGUAGES_BY_SCRIPT else language not in _NON_LATIN


def _is_other_data(name: str) -> bool:
    """Return whether installed data are not those of a language in Latin letters."""
    return name.startswith(("chi_", _WHOLE_SCRIPT)) or name.endswith(_VERTICAL)


def _list_of_script(script: str, installed: Sequence[str]) -> list[str]:
    latin = sorted(
        (name for name in installed if name not in _NON_LATIN and not _is_other_data(name)),
        key=lambda name: (name != _LATIN_PACKAGE_LANGUAGE, name),
    )
    if script not in LANGUAGES_BY_SCRIPT:
        return latin[:1]
    languages = [name for name in LANGUAGES_BY_SCRIPT[script] if name in installed]
    more = latin[:1] if script in _WRITTEN_WITH_LATIN else []
    groups = [[name] for name in languages] if script in _TRIED_SEPARATELY else [languages] if languages else []
    return ["+".join(group + more) for group in groups]
