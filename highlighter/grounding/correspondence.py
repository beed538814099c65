"""The speakers in the e-mails of a source.

A line such as "On Monday Tom Ashby wrote:" says who speaks in the lines behind ">" below it, and "From:" who speaks in the others.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from highlighter.text.lazy_pattern import compile_later

MAX_LINE_CHARACTERS = 300
_QUOTE_MARKS = compile_later(r"(?:[ \t]{0,3}>)*")
_SENDER = compile_later(r"\W{0,3}(?:From|Von|De|Da|Van|От|寄件人|发件人|差出人)\s?[:：]\s?(?P<name>[^<>(\n\"]{2,60})")
_RECIPIENTS = compile_later(r"\W{0,3}(?:To|Cc|An|À|Para|A|Aan|Кому|收件人|宛先)\s?[:：]\s?(?P<name>[^\n]{2,300})")
_ATTRIBUTION = compile_later(
    r"[^\n]*?(?P<name>[^\W\d_][^\n,:<>\d]{1,58}?)\s*(?:<[^<>]{3,80}>\s*)?"
    r"(?:wrote|a écrit|ha scritto|escribió|escreveu|schreef|写道|寫道|пишет|написал[аи]?)\s*[:：]\s*"
    r"|[^\n]*?\b(?:schrieb|schreef) (?P<name_after>[^\W\d_][^\n,:<>\d]{1,58}?)\s*(?:<[^<>]{3,80}>\s*)?[:：]\s*"
)
_ADDRESS = compile_later(r"<[^<>]*>|\S+@\S+")


class Speech(NamedTuple):
    """The text from an offset on, up to the next one, and who speaks there; "" where that is not known."""

    start: int
    speaker: str


class Correspondence(NamedTuple):
    """The e-mails in a text: who speaks where, and the names of all who write or get them."""

    speeches: tuple[Speech, ...]
    names: tuple[str, ...]

    def find_speaker(self, offset: int) -> str:
        """Return who speaks at an offset of the text; "" where that is not known."""
        position = bisect_right(self.speeches, offset, key=lambda speech: speech.start) - 1
        return self.speeches[position].speaker if position >= 0 else ""


def find_correspondence(text: str) -> Correspondence:
    """Return who speaks where in the e-mails of a text; nobody in other texts."""
    speakers: dict[int, str] = {}  # by the number of ">" before a line
    speeches: list[Speech] = []
    names: dict[str, None] = {}
    start = 0
    for full_line in text.split("\n"):
        marks = _QUOTE_MARKS.match(full_line)
        quoted = marks[0] if marks else ""
        depth, line = quoted.count(">"), full_line[len(quoted) :][:MAX_LINE_CHARACTERS]
        if sender := _SENDER.match(line):
            speakers[depth] = sender["name"].strip()
        elif line.rstrip().endswith((":", "：")) and (attribution := _ATTRIBUTION.fullmatch(line)):
            speakers[depth + 1] = (attribution["name"] or attribution["name_after"]).strip()
        elif recipients := _RECIPIENTS.match(line):
            people = _ADDRESS.sub("", recipients["name"]).split(",") if speakers else []
            names |= dict.fromkeys(name.strip() for name in people if name.strip())
        if not speeches or speeches[-1].speaker != speakers.get(depth, ""):
            speeches.append(Speech(start, speakers.get(depth, "")))
        start += len(full_line) + 1
    if not speakers:
        return Correspondence((), ())
    return Correspondence(tuple(speeches), tuple(dict.fromkeys([*speakers.values(), *names])))
