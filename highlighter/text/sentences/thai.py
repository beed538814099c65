"""The boundaries of Thai sentences, which have no full stops: a space ends a sentence, or only a clause, a name, a figure.

A space ends one after a particle of politeness, before a word that opens sentences, and between two clauses where the
sentence has become long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from highlighter.text.sentences.boundaries import find_enclosures

# Between two Thai words, or after a year: other numbers have their unit after the space.
_GAP = re.compile(r" (?:(?<=[\u0e01-\u0e4e] )|(?<=ศ\. \d{4} )) *(?=[\u0e40-\u0e44]?[\u0e01-\u0e2e])")
_PARTICLE_BEFORE = re.compile(r"(?:ครับ|ครับผม|ค่ะ|คะ|จ้ะ|จ้า)$")
_OPENER = re.compile(
    r"(?:แต่)?(?:อย่างไรก็(?:ตาม|ดี)|ดังนั้น|นอกจาก(?:นี้|นั้น)|ทั้งนี้|อนึ่ง|เพราะฉะนั้น|ด้วยเหตุ(?:นี้|นั้น)|"
    r"ต่อมา|(?:หลัง)?จากนั้น|(?:ใน)?ขณะเดียวกัน|ในทางกลับกัน|ในที่สุด|ในกรณีที่|หาก)"
)
# Words that join what follows to what stands before: no clause of its own begins with them, or ends with them.
_JOINER = (
    "และ หรือ แต่ โดย ซึ่ง ที่ เพื่อ ของ ใน จาก ว่า กับ รวม เช่น ได้แก่ คือ ทั้ง พร้อม ตลอดจน ตาม เพราะ เนื่องจาก เมื่อ "
    "ถ้า แล้ว จึง ก็ จะ มี เป็น อัน ต่อ แก่ ไม่ อย่าง ถึง ด้วย ให้ ณ ตั้งแต่ จนถึง ระหว่าง สำหรับ ฯ"
).split()
_JOINER_AFTER, _JOINER_BEFORE = re.compile("|".join(_JOINER)), re.compile(f"(?:{'|'.join(_JOINER)})$")
_MIN_CHARACTERS_BEFORE_OPENER = 20
_MIN_LONG_CHARACTERS = 90  # of a sentence: about as many as sentences have
_MIN_CLAUSE_CHARACTERS, _MIN_NEXT_CLAUSE_CHARACTERS = 15, 25  # what is shorter is a name or an item of a list
_MAX_JOINER_CHARACTERS = 10


def find_thai_boundaries(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets of the spaces in `text[start:end]` at which a Thai sentence ends, in order."""
    gaps = list(_GAP.finditer(text, start, end))
    if not gaps:
        return
    pairs = find_enclosures(text, start, end)
    clause_start = start
    for gap in gaps:
        at, following = gap.span()
        is_enclosed = any(opener < at < closer for opener, closer in pairs)
        if not is_enclosed and _ends_sentence(text, (start, clause_start, at), (following, end)):
            yield at
            start = following
        clause_start = following


def _ends_sentence(text: str, before: tuple[int, int, int], after: tuple[int, int]) -> bool:
    (start, clause_start, at), (following, end) = before, after
    if _PARTICLE_BEFORE.search(text, clause_start, at):
        return True
    if _OPENER.match(text, following, end):
        return at - start >= _MIN_CHARACTERS_BEFORE_OPENER and not _ends_with_joiner(text, clause_start, at)
    next_space = text.find(" ", following, end)
    return (
        at - start >= _MIN_LONG_CHARACTERS
        and at - clause_start >= _MIN_CLAUSE_CHARACTERS
        and (next_space if next_space >= 0 else end) - following >= _MIN_NEXT_CLAUSE_CHARACTERS
        and not _JOINER_AFTER.match(text, following, end)
        and not _ends_with_joiner(text, clause_start, at)
    )


def _ends_with_joiner(text: str, clause_start: int, at: int) -> bool:
    return _JOINER_BEFORE.search(text, max(clause_start, at - _MAX_JOINER_CHARACTERS), at) is not None
