"""Write superscripts and subscripts of running text as characters: "10⁶", "m²", "H₂O", "e^(a+b)".

The raised number of a note is no exponent: it is left as it is.
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
    rf"(?:\d|\x11|(?<![{_LETTER}.'’])(?:[A-Za-zµͰ-ӿ]|[mckdnµμ]m|km|ft|yd|mi|sec|log|ln|sin|cos|tan))$"
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
    if sign == NOTE_LINK[0]:
        return f"[{stripped}]" if before[-1].isdigit() and stripped.isdigit() else content
    if sign == SUBSCRIPT[0]:
        written = _lower(before, stripped)
    else:
        written = raise_text(stripped) if is_exponent(before, stripped) else ""
    if not written:
        return content
    following = match.string[match.end() : match.end() + 1]
    has_gap = content[-1].isspace() or (following.isalnum() and written[-1].isascii() and written[-1].isalnum())
    return written + " " * has_gap


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
