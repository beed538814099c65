"""One stop and what stands around it: what the rules look at."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Stops that mean nothing else and need no space after them (Unicode's Sentence_Terminal beyond ASCII, and the
# semicolons that end sentences: the Chinese one and the Greek question mark).
UNAMBIGUOUS_STOPS = frozenset("。！？｡；؟۔؞؝।॥።፧፨။។៕‼⁇⁈⁉‽⸮⸼꓿꘎꘏꛳꛷꡶꡷꣎꣏꤯꧈꧉꩝꩞꩟꫰꫱꯫᙮᜵᜶᠃᠉᥄᥅᪨᪩᪪᪫᭚᭛᭞᭟᰻᰼᱾᱿෴༎𑁇𑁈߹܀܁܂׃։\u037e")
CLOSING_QUOTES = frozenset("\"'”’»›」』＂＇“‘«‹")
MAX_CONTEXT_CHARACTERS = 80  # characters looked at on either side

_ARMENIAN, _GREEK, _INDIC = "[\u0531-\u0587]", "[\u0370-\u03ff\u1f00-\u1fff]", "[\u0900-\u097f]"
_CLOSING = r"""[)\]}）］】〕》〉"'”’»›」』＂＇]"""
_CLOSER_LOOKAHEAD = rf"(?=$|[\s.,;:!?…)\]}}]|{_CLOSING})"
_MARKS = rf"""(?:
    \.(?:[ \xa0]\.){{2,}}+            # . . .
  | [.!?…．{"".join(UNAMBIGUOUS_STOPS)}]++
  | (?<={_ARMENIAN}):(?=\s|$) | (?<={_GREEK});(?=\s|$) | (?<={_INDIC})\s?\|
)"""
_CLOSER = rf"""(?:
    {_CLOSING} | [“‘«‹„]{_CLOSER_LOOKAHEAD}      # an opener by its look, a closer by its place: German “, Danish «
  | [ \xa0\u202f]»{_CLOSER_LOOKAHEAD} | \[\d{{1,3}}\] | [¹²³⁰⁴-⁹]{_CLOSER_LOOKAHEAD} | [\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]
)"""
STOP_CLUSTER = re.compile(
    rf"(?P<marks>{_MARKS})(?P<closers>{_CLOSER}{{0,20}}+(?:[.!?…]{{1,20}}{_CLOSER}{{0,20}}+)?)", re.VERBOSE
)
_OPENERS = re.compile(r"[\s\"'“”‘’«»„‹›(\[{「『（【《〈¿¡*_–—―‐-]*+")
_WORD = re.compile(r"[^\W_]+")
_LAST_WORD = re.compile(r"[^\s(\[{\"“”'‘’«„–—]*$")


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop, `marks` with its `closers`, at `[start, end)`; a little of what stands before and after it."""

    start: int
    end: int
    marks: str
    closers: str
    so_far: str  # the sentence up to here, when it is short
    before: str
    word: str  # the last word before the stop
    right: str
    opened: str  # spaces, quotes and brackets before the next word
    after: str
    following: str  # the next word: letters and digits only
    bracketed: bool  # it stands in a pair of brackets or quotes that opened in the middle of the sentence
    small_letters: bool  # the whole text is in small letters: they tell nothing of where sentences begin

    @classmethod
    def from_match(
        cls, text: str, begin: int, limit: int, match: re.Match, end: int, *, bracketed: bool, small_letters: bool
    ) -> Stop:
        start = match.start()
        before = text[max(begin, start - MAX_CONTEXT_CHARACTERS) : start]
        right = text[end : min(limit, end + MAX_CONTEXT_CHARACTERS)]
        opened = _OPENERS.match(right).group()
        after = right[len(opened) :]
        following = _WORD.match(after)
        return cls(
            start=start,
            end=end,
            marks=match["marks"],
            closers=match["closers"],
            so_far=text[begin : min(end, begin + MAX_CONTEXT_CHARACTERS)],
            before=before,
            word=_LAST_WORD.search(before).group(),
            right=right,
            opened=opened,
            after=after,
            following=following.group() if following else "",
            bracketed=bracketed,
            small_letters=small_letters,
        )

    @property
    def spaced(self) -> bool:
        return self.right[:1].isspace()

    @property
    def previous_word(self) -> str:
        """The word before the last word."""
        return (self.before[: len(self.before) - len(self.word)].split() or [""])[-1]


def is_ideograph(char: str) -> bool:
    return bool(char) and ("\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff")


def is_caseless(char: str) -> bool:
    return bool(char) and char.isalpha() and char.lower() == char.upper()
