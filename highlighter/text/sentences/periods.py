"""A single full stop before a space: part of an abbreviation, of an ordinal number, or the end of a sentence."""

from __future__ import annotations

import re
import unicodedata

from highlighter.text.sentences import word_lists
from highlighter.text.sentences.punkt import ends_sentence
from highlighter.text.sentences.stop import Stop, is_caseless

# Stand-ins for words recognised by their shape: Punkt then decides as for any abbreviation, before any name.
_STAND_IN_ABBREVIATION, _STAND_IN_NAME = "incl", "Xx"
_CONSONANTS = re.compile(
    r"[^\W\d_¹²³⁰-⁾₀-₎aeiouyAEIOUYаеёиоуыэюяіїєАЕЁИОУЫЭЮЯàâäáãåæèéêëìíîïòóôöõøœùúûüýαεηιουωάέήίόύώ]{2,6}"
)
_DOUBLED_LETTER = re.compile(r"([A-Z])\1")  # EE. UU., FF. AA.: plurals in Spanish
_INITIAL_NEXT = re.compile(r"[^\W\d_]\.")
_NUMBER_NEXT = re.compile(r"[§#№]|\S{0,15}\d")  # No. 5, No. FAA-2020
_REFERENCE_INITIAL = re.compile(r"\[[\w+]{1,12}\] (?:[A-Z]\.-?){1,3}")  # [HZRS15] K. He, X. Zhang, ...
_MATHEMATICAL = re.compile("[\U0001d400-\U0001d7ff]")
_RELATION = re.compile("[=<>≠≤≥∈∉⊂⊆→≅\\\\]$")
_CODE = re.compile(r"/\S+|-[^\W\d_]|\S*[*^\\][^\W\d_]")  # a path, an option, a product: /srv, -p, P*M
_HYPHENATED_INITIALS = re.compile(r"[A-Z]\.-[A-Z]")  # J.-P. Moreau
_ABBREVIATED_CELL = re.compile(r"(?:^|\t)[^\W\d_]{1,5}$")  # a cell so far: No., Qty.
_NUMBER_TO_CELL_END = re.compile(r" \d{1,4}(?=\t|\s*$)")
_CUT_DOI = re.compile(r"doi:10$|doi\.org/10$", re.IGNORECASE)  # by a line break: "doi:10. 1016/S0378"
_NUMERAL_OR_LETTER = re.compile(r"[IVXLC]{2,}|[A-HJ-Z]")
_INDIC_WORD, _VIRAMA_CLASS = re.compile("[\u0900-\u0dff]{1,8}"), 9
_SPACED_DATE, _MAX_DATE_CHARACTERS = (
    re.compile(
        r"(?<!\d)(?:(?:19|20)\d\d\. \d{1,2}\. \d{1,2}\.(?=\s?[^\s\dA-Z])"
        r"|(?:0?[1-9]|[12]\d|3[01])\. (?:0?[1-9]|1[0-2])\.(?: (?:19|20)\d\d(?!\d)|(?= [a-zà-ÿ])))"
    ),
    16,
)
_STREET = "str"  # of "Bahnhofstr. 12"
_MONTH_NEXT = re.compile(r"(?:0?[1-9]|1[0-2])\.(?!\d)")
_PREPOSITIONS = word_lists.word_set(
    "at by on from until till around about before after since in um am ab bis gegen seit à en dès vers a alle dalle nel om kl",
    "o w od do в во с к до около после",
)


def ends_by_period(stop: Stop) -> bool:
    """Return whether a single full stop ends its sentence."""
    word, body, first = stop.last_word, stop.last_word.lower(), stop.after[:1]
    if _CUT_DOI.search(word) and first.isdigit():
        return False
    if not word or "://" in word or "@" in word:
        return True
    if body in word_lists.ABBREVIATIONS_NEVER_LAST or (word[:1].isupper() and body in word_lists.TITLES):
        return False
    if word in ("Table", "Figure", "Equation") and first.isdigit():  # "see Table. 1."
        return False
    if _is_title(stop.previous_word) and word.islower() and len(word) <= 4:  # Dr. med., Dr. rer. nat.
        return False
    if (body in word_lists.ABBREVIATIONS_BEFORE_NUMBERS or body.endswith(_STREET)) and (
        _NUMBER_NEXT.match(stop.after) or _NUMERAL_OR_LETTER.fullmatch(stop.next_word)
    ):
        return False
    if _REFERENCE_INITIAL.fullmatch(stop.sentence_so_far):
        return False
    if _is_abbreviated_cell(stop):
        return False
    if _HYPHENATED_INITIALS.fullmatch(word):
        return False
    if word in word_lists.UNIT_SYMBOLS and stop.previous_word[-1:].isdigit() and stop.next_word[:1].isupper():
        return True
    if stop.next_word[:1].isupper() and _CODE.fullmatch(word):
        return True
    is_variable = _MATHEMATICAL.fullmatch(word) or _RELATION.search(stop.previous_word)
    if len(word) == 1 and stop.next_word[:1].isupper() and is_variable:
        return True  # no initial: "x = y. Then"
    if (
        len(word) == 1
        and word.isalpha()
        and (is_caseless(word) or (word.islower() and (first.isdigit() or first == "§")))
    ):
        return False
    if _is_indic_syllable(word) and word not in word_lists.INDIC_FINAL_WORDS:
        return False
    if len(word) == 1 and word.isupper() and first.isdigit() and stop.previous_word.endswith("."):
        return False  # Fed. R. Civ. P. 12
    if word == "h" and stop.previous_word == "d.":  # d. h. (that is), before a formula
        return False
    if word.isdigit():
        return not (_is_ordinal(stop) or _is_in_date(stop))
    if "/" in word or word[0].isdigit():  # km/h, 5m: no initials
        word, body = word.replace("/", ""), body.rpartition("/")[2]
    if stop.next_word[:1].isupper():
        return _ends_before_capital(stop, word, body)
    return ends_sentence(_spell_for_punkt(word), stop.next_word or first)


