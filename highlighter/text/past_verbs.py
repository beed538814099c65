"""The base forms of English verbs in the past: "pay" for "paid", "store" for "stored"."""

from __future__ import annotations

import re

_IRREGULAR_FORMS = (
    "ate/eat beat/beat became/become began/begin bent/bend bet/bet bit/bite bled/bleed blew/blow bore/bear bought/buy bound/bind"
    " bred/breed broke/break brought/bring built/build burnt/burn burst/burst came/come cast/cast caught/catch chose/choose"
    " cost/cost cut/cut dealt/deal did/do drank/drink drew/draw drove/drive dug/dig fed/feed fell/fall felt/feel fled/flee"
    " flew/fly forbade/forbid forgave/forgive forgot/forget fought/fight found/find froze/freeze gave/give got/get grew/grow"
    " had/have heard/hear held/hold hid/hide hit/hit hung/hang hurt/hurt kept/keep knew/know laid/lay learnt/learn led/lead"
    " left/leave lent/lend let/let lit/light lost/lose made/make meant/mean met/meet mistook/mistake oversaw/oversee"
    " overtook/overtake paid/pay put/put ran/run rang/ring read/read rode/ride rose/rise said/say sang/sing sank/sink sat/sit"
    " saw/see sent/send set/set shook/shake shot/shoot shed/shed shut/shut slept/sleep slid/slide sold/sell sought/seek spelt/spell"
    " spent/spend split/split spoke/speak spread/spread sprang/spring stole/steal stood/stand struck/strike stuck/stick"
    " swam/swim swept/sweep swore/swear swung/swing taught/teach thought/think threw/throw told/tell took/take tore/tear"
    " undertook/undertake understood/understand undid/undo upheld/uphold went/go withdrew/withdraw withheld/withhold woke/wake"
    " won/win wore/wear wound/wind wove/weave wrote/write"
)
_IRREGULAR_BASES = dict(pair.split("/") for pair in _IRREGULAR_FORMS.split())
_DOUBLED = re.compile(r"([bdgmnprtkv])\1$|[aeiou]\w*[eo]ll$|(?:sign|tot)all$")
# A regular verb ends in "e" after a soft consonant, after "l" behind a consonant, and after one vowel and one consonant, which
# would else be doubled ("name", "decide", "compare") ...
_MUTE = re.compile(
    r"(?:[cuvz]|(?<!s)s|[bcdfgkpstz]l|(?<!o)ng|[aeiudlr]g|(?:^|[^aeiou])[aiouy][bdklmnprt]|[iu]at|creat|uad|(?:c|imp)ed)$"
)
# ... unless it is not stressed there: "visit", "mention", "monitor".
_UNSTRESSED = re.compile(
    r"(?:[aeiou]\w*(?:(?<!v)(?<!exc)(?<!rec)(?<!inc)(?<!ign)(?<!un)it|(?<!p)(?<!cond)(?<!ph)on|(?<!st)(?<!pl)(?<!gn)(?<!sc)(?<!ad)or|al|elop|(?<!c)om)"
    r"|^(?:pilot|pivot|ballot|hang|bang|focus|bias|canvas|worship|murmur|combat|waltz))$"
)
_STRESSED_E = re.compile(r"(?:(?:compl|del|comp)et|(?:interf|adh|rev|persev)er|guid|^(?:ow|past|wast|tast))$")
_REGULAR_PAST = re.compile(r"\w{2,}(?<!e)ed|(?:(?:dis)?agr|fr|decr|guarant)eed")  # not "need", "exceed"


def find_base_of_past(verb: str) -> str:
    """Return the base form of a verb in the past; empty for other words."""
    if base := _IRREGULAR_BASES.get(verb):
        return base
    return strip_past_ending(verb) if _REGULAR_PAST.fullmatch(verb) else ""


def strip_past_ending(verb: str) -> str:
    """Return the base form of a regular verb: "notify" for "notified", "stop" for "stopped", "close" for "closed"."""
    stem = verb.removesuffix("ed")
    if stem.endswith("i"):
        return f"{stem[:-1]}y" if len(stem) > 2 else f"{stem}e"
    if len(stem) > 3 and _DOUBLED.search(stem):
        return stem[:-1]
    sounds = stem.replace("qu", "q")
    has_e = (
        stem.endswith("e") or _STRESSED_E.search(sounds) or (_MUTE.search(sounds) and not _UNSTRESSED.search(sounds))
    )
    return f"{stem}e" if has_e else stem
