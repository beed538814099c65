"""List markers by their shape: "1.", "2)", "(a)", "iv.", "•", at the start of a line or inside a line."""

from __future__ import annotations

import re

from highlighter.text.sentences.word_lists import NOUNS_BEFORE_NUMBERS, NUMBERED_HEADING_WORDS

BULLETS = "•‣⁃◦▪▫●○■□◆◇▶►➢➤✓✔✗✘❖∙⦁"
# Before an item of a list in an answer or a note, as an alternative of patterns; white space follows.
ITEM_MARK = r"(?:[-*+•◦▪]|\(?\d{1,3}[.)])"
_ROMAN = r"(?:x{0,4}(?:ix|iv|v?i{0,3}))"
_ORDINAL = rf"(?:(?:[A-Z]\.)?\d{{1,3}}(?:\.\d{{1,3}}){{0,5}}[a-z]?|(?i:{_ROMAN})|[^\W\d_])"

# A bullet, or a numeral or letter with its stop or bracket, then text.
_MARKER_AT_LINE_START = re.compile(
    rf"(?:[{BULLETS}]|[-–—*+·](?=\s)|\#{{1,6}}\s|\||>\s|[(\[（]\s?{_ORDINAL}\s?[)\]）]|{_ORDINAL}(?:\.\)|[.):）](?=\s|$))"
    r"|\d{1,3}(?:\.\d{1,3}){1,5}\.?(?=\s|$)|[(（][一二三四五六七八九十]{1,3}[)）]|[一二三四五六七八九十]{1,3}、|\d{1,3}[、．]|第[一二三四五六七八九十百千\d]{1,5}[条條章节節])"
)
# A sentence that consists of an enumerator alone has only begun.
_ENUMERATOR = re.compile(
    rf"[(\[{{\"'“‘«„]*(?:[{BULLETS}*–—-]\s*)?(?:\d{{1,4}}\s+(?=[A-Z]{{4}}))?(?:(?P<head>[^\W\d_][^\s\d.]*\.?|§+)\s+)?[(\[]?(?P<value>{_ORDINAL})[.)\]]+"
)
_INLINE_MARKER = re.compile(
    r"(?<!\S)(?P<open>\(?)(?P<value>\d{1,3}|[a-z]|[ivx]{1,5}|(?<!\()[A-Z](?=\.\s))(?P<close>\.\)|\)|\.)(?=\s+\S)"
)
_INLINE_BULLET = re.compile(rf"(?<!\S)[{BULLETS}](?=\s*\S)")
_CAPITAL, _MAX_NAME_WORDS = "capital", 5
_ROMAN_NUMERALS = {
    "i": 1,
    "ii": 2,
    "iii": 3,
    "iv": 4,
    "v": 5,
    "vi": 6,
    "vii": 7,
    "viii": 8,
    "ix": 9,
    "x": 10,
    "xi": 11,
    "xii": 12,
}


def starts_item(text: str, start: int) -> bool:
    """Return whether a line begins with a bullet or a number of a list, table or heading."""
    return bool(_MARKER_AT_LINE_START.match(text, start, start + 40))


def is_enumerator(piece: str) -> bool:
    """Return whether a would-be sentence, or the cell at its end, is only a number ("4.2.", "(b)", "• 9.", "Article 5.")."""
    piece = piece.rpartition("\t")[2]
    match = _ENUMERATOR.fullmatch(piece) if len(piece) <= 40 else None
    if not match or not match["value"]:
        return False
    head = match["head"]
    if head and not head.startswith("§"):
        return head.rstrip(".").lower() in NUMBERED_HEADING_WORDS and not head[:1].islower()
    return True


def find_inline_items(text: str, start: int, end: int) -> list[int]:
    """Return the offsets of items of a list inside one line, when its markers follow each other as in a list."""
    bullets = _find_bullets(text, start, end)
    numbers = [
        offset
        for offset in _find_numbered_items(text, start, end)
        if not text[max(start, offset - 5) : offset].rstrip().endswith(tuple(BULLETS))
    ]
    return sorted({*bullets, *numbers})


def _find_bullets(text: str, start: int, end: int) -> list[int]:
    offsets = [match.start() for match in _INLINE_BULLET.finditer(text, start, end)]
    # "Home • About • Contact": a separator unless the line opens with it or a lead-in ends before it.
    if len(offsets) > 0 and (offsets[0] == start or _is_lead_in_before(text, start, offsets[0])):
        return offsets
    return []


def _find_numbered_items(text: str, start: int, end: int) -> list[int]:
    chains: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    offsets: list[int] = []
    for match in _INLINE_MARKER.finditer(text, start, end):
        for kind, value in _parse_ordinal(match["value"]):
            style = (match["open"], match["close"], kind)
            chain = chains.get(style)
            if (
                chain
                and value == chain[-1][0] + 1
                and _is_next_item(text, start, match)
                and (kind != _CAPITAL or _is_statement(text[chain[-1][1] : match.start()]))
            ):
                chain.append((value, match.start()))
                continue
            if _is_first_item(text, start, match, value):
                offsets += _list_chain_offsets(chain)
                chains[style] = [(value, match.start())]
    for chain in chains.values():
        offsets += _list_chain_offsets(chain)
    return offsets


def _list_chain_offsets(chain: list[tuple[int, int]] | None) -> list[int]:
    return [offset for _, offset in chain] if chain and len(chain) > 1 else []


def _parse_ordinal(value: str) -> list[tuple[str, int]]:
    if value.isdigit():
        return [("number", int(value))]
    if value.isupper():
        return [(_CAPITAL, ord(value) - ord("A") + 1)]
    letter = [("letter", ord(value) - ord("a") + 1)] if len(value) == 1 else []
    return letter + ([("roman", _ROMAN_NUMERALS[value])] if value in _ROMAN_NUMERALS else [])


def _is_first_item(text: str, start: int, match: re.Match[str], value: int) -> bool:
    offset = match.start()
    opens_line = not text[start:offset].strip(BULLETS + " \t\xa0") if offset - start < 10 else False
    if match["open"] and not _is_capital_next(text, match):
        return False  # "shall (a) give notice and (b) pay": one sentence
    if match["value"].isupper():
        return value == 1 and text[max(start, offset - 20) : offset].rstrip().endswith(":")
    return opens_line or (value == 1 and _is_lead_in_before(text, start, offset))


def _is_statement(item: str) -> bool:
    """Return whether an item is a sentence of its own rather than a name with its initial."""
    return len(item.split()) > _MAX_NAME_WORDS and item.rstrip().endswith((".", ";"))


def _is_next_item(text: str, start: int, match: re.Match[str]) -> bool:
    before = text[max(start, match.start() - 40) : match.start()].split()
    last = before[-1].lower() if before else ""
    if last.strip("(,;") in NOUNS_BEFORE_NUMBERS or last.endswith(","):
        return False
    return not match["open"] or _is_capital_next(text, match)


def _is_lead_in_before(text: str, start: int, offset: int) -> bool:
    before = text[max(start, offset - 20) : offset]
    if before.endswith(("   ", "\t")):  # a gap as wide as between columns: the next column is a line of its own
        return True
    before = before.rstrip()
    return before.endswith((".", ":", ";", "!", "?", "：", "。", "；"))


def _is_capital_next(text: str, match: re.Match[str]) -> bool:
    return text[match.end() : match.end() + 20].lstrip()[:1].isupper()
