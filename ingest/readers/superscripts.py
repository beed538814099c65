"""Write superscripts and subscripts of running text as characters: "10⁶", "m²", "H₂O", "e^(a+b)".

The raised number of a note is no exponent: it stands in brackets ("[1]"). What may be either is left as it is.
"""

from __future__ import annotations

import re

from ingest.readers.linear_formulas import lower_text, mark_script, raise_text

# A reader puts these control characters, which no text holds, around what stands high, low, or refers to a note.
SUPERSCRIPT, SUBSCRIPT, NOTE_LINK = ("\x0e", "\x0f"), ("\x10", "\x11"), ("\x12", "\x13")
SCRIPT_SIGNS = re.compile("[\x0e-\x13]")
_SCRIPT = re.compile("([\x0e\x10\x12])([^\x0e-\x13]*)(?:[\x0f\x11\x13]|$)")
_JOINT = re.compile("\x0f\x0e|\x11\x10")  # Word stores what stands high or low in several pieces
_MAX_NESTING = 5
_MAX_CONTEXT_CHARACTERS = 40

_LETTER = "A-Za-zÀ-ɏͰ-ӿ"
# What has an exponent: a number, a symbol of one letter, a unit.
_END_OF_FORMULA = re.compile(
    rf"(?:\d|\x11|(?<![{_LETTER}.'’])(?:[A-Za-zµͰ-ӿ]|[mckdnµμ]m|km|ft|yd|mi|sec|log|ln|exp|sin|cos|tan|cot|sinh|cosh|tanh|[kMG]?eV|[kM]pc))$"
    r"|(?<![\w.])\((?=[^()]*[+−×·*/=])(?![^()]*[^\W\d_]{3})[^()]{1,40}\)$"
)
_NUMBER = re.compile(r"\d{1,9}(?:[.,]\d{1,4})?")
# "10⁻³", "Ca²⁺": no note has a sign. A sign alone is a charge only of a short formula ("OH⁻"): not in "[KMN+02]".
_SIGNED_NUMBER = re.compile(r"[+−–-]\d{1,4}(?:[.,]\d{1,4})?|\d{1,2}[+−–-]")
_SIGN, _ION = re.compile("[+−–-]"), re.compile(rf"(?:(?<![{_LETTER}\d])(?:[A-Z][a-z]?){{1,2}}|[\d)\]\x11])$")
_TERM = re.compile(r"(?=.*[+−=*/·])[\w+−=*/·.,() -]{2,40}")
_VARIABLE = re.compile(r"[+−–-]?\d{0,2}[ijkmnpqxyzT]")  # not "a", "o", "e", "st", "r", which end ordinals and titles
_EULERS_NUMBER = re.compile(rf"(?<![{_LETTER}\d.'’])e$")
_LOWERED = re.compile(r"[\d+−=()-]{1,4}")

_NOTE_MARK = re.compile(r"\(?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,9})\)?")
_NOTE_SIGN = re.compile("[*∗†‡§¶‖]{1,3}")  # after a word, it may say that something is significant
_CLAUSE_END = re.compile(r"[.!?…;:,。！？；：，、؟،؛।][\"'”’»›)\]）」』]*$")
_CENTS_OR_MINUTES = re.compile(r"\d\d")
_DIVIDED_NUMBER = re.compile(
    r"(?:\d[,:]|(?:(?<!\d)\d{1,3}|[$€£¥]\s?\d{1,9})\.)$"
)  # "$12.⁹⁹", "8:³⁰"; "in 1907.¹²" is none
# A word, and what is none though it has several letters: "TiO", "mgh", "chi", "det".
_WORD = re.compile(r"(?:(?<![^\W_])[^\W\d_]{3,}|[\u2e80-\u9fff\uac00-\ud7a3]{2}|['’][^\W\d_])$")
_SYMBOL = re.compile(
    r"(?<![^\W_])(?:(?=[^\W\d_]*[a-z])(?:[A-Z][a-z]?){2,3}|[b-df-hj-np-tv-xzͰ-Ͽ]{3}|[Aa]lpha|[Bb]eta|[Cc]hi|[Ee]ta|[Gg]amma|[Ll]ambda"
    r"|[Oo]mega|[Pp]hi|[Pp]si|[Rr]ho|[Ss]igma|[Tt]au|arc(?:sin|cos|tan)|det|lim|max|min|mod|[Cc]ov|[Vv]ar)$"
)
# What is calculated with, a unit or a quantity: "= height²", "per second²", "9 sq²", "metres³", "radius²".
_OPERAND = re.compile(
    r"(?:(?:[=×·÷∝*/^]|\s[+−–-]\s|\bper\s)\s?\w+|\d[\d.,]{0,9}[ \xa0-]?[^\W\d_]{1,3}"
    r"|(?<![^\W\d_])(?:[Kk]ilo|[Cc]enti|[Mm]illi)?(?:[Mm]et(?:re|er)s?|[Ff]eet|[Ff]oot|[Ii]nch(?:es)?|[Yy]ards?|[Mm]iles?)"
    r"|(?<![^\W\d_])(?:[Rr]adius|[Dd]iameter|[Ll]ength|[Ww]idth|[Hh]eight|[Dd]epth|[Dd]istance|[Ss]peed|[Vv]elocity|[Mm]ass|[Cc]urrent"
    r"|[Vv]oltage|kWh|mol|rad))$"
)
_OPERATOR = re.compile(r"\s?[=×·÷∝*/^]|\s[+−–-]\s")


