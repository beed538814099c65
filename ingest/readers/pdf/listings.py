"""Find the lines of listings: text in a typeface of fixed width, which is not that of the running text."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict

from ingest.readers.pdf.blocks import PdfLine
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.line_joining import begins_with_address

_MIN_FRAGMENTS, _MIN_FIXED_SHARE = 3, 0.1  # of a typeface of fixed width; other text may stand in one fragment with it
_MIN_NAMELESS_SHARE = 0.6  # fonts without names may be several typefaces
_MAX_FRAGMENTS = 400  # of a typeface that are looked at
_MIN_FRAGMENT_CHARACTERS = 6  # in shorter ones, the last letter decides how wide they are
_MAX_WIDTH_DIFFERENCE = 0.015  # of a character, on average: signs may be of another font
_MAX_LISTED_SHARE = 0.9  # of all characters: with more, the text is written on a typewriter
_NAMELESS = 0
_MIN_PROSE_WORDS, _MIN_PROSE_SHARE = 5, 0.8  # of a line of sentences, and its letters, spaces and stops
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_PROSE_CHARACTER = re.compile(r"[^\W\d_]|[ .,'’-]")
_PROMPT = re.compile(r"(?:[A-Za-z]{0,8}>{1,3}|\$)\s\S")  # "> fit(model)", ">>> import this", "$ make"
# In no sentence; "error(s)" is.
_CODE_SIGN = re.compile(
    r"<-|::|==|\s~\s|^(?![A-Z]).*(?<!\S)--\w|\$[\w({]|\w\((?!\w{1,3}\))|\w[*=]\w|\S\s=\s\S|[;{]$|;\s(?:then|do)\b"
)
_NUMBER_OR_RULE = re.compile(r"-?\d+(?:\.\d+)?|[#=*_-]{3,}")
_STRING_END = re.compile(r"[.!?][\"'”]$")  # of a text in a program
_NARROW, _WIDE = re.compile(r"[fijlrt.,:;'()\[\]-]"), re.compile("[abcdeghkmnopquwA-HK-Z0-9]")


def mark_listings(pages: list[list[Fragment]]) -> None:
    """Mark the fragments of a document that are in a typeface of fixed width, unless nearly all text is."""
    by_face: dict[int, list[Fragment]] = defaultdict(list)
    for fragments in pages:
        for fragment in fragments:
            by_face[fragment.face].append(fragment)
    listed: list[Fragment] = []
    count = 0  # of the characters in these typefaces
    for face, fragments in by_face.items():
        sample = {f.text: f for f in fragments[:: len(fragments) // _MAX_FRAGMENTS + 1] if _shows_width(f)}
        fixed = [fragment for fragment in sample.values() if fragment.is_fixed_width]
        if len(fixed) < _MIN_FRAGMENTS:
            continue
        if len(fixed) < (_MIN_NAMELESS_SHARE if face == _NAMELESS else _MIN_FIXED_SHARE) * len(sample):
            found = [fragment for fragment in fragments if fragment.is_fixed_width and _shows_width(fragment)]
            count += _count_characters(found)
        else:
            width = statistics.median(map(_measure_width, fixed))
            found = [fragment for fragment in fragments if _has_width(fragment, width)]
            count += _count_characters(found if face == _NAMELESS else fragments)
        listed += found
    if count < _MAX_LISTED_SHARE * sum(map(_count_characters, pages)):
        for fragment in listed:
            fragment.is_listing = True


def _count_characters(fragments: list[Fragment]) -> int:
    return sum(len(fragment.text) for fragment in fragments)


def _shows_width(fragment: Fragment) -> bool:
    """Return whether a fragment has characters that are equally wide only in a typeface of fixed width."""
    return bool(_NARROW.search(fragment.text) and _WIDE.search(fragment.text))


def _measure_width(fragment: Fragment) -> float:
    """Return how wide a character is, in ems."""
    return (fragment.x1 - fragment.x0) / len(fragment.text) / max(fragment.size, 0.5)


def _has_width(fragment: Fragment, width: float) -> bool:
    return (
        len(fragment.text) < _MIN_FRAGMENT_CHARACTERS
        or fragment.is_fixed_width
        or abs(_measure_width(fragment) / width - 1) < _MAX_WIDTH_DIFFERENCE
    )


def is_in_listing(line: PdfLine) -> bool:
    return line.fragments[0].is_listing and all(fragment.is_listing for fragment in line.fragments)


def is_line_of_listing(line: PdfLine, previous: PdfLine) -> bool:
    """Return whether a line begins anew since it is of a listing, and goes on with no sentence of the line above.

    So does text below a command, which its prompt shows.
    """
    if not is_in_listing(line):
        return is_in_listing(previous) and _PROMPT.match(previous.text) is not None
    if any(_PROMPT.match(one.text) for one in (line, previous)):
        return True
    if not is_in_listing(previous):
        return previous.text.endswith(":") and not begins_with_address(line.text)  # "INTERFACE:", "Then call:"
    return not _are_prose(previous, line)


def _are_prose(line: PdfLine, following: PdfLine) -> bool:
    """Return whether two lines are of a sentence that is set like a listing."""
    if len(_LONG_WORD.findall(line.text)) < _MIN_PROSE_WORDS or _CODE_SIGN.search(f"{line.text} {following.text}"):
        return False
    if _NUMBER_OR_RULE.fullmatch(following.text):
        return False  # below the names of columns
    if _STRING_END.search(line.text) and following.text[:1].islower():
        return False
    goes_on = line.text[-1].isalpha() and following.text[:1].islower()
    return _is_prose(line.text) or (goes_on and _is_prose(following.text))


def _is_prose(text: str) -> bool:
    share = len(_PROSE_CHARACTER.findall(text)) / len(text)
    return share >= _MIN_PROSE_SHARE and len(_LONG_WORD.findall(text)) >= _MIN_PROSE_WORDS
