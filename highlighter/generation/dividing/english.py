"""English questions, divided and made complete by rule."""

from __future__ import annotations

import re

from highlighter.generation.dividing.english_topics import topics, with_topic, with_verb_of
from highlighter.generation.dividing.english_words import (
    ASKER,
    ASKER_WITH_NOUN,
    AUX,
    BE,
    DETERMINER,
    IMPERATIVE,
    LEAD,
    PREPOSITION,
    WH,
    as_question,
    is_plural,
    pairs_kept,
    pairs_shown,
)

_ASKS = rf"(?:{LEAD}|{ASKER_WITH_NOUN}\b|{AUX}\b|(?:please )?{IMPERATIVE}\b)"
_AND = rf",?\s+(?:and|as well as)(?:\s+(?:also|then|if so,?))?\s+(?=(?:{ASKER_WITH_NOUN}|{AUX}|{IMPERATIVE})\b)"
_COMMA = r",\s+(?=(?:what|when|where|why|how|who)\b)"
_ASPECT = r"(?P<aspect>,?\s+(?:in terms of|with (?:regard|respect) to|regarding|concerning|as regards|when it comes to|as to)\s.+)"
_COMPARISONS = (
    r"(?:please )?(?:compare|contrast)(?: and contrast)?\s+(?P<items>.+)",
    rf"(?:(?:{IMPERATIVE}|what|which|how|{AUX})\b.*?\s)?(?:the )?(?:differences?|distinctions?|similarit(?:y|ies)(?: and differences?)?"
    r"|comparison)\s+between\s+(?P<items>.+?)",
    r"how (?:do|does|did|is|are)\s+(?P<items>.+?\s(?:and|from|with|to)\s.+?)\s+(?:differ|compare|different)",
    r"how (?:do|does|did|is|are)\s+(?P<one>.+?)\s+(?:differ|different|compare|compared)\s+(?:from|to|with|than)\s+(?P<other>.+)",
    r"(?:what is better:?\s+)?(?P<one>.+?)\s+(?:vs\.?|versus)\s+(?P<other>.+)",
)


def divided(question: str, most: int) -> list[str]:
    """Each question made complete by those before it."""
    found: list[str] = []
    for part in _sentences(question):
        for one in _compared(part) or _coordinated(part):
            if len(found) < most:
                found.append(with_topic(one, [topic for earlier in reversed(found) for topic in topics(earlier)]))
    return found


def completed(question: str, before: str) -> str:
    """A question that counts on the one before it, made complete."""
    asked = re.sub(r"^(?:and|but|so|ok|okay|then)[, ]\s*", "", question.strip(" ?."), flags=re.I)
    if re.fullmatch(ASKER_WITH_NOUN, asked, re.I):
        return with_verb_of(asked, before)
    if match := re.fullmatch(r"(?:what|how) about (.+)", asked, re.I):
        return _instead(before, match[1])
    continued = asked != question.strip(" ?.") and not re.match(_ASKS, asked, re.I)
    if continued or (
        re.match(rf"{PREPOSITION}\s(?!{WH}\b)", asked, re.I) and not re.search(rf"\b(?:{AUX})\b", asked, re.I)
    ):
        return _instead(before, asked)
    return with_topic(question, topics(before))


def _instead(before: str, other: str) -> str:
    """The question before, about something else: what is most like it gives way to it."""
    whole = before.strip(" ?.")
    preposition = re.match(rf"{PREPOSITION}\b", other, re.I)
    if preposition:
        places = list(re.finditer(rf"\b{preposition[0]}(?: (?!{PREPOSITION}\b)[^\s,]+)+", whole, re.I))
        if not places:
            return as_question(f"{whole} {other}")
        last = places[-1]
        return as_question(whole[: last.start()] + other + whole[last.end() :])
    names = list(re.finditer(r"(?<=[\w,] )(?:[A-Z][\w-]*|\w*\d[\w-]*)(?: (?:[A-Z]\w*|\w*\d[\w-]*))*", whole))
    if names and re.search(r"\d|[A-Z]", other):
        last = names[-1]
        return as_question(whole[: last.start()] + re.sub(r"^the ", "", other, flags=re.I) + whole[last.end() :])
    known = [topic for topic in topics(before) if topic in whole and not re.search(rf"\s{PREPOSITION}\s", topic)]
    if not known:
        return as_question(f"{whole}, and {other}")
    start = whole.rindex(known[-1])
    return as_question(whole[:start] + other + whole[start + len(known[-1]) :])


