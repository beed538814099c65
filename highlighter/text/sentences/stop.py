"""A stop with its context, which the rules for sentence boundaries read."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Stops that mean nothing else and need no space after them (Unicode's Sentence_Terminal beyond ASCII, and the Chinese
# semicolon). The Greek question mark is none of them: the fonts of many PDFs name the semicolon so.
UNAMBIGUOUS_STOPS = frozenset("。！？｡；؟۔؞؝।॥።፧፨။។៕‼⁇⁈⁉‽⸮⸼꓿꘎꘏꛳꛷꡶꡷꣎꣏꤯꧈꧉꩝꩞꩟꫰꫱꯫᙮᜵᜶᠃᠉᥄᥅᪨᪩᪪᪫᭚᭛᭞᭟᰻᰼᱾᱿෴༎𑁇𑁈߹܀܁܂׃։")
CLOSING_QUOTES = frozenset("\"'”’»›」』＂＇“‘«‹")
MAX_CONTEXT_CHARACTERS = 80  # read on either side of a stop

_ARMENIAN, _GREEK, _INDIC = "[\u0531-\u0587]", "[\u0370-\u03ff\u1f00-\u1fff]", "[\u0900-\u097f]"
_CLOSING = r"""[)\]}）］】〕》〉"'”’»›」』＂＇]"""
_CLOSER_LOOKAHEAD = rf"(?=$|[\s.,;:!?…)\]}}]|{_CLOSING})"
_MARKS = rf"""(?:
    \.(?:[ \xa0]\.){{2,}}+            # . . .
  | [.!?…．{"".join(UNAMBIGUOUS_STOPS)}]++
  | (?<={_ARMENIAN}):(?=\s|$) | (?<={_GREEK})[;\u037e](?=\s|$) | (?<={_INDIC})\s?\|
)"""
_CLOSER = rf"""(?:
    {_CLOSING} | [“‘«‹„]{_CLOSER_LOOKAHEAD}      # an opener by its shape, a closer by its position: German “, Danish «
  | [ \xa0\u202f]»{_CLOSER_LOOKAHEAD} | \[(?:\d{{1,3}}(?:\s?[,;–-]\s?\d{{1,3}}){{0,9}}|[*∗†‡§¶‖]{{1,3}})\]
  | [¹²³⁰⁴-⁹]{_CLOSER_LOOKAHEAD} | [ ][¹²³⁰⁴-⁹]{{1,3}}(?=\s|$) | [\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]
)"""
STOP_CLUSTER = re.compile(
    rf"(?P<marks>{_MARKS})(?P<closers>{_CLOSER}{{0,20}}+(?:[.!?…]{{1,20}}{_CLOSER}{{0,20}}+)?)", re.VERBOSE
)
_OPENERS = re.compile(r"[\s\"'“”‘’«»„‹›(\[{「『（【《〈¿¡*_–—―‐-]*+")
_WORD = re.compile(r"[^\W_]+")
_LAST_WORD = re.compile(r"[^\s(\[{\"“”'‘’«„–—]*$")
_HEBREW_ACRONYM = re.compile(r"[\u05d0-\u05ea]+\"[\u05d0-\u05ea]+$")


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop, `marks` with its `closers`, at `[start, end)`, with a little of the text before and after it."""

    start: int
    end: int
    marks: str
    closers: str
    sentence_so_far: str  # from its start to the stop, when it is short
    before: str
    last_word: str  # before the stop
    right: str
    opening_marks: str  # spaces, quotes and brackets before the next word
    after: str  # the right context without its opening marks
    next_word: str  # letters and digits only
    is_enclosed: bool  # in a pair of brackets or quotes that opened in the middle of the sentence
    is_lower_case: bool  # the whole text is in lower case, which then says nothing of where sentences begin

    @classmethod
    def from_match(
        cls,
        text: str,
        match: re.Match[str],
        *,
        sentence_start: int,
        stop_end: int,
        limit: int,
        is_enclosed: bool,
        is_lower_case: bool,
    ) -> Stop:
        """Return the stop that a match of STOP_CLUSTER found. `limit`: where the text around it ends."""
        start = match.start()
        before = text[max(sentence_start, start - MAX_CONTEXT_CHARACTERS) : start]
        right = text[stop_end : min(limit, stop_end + MAX_CONTEXT_CHARACTERS)]
        opening_marks = match_text(_OPENERS.match(right))
        after = right[len(opening_marks) :]
        return cls(
            start=start,
            end=stop_end,
            marks=match["marks"],
            closers=match["closers"],
            sentence_so_far=text[sentence_start : min(stop_end, sentence_start + MAX_CONTEXT_CHARACTERS)],
            before=before,
            last_word=match_text(_HEBREW_ACRONYM.search(before) or _LAST_WORD.search(before)),
            right=right,
            opening_marks=opening_marks,
            after=after,
            next_word=match_text(_WORD.match(after)),
            is_enclosed=is_enclosed,
            is_lower_case=is_lower_case,
        )

    @property
    def is_spaced(self) -> bool:
        """Return whether white space follows the stop."""
        return self.right[:1].isspace()

    @property
    def previous_word(self) -> str:
        """Return the word before the last word."""
        return (self.before[: len(self.before) - len(self.last_word)].split() or [""])[-1]


def match_text(match: re.Match[str] | None) -> str:
    """Return the text of a match, empty when there is none."""
    return match.group() if match else ""


def is_ideograph(char: str) -> bool:
    return bool(char) and ("\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff")


def is_hangul(char: str) -> bool:
    return bool(char) and "\uac00" <= char <= "\ud7a3"


def is_caseless(char: str) -> bool:
    return bool(char) and char.isalpha() and char.lower() == char.upper()