def write_scripts(text: str) -> str:
    """Return a text whose superscripts and subscripts are marked, with each written as characters."""
    if not SCRIPT_SIGNS.search(text):
        return text
    text = _JOINT.sub("", text)
    for _ in range(_MAX_NESTING):  # from the innermost
        text, count = _SCRIPT.subn(_write_script, text)
        if not count:
            break
    return SCRIPT_SIGNS.sub("", text)


def _write_script(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - _MAX_CONTEXT_CHARACTERS) : match.start()]
    sign, content = match[1], match[2]
    stripped = content.strip()
    if not stripped or not before or before[-1].isspace():
        return content
    following = match.string[match.end() : match.end() + _MAX_CONTEXT_CHARACTERS]
    is_note = sign == NOTE_LINK[0] or (sign == SUPERSCRIPT[0] and is_note_mark(before, stripped, following))
    if is_note and (mark := _find_mark(stripped)):
        return f"[{mark}]"
    if sign == NOTE_LINK[0]:
        return content
    if sign == SUBSCRIPT[0]:
        written = _lower(before, stripped)
    else:
        written = raise_text(stripped) if is_exponent(before, stripped) else ""
    if not written:
        return content
    has_gap = content[-1].isspace() or (following[:1].isalnum() and written[-1].isascii() and written[-1].isalnum())
    return written + " " * has_gap


def is_note_mark(before: str, text: str, following: str) -> bool:
    """Return whether raised text is the mark of a note: a number or sign after a clause, or a number after a word."""
    if _CLAUSE_END.search(before):
        is_part_of_number = _CENTS_OR_MINUTES.fullmatch(text) and _DIVIDED_NUMBER.search(before)
        return bool(_find_mark(text)) and not is_part_of_number
    is_word = _WORD.search(before) and not _SYMBOL.search(before)
    is_operand = _OPERAND.search(before) or _OPERATOR.match(SCRIPT_SIGNS.sub("", following))
    return bool(_NOTE_MARK.fullmatch(text) and is_word) and not (is_operand or is_exponent(before, text))


def _find_mark(text: str) -> str:
    """Return the numbers or the sign of a note's mark, without brackets; empty for other text."""
    if number := _NOTE_MARK.fullmatch(text):
        return number[1]
    return text if _NOTE_SIGN.fullmatch(text) else ""


def is_exponent(before: str, text: str) -> bool:
    """Return whether raised text is an exponent or a charge: not a note's mark, nor an ordinal's ending."""
    base = SCRIPT_SIGNS.sub("", before)[-1:]
    if _SIGNED_NUMBER.fullmatch(text):
        return base.isalnum() or base in tuple(")]")
    if _SIGN.fullmatch(text):
        return _ION.search(before) is not None
    return bool(_EULERS_NUMBER.search(before) or (_is_exponent_like(text) and _END_OF_FORMULA.search(before)))


def _is_exponent_like(text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in (_NUMBER, _VARIABLE, _TERM))


def _lower(before: str, text: str) -> str:
    """Return an index of figures or a term as it is written; empty for one of letters, which are left ("Cmax")."""
    if not (before[-1].isalnum() or before[-1] in ")]\x0f\x11⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"):
        return ""
    if _LOWERED.fullmatch(text):
        return lower_text(text)
    return mark_script("_", text) if _TERM.fullmatch(text) else ""
