"""Write the parts of formulas in a line of text, close to how they are read aloud: "(a+b)/2", "x²", "√(2gh)"."""

from __future__ import annotations

import re
import unicodedata

SUPERSCRIPTS = str.maketrans("0123456789+-−–=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_SMALL_CHARACTERS = "".join(map(chr, {*SUPERSCRIPTS.values(), *_SUBSCRIPTS.values()}))
_MAX_SMALL_CHARACTERS = 4  # longer ones are hard to read so small
_OPEN_SCRIPT = re.compile(r"[_^]\w+$")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_POWER_OF_TEN = re.compile(r"(?:^|[^\d.,])10$")  # "5×10" before an exponent: the exponent is that of the 10
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\|[^|]*\|")
_SYMBOL_WITH_INDEX = re.compile(r"\w_(?:\w+|\([^()]*\))")
# The signs that programs put above a letter, and the marks that combine with it.
_COMBINING_MARKS = str.maketrans("¯‾ˉ^ˆ~˜˙.¨→⟶⇀ˇ´`˘", "".join(
    ("\u0304\u0304\u0304", "\u0302\u0302", "\u0303\u0303", "\u0307\u0307", "\u0308", "\u20d7\u20d7\u20d7",
     "\u030c", "\u0301", "\u0300", "\u0306")
))  # fmt: skip
OVERLINES = frozenset("\u0304\u0305")
_MAX_LETTERS_WITH_MARKS = 3


def join_parts(text: str, part: str) -> str:
    """Return a text with the next part of its formula: a space ends an index or exponent without brackets ("x_k a")."""
    return text + (" " if part[:1].isalnum() and _OPEN_SCRIPT.search(text) else "") + part


def group(text: str) -> str:
    """Return a part of a fraction or root, in brackets unless it is one number, word or symbol."""
    # "2h" below a line or a root sign is a product, "r²" is not.
    is_whole = text.isdigit() or text.isalpha() or len(_strip_marks(text).rstrip(_SMALL_CHARACTERS)) <= 1
    return text if is_whole or _BRACKETED.fullmatch(text) else f"({text})"


def group_base(text: str) -> str:
    """Return what has an exponent, in brackets unless the exponent can belong to nothing less: "(a+b)", "2.5", "x_i"."""
    is_whole = _NUMBER.fullmatch(text) or _POWER_OF_TEN.search(text) or _SYMBOL_WITH_INDEX.fullmatch(text)
    return text if is_whole else group(text)


def format_fraction(numerator: str, denominator: str) -> str:
    return f"{group(numerator)}/{group(denominator)}"


def format_binomial(upper: str, lower: str) -> str:
    """Return two lines without a bar between them, which stand in brackets, as they are read aloud."""
    return f"{upper} choose {lower}"


def format_scripts(base: str, low: str, high: str) -> str:
    return (group_base(base) if high else base) + lower_text(low) + raise_text(high)


def format_left_scripts(base: str, low: str, high: str) -> str:
    return raise_text(high) + lower_text(low) + base


def format_root(radicand: str, degree: str = "") -> str:
    return f"{degree}√{group(radicand)}"


def format_sum(sign: str, low: str, high: str) -> str:
    return f"{sign}{mark_script('_', low)}{mark_script('^', high)} "


def format_limit(base: str, limit: str) -> str:
    return f"{base}_{group(limit)}"


def format_rows(rows: list[str]) -> str:
    return "; ".join(rows)


def format_accent(text: str, accent: str) -> str:
    """Return letters with their accent; over more than a few characters only a line has a place in a text."""
    mark = accent.strip()[:1].translate(_COMBINING_MARKS)
    if not mark or not unicodedata.combining(mark):
        return text
    if text.isalnum() and len(text) <= _MAX_LETTERS_WITH_MARKS:
        return "".join(letter + mark for letter in text)
    return f"¯({text})" if mark in OVERLINES else text


def raise_text(text: str) -> str:
    """Return an exponent as small raised characters where all of them exist: "x²", else "x^(a+b)"."""
    return text.translate(SUPERSCRIPTS) if _is_small(text, SUPERSCRIPTS) else mark_script("^", text)


def lower_text(text: str) -> str:
    """Return an index as small lowered characters where all of them exist: "x₁", else "x_i"."""
    return text.translate(_SUBSCRIPTS) if _is_small(text, _SUBSCRIPTS) else mark_script("_", text)


def mark_script(sign: str, text: str) -> str:
    """Return an exponent or index after its sign: "^2", "_i", "^(a+b)"."""
    is_whole = len(text) == 1 or (text.isalnum() if sign == "_" else text.isdigit())
    return (f"{sign}{text}" if is_whole else f"{sign}({text})") if text else ""


def _is_small(text: str, characters: dict[int, int]) -> bool:
    return len(text) <= _MAX_SMALL_CHARACTERS and all(ord(character) in characters for character in text)


def _strip_marks(text: str) -> str:
    return "".join(character for character in text if not unicodedata.combining(character))