def _sentences(question: str) -> list[str]:
    """What is asked one after the other; a sentence that asks nothing stays with the question it belongs to."""
    parts: list[str] = []
    context = ""
    for piece in re.split(r"(?<=\?)\s+|(?<=[.;])\s+(?=(?:\d+[.)]\s*)?[A-Za-z])|\s+(?=\d+[.)]\s)", question):
        piece = re.sub(r"^\d+[.)]\s*", "", piece.strip())
        plain = re.sub(r"^(?:and|also|then)\s+", "", piece, flags=re.I)
        if not re.search(r"\w", piece):
            continue
        if piece.endswith("?") or re.match(_ASKS, plain, re.I):
            parts.append(f"{context} {plain}".strip())
            context = ""
        elif piece:
            context = f"{context} {piece}".strip()
    if context and parts:
        parts[-1] = f"{parts[-1]} {context}"
    return parts or [question]


def _coordinated(part: str) -> list[str]:
    lead, rest = _lead(pairs_kept(part).strip())
    asked = rest.rstrip(" ?.")
    if match := re.fullmatch(
        rf"(?P<first>{ASKER}(?:, {ASKER})*),? and (?P<last>{ASKER}) (?P<rest>{AUX}\s.+)", asked, re.I
    ):
        askers = [*match["first"].split(", "), match["last"]]
        return [as_question(f"{lead}{asker} {match['rest']}") for asker in askers]
    if both := _two_nouns(asked):
        return both
    pieces = _pieces(asked, bool(lead))
    if len(pieces) == 1:
        return [pairs_shown(part.strip())]
    found = [as_question(lead + pieces[0])]
    for piece in pieces[1:]:
        if re.fullmatch(ASKER_WITH_NOUN, piece, re.I):
            found.append(with_verb_of(piece, pieces[0]))
        else:
            found.append(as_question(_led(lead, pieces[0], piece)))
    return found


def _led(lead: str, first: str, piece: str) -> str:
    """ "how it works", after "Explain what it is", is to be explained, too."""
    is_asked = rf"(?:{ASKER_WITH_NOUN}|(?:what|which|whose|how many|how much) \w+) {AUX}\b"
    if not re.match(rf"{WH}\b", piece, re.I) or re.match(is_asked, piece, re.I):
        return piece
    verb = re.match(rf"(?:please )?{IMPERATIVE}(?: me| us)?\b", first, re.I)
    return f"{lead or (verb[0] + ' ' if verb else '')}{piece}"


def _pieces(asked: str, inside: bool) -> list[str]:
    """Cut where a second question begins, if what stands before it is one."""
    pieces, start = [], 0
    cuts = [*re.finditer(_AND, asked, re.I)]
    if cuts:  # "what ..., when ... and who ..."
        cuts = sorted([*cuts, *re.finditer(_COMMA, asked[: cuts[-1].start()], re.I)], key=lambda cut: cut.start())
    for cut in cuts:
        left, right = asked[start : cut.start()], asked[cut.end() :]
        if _is_whole(left, inside) and _can_follow(left, right):
            pieces.append(left)
            start = cut.end()
    return [*pieces, asked[start:]]


