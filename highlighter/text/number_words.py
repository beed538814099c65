"""Number words of German, French, Spanish, Italian, Portuguese, Dutch and Russian: "dreißig", "trente et un", "двадцати пяти".

Words for one ("ein", "un") are articles, too, and only count within larger numbers. English is in `numerals`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple


class _Language(NamedTuple):
    """The words of a language; alternatives stand between slashes."""

    zero_to_nineteen: str
    tens: str  # twenty to ninety
    hundreds: str  # one hundred, then two hundred to nine hundred where they are words of their own
    thousand: str
    millions: str
    one: str  # after tens
    joints: str  # what may stand between two words of a number


_LANGUAGES = {
    "de": _Language(
        "null eins zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
        "zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
        "hundert/einhundert", "tausend/eintausend", "million/millionen", "ein", r"und|\s|",
    ),
    "fr": _Language(
        "zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
        "vingt trente quarante cinquante soixante septante quatre-vingt/quatre-vingts/huitante/octante nonante",
        "cent/cents", "mille", "million/millions", "un/une", r"[\s-]et[\s-]|[\s-]",
    ),
    "es": _Language(
        "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
        "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        "cien/ciento doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas"
        " seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas novecientos/novecientas",
        "mil", "millón/millones", "un/uno/una", r"\sy\s|\s",
    ),
    "it": _Language(
        "zero - due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
        "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
        "cento", "mille/mila", "milione/milioni", "uno", r"\s|",
    ),
    "pt": _Language(
        "zero - dois/duas três quatro cinco seis sete oito nove dez onze doze treze quatorze/catorze quinze dezesseis/dezasseis"
        " dezessete/dezassete dezoito dezenove/dezanove",
        "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
        "cem/cento duzentos/duzentas trezentos/trezentas quatrocentos/quatrocentas quinhentos/quinhentas seiscentos/seiscentas"
        " setecentos/setecentas oitocentos/oitocentas novecentos/novecentas",
        "mil", "milhão/milhões", "um/uma", r"\se\s|\s",
    ),
    "nl": _Language(
        "- - twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
        "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
        "honderd", "duizend", "miljoen", "een/één", r"en|ën|\s|",
    ),
    "ru": _Language(
        "ноль/нуля - два/две/двух/двумя три/трех/трёх/тремя четыре/четырех/четырёх/четырьмя пять/пяти/пятью шесть/шести/шестью семь/семи/семью"
        " восемь/восьми девять/девяти/девятью десять/десяти/десятью одиннадцать/одиннадцати двенадцать/двенадцати тринадцать/тринадцати"
        " четырнадцать/четырнадцати пятнадцать/пятнадцати шестнадцать/шестнадцати семнадцать/семнадцати восемнадцать/восемнадцати"
        " девятнадцать/девятнадцати",
        "двадцать/двадцати тридцать/тридцати сорок/сорока пятьдесят/пятидесяти шестьдесят/шестидесяти семьдесят/семидесяти"
        " восемьдесят/восьмидесяти девяносто/девяноста",
        "сто/ста двести/двухсот триста/трехсот/трёхсот четыреста/четырехсот/четырёхсот пятьсот/пятисот шестьсот/шестисот семьсот/семисот"
        " восемьсот/восьмисот девятьсот/девятисот",
        "тысяча/тысячи/тысяч/тысячу", "миллион/миллиона/миллионов", "один/одна/одного/одной/одну/одно", r"\s",
    ),
}  # fmt: skip
# Words that are common in other languages: "cent", "due", "dos". They are numbers beside a unit of time or money only.
_COMMON_WORDS = frozenset("cent cents due sei sept dos once zero null million millions".split())
# The same of words that are seldom anything else; exchanging or dropping them changes a text all the same.
_AMBIGUOUS_WORDS = _COMMON_WORDS | frozenset("doce quince elf otto mil mille mila neuf dix six cem cien".split())
_UNIT_AFTER = (
    r"(?=(?:\s\(\d+\))?\s(?:jours?|semaines?|mois|an(?:s|nées?)|heures?|minutes?|euros?|francs?|días?|semanas?|mes(?:es)?|años?|horas?|minutos?|pesos?"
    r"|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|or[ae]|minut[oi]|dias?|anos?|reais|tag(?:en?)?|woche[n]?|monat(?:en?)?|jahr(?:en?)?|stunden?|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|jaar|jaren|uur|uren)\b)"
)
_LETTERS = re.compile(r"[^\W\d_]+")
# Of numbers that are written as one word.
_PARTS_OF_COMPOUNDS = (
    "hundert",
    "tausend",
    "zig",
    "ßig",
    "cento",
    "mila",
    "honderd",
    "duizend",
    "ntig",
    "rtig",
    "ftig",
    "stig",
    "chtig",
)
# In these the ones stand before the tens.
_ONES_FIRST = frozenset(("de", "nl"))
_HUNDRED, _THOUSAND, _MILLION = 100, 1_000, 1_000_000


def list_number_words() -> frozenset[str]:
    """Return the words that are numbers, in folded letters, without those that mean something else in most texts."""
    return _index_all_words() - _COMMON_WORDS


def has_number_words(folded: str) -> bool:
    """Return whether a folded text may hold a number in words; much cheaper than a search for it."""
    return not _index_all_words().isdisjoint(_LETTERS.findall(folded)) or any(
        part in folded for part in _PARTS_OF_COMPOUNDS
    )


@lru_cache(maxsize=1)
def build_number_pattern() -> str:
    """Return a pattern of the numbers in words, for folded text: several words of a language before single ones."""
    several, single = zip(*map(_build_patterns, _LANGUAGES), strict=True)
    return rf"\b(?:{'|'.join([*several, *single])})"


@lru_cache(maxsize=1_000)
def parse_number_words(text: str) -> int | None:
    """Return the value of folded number words of one language; None for other text."""
    for code in _LANGUAGES:
        words = _build_words(code)
        if re.fullmatch(f"{words}(?:(?:{_LANGUAGES[code].joints}){words})*", text):
            return _add_up([_index_values(code)[word] for word in re.findall(words, text)], code in _ONES_FIRST)
    return None


def list_spellings(number: int) -> list[str]:
    """Return the words that stand for a number alone, without spaces: those up to twenty, tens and hundreds."""
    return [word for code in _LANGUAGES for word, value in _index_values(code).items() if value == number]


def _add_up(values: list[int], is_one_before_ten: bool) -> int | None:
    """Return the number that words with these values are; None for several numbers in a row."""
    total, section, last = 0, 0, 0
    for value in values:
        if value == _HUNDRED and 1 < section < 10:
            section *= _HUNDRED
        elif value >= _THOUSAND:
            total, section = total + (section or 1) * value, 0
        elif last and not (last > 10 * value // 10 and last >= 20) and not (is_one_before_ten and last < 10 < value):
            return None
        else:
            section += value
        last = value
    return total + section


@lru_cache(maxsize=len(_LANGUAGES))
def _index_values(code: str) -> dict[str, int]:
    language = _LANGUAGES[code]
    small = {value: words for value, words in enumerate(language.zero_to_nineteen.split()) if words != "-"}
    tens = {10 * value: words for value, words in enumerate(language.tens.split(), 2)}
    hundreds = {_HUNDRED * value: words for value, words in enumerate(language.hundreds.split(), 1)}
    rows = small | tens | hundreds | {_THOUSAND: language.thousand, _MILLION: language.millions}
    values = {word: value for value, words in rows.items() for word in words.split("/")}
    values |= dict.fromkeys(language.one.split("/"), 1)
    return values | (_spell_spanish_twenties() if code == "es" else _spell_italian_tens(values) if code == "it" else {})


def _spell_spanish_twenties() -> dict[str, int]:
    """Return the numbers from 21 to 29, which Spanish writes in one word."""
    ones = "uno/ún/una dós/dos trés/tres cuatro cinco séis/seis siete ocho nueve".split()
    return {f"veinti{word}": value for value, words in enumerate(ones, 21) for word in words.split("/")}


def _spell_italian_tens(values: dict[str, int]) -> dict[str, int]:
    """Return the numbers from 21 to 99 in Italian, where tens lose their last letter before a vowel."""
    tens = {word: value for word, value in values.items() if 20 <= value < _HUNDRED}
    ones = {word: value for word, value in values.items() if 0 < value < 10} | {"tré": 3}
    return {
        (ten[:-1] if one[0] in "uo" else ten) + one: values[ten] + value for ten in tens for one, value in ones.items()
    }


@lru_cache(maxsize=1)
def _index_all_words() -> frozenset[str]:
    ones = frozenset(word for language in _LANGUAGES.values() for word in language.one.split("/"))
    return frozenset(word for code in _LANGUAGES for word in _index_values(code)) - ones


def _build_patterns(code: str) -> tuple[str, str]:
    """Return a pattern of several words of a language, and one of a word alone or, if ambiguous, beside a unit."""
    joints, words = _LANGUAGES[code].joints, _build_words(code)
    ambiguous = [word for word in _index_values(code) if word in _AMBIGUOUS_WORDS]
    not_alone = "|".join([*_LANGUAGES[code].one.split("/"), *ambiguous])
    beside_unit = f"|(?:{'|'.join(ambiguous)}){_UNIT_AFTER}" if ambiguous else ""
    return rf"{words}(?:(?:{joints}){words})+\b", rf"(?!(?:{not_alone})\b){words}\b{beside_unit}"


@lru_cache(maxsize=len(_LANGUAGES))
def _build_words(code: str) -> str:
    """Return a pattern of all words of a language, in groups of the same first letter so that most are tried at once."""
    ordered = sorted(_index_values(code), key=lambda word: (word[0], -len(word)))
    groups = (
        f"{letter}(?:{'|'.join(word[1:] for word in group)})"
        for letter, group in groupby(ordered, key=lambda word: word[0])
    )
    return f"(?:{'|'.join(groups)})"