def _is_abbreviated_cell(stop: Stop) -> bool:
    """Return whether a stop ends the one word of a table's cell ("No." above numbers) or its first ("No. Of")."""
    if not _ABBREVIATED_CELL.search(stop.before):
        return False
    is_in_row = "\t" in stop.before or "\t" in stop.right
    is_open = stop.next_word.lower() == "of" or _NUMBER_TO_CELL_END.match(stop.right)
    return stop.right[:1] == "\t" or (is_in_row and bool(is_open))


def _is_indic_syllable(word: str) -> bool:
    """Return whether a word is one syllable of an Indic script: an initial or a title (वी., लि., எம்.)."""
    if not _INDIC_WORD.fullmatch(word):
        return False
    joining_marks = sum(unicodedata.combining(char) == _VIRAMA_CLASS for char in word)
    return sum(unicodedata.category(char) == "Lo" for char in word) - joining_marks == 1


def _is_in_date(stop: Stop) -> bool:
    """Return whether a stop stands in a date with spaces: 2024. 3. 5. in Korean and Hungarian, 5. 3. 2024 in German and Nordic languages."""
    context = f"{stop.before[-_MAX_DATE_CHARACTERS:]}.{stop.right[:_MAX_DATE_CHARACTERS]}"
    offset = len(stop.before[-_MAX_DATE_CHARACTERS:])
    return any(date.start() < offset < date.end() for date in _SPACED_DATE.finditer(context))


def _is_title(word: str) -> bool:
    return word.endswith(".") and word[:1].isupper() and word[:-1].lower() in word_lists.TITLES


def _spell_for_punkt(word: str) -> str:
    """Return a word for Punkt, with an abbreviation that only its shape reveals replaced by a known one."""
    is_abbreviation = _DOUBLED_LETTER.fullmatch(word) or (
        _CONSONANTS.fullmatch(word) and not (word.isupper() or is_caseless(word))
    )
    return f"{_STAND_IN_ABBREVIATION if is_abbreviation else word}."


def _ends_before_capital(stop: Stop, word: str, body: str) -> bool:
    next_word = stop.next_word.lower()
    if body in ("a.m", "p.m", "am", "pm"):
        return next_word not in word_lists.CALENDAR_WORDS and not _is_opening_phrase(stop.sentence_so_far)
    if body in word_lists.LIST_CLOSERS:
        return True
    if (body in word_lists.UNITS and (len(word) > 1 or word.islower())) and stop.previous_word[-1:].isdigit():
        return not _is_opening_phrase(stop.sentence_so_far)
    if word == "I" and stop.previous_word.lower() in ("and", "or", "than", "as", "am", "nor", "but"):
        return True
    if body in word_lists.CAPITALISED_ABBREVIATIONS and word[:1].isupper():
        return next_word in word_lists.SENTENCE_STARTERS and not _INITIAL_NEXT.match(stop.after)
    if _INITIAL_NEXT.match(stop.after):
        return len(word) > 1 and ends_sentence(_spell_for_punkt(word), _STAND_IN_NAME)
    if body in word_lists.COMPANY_SUFFIXES and _has_two_clauses(stop):
        return True
    return ends_sentence(_spell_for_punkt(word), stop.next_word)


def _is_ordinal(stop: Stop) -> bool:
    """Return whether a number with its stop is an ordinal, as in German: "am 3. Oktober", "im 19. Jahrhundert"."""
    following = stop.next_word.lower()
    if stop.opening_marks.strip() in ("-", "–") and stop.next_word.isdigit():  # 1. -3. Jahrhundert
        return True
    if len(stop.last_word) > 2 or not following or following in word_lists.SENTENCE_STARTERS:
        return False
    return following in word_lists.WORDS_AFTER_ORDINALS or (
        stop.previous_word.lower() in word_lists.WORDS_BEFORE_ORDINALS
        and (stop.next_word[0].isalpha() or _MONTH_NEXT.match(stop.after) is not None)  # "am 1. 7."
    )


def _is_opening_phrase(sentence_so_far: str) -> bool:
    """Return whether a sentence has only said when something happens: "At 5 a.m. Mr. Smith ..."."""
    tokens = sentence_so_far.split()
    return len(tokens) <= 4 and tokens[0].lower() in _PREPOSITIONS


def _has_two_clauses(stop: Stop) -> bool:
    """Return whether both sides of a company suffix hold a verb: "He works for Acme Ltd. John Brown founded it." """
    before = {token.lower() for token in stop.before.split()}
    return bool(before & (word_lists.VERBS | word_lists.PRONOUNS)) and any(
        token in word_lists.VERBS for token in stop.after.split()[1:4]
    )