def _is_whole(left: str, inside: bool) -> bool:
    """`inside` a request a question ends with its verb: "(explain) what retention is"."""
    words = left.split()
    if inside and len(words) > 2 and re.fullmatch(BE, words[-1], re.I):
        return True
    if re.fullmatch(AUX, words[-1], re.I) or not re.match(_ASKS, left, re.I):
        return False
    if re.match(r"(?:which|whose|what|how m\w+)\b", left, re.I) and not re.search(rf"\b(?:{AUX})\b", left, re.I):
        return (
            len(words) > 3
            or re.fullmatch("what (?:happens|applies|counts|matters|changes|follows)", left, re.I) is not None
        )
    return len(words) > 2 or re.match(rf"(?:who|what|{IMPERATIVE})\s", left, re.I) is not None


def _can_follow(left: str, right: str) -> bool:
    if re.match(rf"{IMPERATIVE}\b", right, re.I):
        return re.match(rf"(?:please )?{IMPERATIVE}\b", left, re.I) is not None
    if match := re.match(rf"{AUX}\s+(\S+)", right, re.I):
        if match[1].lower() == "not":
            return False
        plain = re.fullmatch(rf"{DETERMINER}|it|they|he|she|there|i|we|you", match[1], re.I)
        # After "What must the tenant pay" nobody knows by rule whose "is it refundable" is.
        after = rf"{AUX}\b" + (rf"|(?:what|who) {BE}\b|(?!what|which)" if plain else "")
        return re.match(after, left, re.I) is not None
    return True


def _two_nouns(asked: str) -> list[str]:
    """ "What are the fee and the deadline of the course?": each with its own, and with the course."""
    pattern = rf"(?P<wh>what|who) (?P<be>{BE}) (?P<one>the(?: (?!(?:{PREPOSITION}|and)\b)\S+)+) and (?P<other>the .+)"
    match = re.fullmatch(pattern, asked, re.I)
    if not match or re.search(rf"\sand\s|\b{AUX}\b", match["other"], re.I):
        return []
    tail = re.search(rf"\s{PREPOSITION}\s.*", match["other"], re.I)
    past = match["be"].lower() in ("was", "were")
    return [
        as_question(f"{match['wh']} {_be(noun, past)} {noun}{tail[0] if tail and noun == match['one'] else ''}")
        for noun in (match["one"], match["other"])
    ]


def _compared(part: str) -> list[str]:
    asked = pairs_kept(_lead(part)[1]).strip(" ?.")
    aspect = re.search(f"{_ASPECT}$", asked, re.I)
    said = aspect["aspect"] if aspect else ""
    asked = asked.removesuffix(said)
    for pattern in _COMPARISONS:
        if match := re.fullmatch(pattern, asked, re.I):
            groups = match.groupdict()
            items = _items(groups["items"]) if groups.get("items") else [groups["one"], groups["other"]]
            if len(items) > 1:
                shared = _shared(items)
                return [as_question(f"what {_be(item)} {item}{said}") for item in shared]
    return []


def _items(said: str) -> list[str]:
    *first, last = re.split(r",?\s+and\s+|\s+(?:with|versus|vs\.?)\s+|\s+to\s+(?=the\s)", said, flags=re.I)
    return [item.strip() for piece in first for item in piece.split(", ")] + [last.strip()] if first else []


def _shared(items: list[str]) -> list[str]:
    """ "the duties of the buyer and the seller": the duties are those of both."""
    match = re.match(r"(?P<what>.+?\s(?:of|(?P<loose>in|under|by|on|for)))\s\S", items[0], re.I)
    if not match:
        return items
    alike = [
        item if re.search(r"\sof\s", item) or (match["loose"] and not re.fullmatch(r"[A-Z0-9]\S*(?: [A-Z0-9]\S*)*", item))
        else f"{match['what']} {item}"
        for item in items[1:]
    ]  # fmt: skip
    return [items[0], *alike]


def _be(noun: str, past: bool = False) -> str:
    return ("were" if past else "are") if is_plural(pairs_shown(noun)) else ("was" if past else "is")


def _lead(part: str) -> tuple[str, str]:
    match = re.match(LEAD, part, re.I)
    return (match[0], part[match.end() :]) if match else ("", part)
