"""English questions, divided and made complete by rule."""

from __future__ import annotations

import re

from highlighter.answering.decomposition.english_grammar import (
    AUXILIARY_VERB,
    BE_VERB,
    DETERMINER,
    IMPERATIVE_VERB,
    PREPOSITION,
    QUESTION_PHRASE,
    QUESTION_PHRASE_WITH_NOUN,
    REQUEST_LEAD,
    WH_WORD,
    complete_question_phrase,
    find_topics,
    format_question,
    is_plural,
    protect_pairs,
    resolve_pronoun,
    restore_pairs,
)

_QUESTION_START = (
    rf"(?:{REQUEST_LEAD}|{QUESTION_PHRASE_WITH_NOUN}\b|{AUXILIARY_VERB}\b|(?:please )?{IMPERATIVE_VERB}\b)"
)
_COORDINATION = rf",?\s+(?:and|as well as)(?:\s+(?:also|then|if so,?))?\s+(?=(?:{QUESTION_PHRASE_WITH_NOUN}|{AUXILIARY_VERB}|{IMPERATIVE_VERB})\b)"
_COMMA_BEFORE_QUESTION = r",\s+(?=(?:what|when|where|why|how|who)\b)"
_ASPECT = r"(?P<aspect>,?\s+(?:in terms of|with (?:regard|respect) to|regarding|concerning|as regards|when it comes to|as to)\s.+)"
_COMPARISON_PATTERNS = (
    r"(?:please )?(?:compare|contrast)(?: and contrast)?\s+(?P<items>.+)",
    rf"(?:(?:{IMPERATIVE_VERB}|what|which|how|{AUXILIARY_VERB})\b.*?\s)?(?:the )?(?:differences?|distinctions?|similarit(?:y|ies)(?: and differences?)?"
    r"|comparison)\s+between\s+(?P<items>.+?)",
    r"how (?:do|does|did|is|are)\s+(?P<items>.+?\s(?:and|from|with|to)\s.+?)\s+(?:differ|compare|different)",
    r"how (?:do|does|did|is|are)\s+(?P<one>.+?)\s+(?:differ|different|compare|compared)\s+(?:from|to|with|than)\s+(?P<other>.+)",
    r"(?:what is better:?\s+)?(?P<one>.+?)\s+(?:vs\.?|versus)\s+(?P<other>.+)",
)


def split_question(question: str, max_questions: int) -> list[str]:
    """Each question made complete by those before it."""
    found: list[str] = []
    for part in _split_sentences(question):
        for one in _split_comparison(part) or _split_coordination(part):
            if len(found) < max_questions:
                found.append(
                    resolve_pronoun(one, [topic for earlier in reversed(found) for topic in find_topics(earlier)])
                )
    return found


def complete_question(question: str, previous_question: str) -> str:
    """A question that counts on the one before it, made complete."""
    asked = re.sub(r"^(?:and|but|so|ok|okay|then)[, ]\s*", "", question.strip(" ?."), flags=re.I)
    if re.fullmatch(QUESTION_PHRASE_WITH_NOUN, asked, re.I):
        return complete_question_phrase(asked, previous_question)
    if match := re.fullmatch(r"(?:what|how) about (.+)", asked, re.I):
        return _replace_topic(previous_question, match[1])
    continued = asked != question.strip(" ?.") and not re.match(_QUESTION_START, asked, re.I)
    if continued or (
        re.match(rf"{PREPOSITION}\s(?!{WH_WORD}\b)", asked, re.I)
        and not re.search(rf"\b(?:{AUXILIARY_VERB})\b", asked, re.I)
    ):
        return _replace_topic(previous_question, asked)
    return resolve_pronoun(question, find_topics(previous_question))


def _replace_topic(previous_question: str, new_topic: str) -> str:
    """The question before, about something else: what is most like it gives way to it."""
    whole = previous_question.strip(" ?.")
    preposition = re.match(rf"{PREPOSITION}\b", new_topic, re.I)
    if preposition:
        places = list(re.finditer(rf"\b{preposition[0]}(?: (?!{PREPOSITION}\b)[^\s,]+)+", whole, re.I))
        if not places:
            return format_question(f"{whole} {new_topic}")
        last = places[-1]
        return format_question(whole[: last.start()] + new_topic + whole[last.end() :])
    names = list(re.finditer(r"(?<=[\w,] )(?:[A-Z][\w-]*|\w*\d[\w-]*)(?: (?:[A-Z]\w*|\w*\d[\w-]*))*", whole))
    if names and re.search(r"\d|[A-Z]", new_topic):
        last = names[-1]
        return format_question(
            whole[: last.start()] + re.sub(r"^the ", "", new_topic, flags=re.I) + whole[last.end() :]
        )
    known = [
        topic
        for topic in find_topics(previous_question)
        if topic in whole and not re.search(rf"\s{PREPOSITION}\s", topic)
    ]
    if not known:
        return format_question(f"{whole}, and {new_topic}")
    start = whole.rindex(known[-1])
    return format_question(whole[:start] + new_topic + whole[start + len(known[-1]) :])


def _split_sentences(question: str) -> list[str]:
    """What is asked one after the other; a sentence that asks nothing stays with the question it belongs to."""
    parts: list[str] = []
    context = ""
    for piece in re.split(r"(?<=\?)\s+|(?<=[.;])\s+(?=(?:\d+[.)]\s*)?[A-Za-z])|\s+(?=\d+[.)]\s)", question):
        piece = re.sub(r"^\d+[.)]\s*", "", piece.strip())
        plain = re.sub(r"^(?:and|also|then)\s+", "", piece, flags=re.I)
        if not re.search(r"\w", piece):
            continue
        if piece.endswith("?") or re.match(_QUESTION_START, plain, re.I):
            parts.append(f"{context} {plain}".strip())
            context = ""
        elif piece:
            context = f"{context} {piece}".strip()
    if context and parts:
        parts[-1] = f"{parts[-1]} {context}"
    return parts or [question]


def _split_coordination(part: str) -> list[str]:
    lead, rest = _split_lead(protect_pairs(part).strip())
    asked = rest.rstrip(" ?.")
    if match := re.fullmatch(
        rf"(?P<first>{QUESTION_PHRASE}(?:, {QUESTION_PHRASE})*),? and (?P<last>{QUESTION_PHRASE}) (?P<rest>{AUXILIARY_VERB}\s.+)",
        asked,
        re.I,
    ):
        askers = [*match["first"].split(", "), match["last"]]
        return [format_question(f"{lead}{asker} {match['rest']}") for asker in askers]
    if both := _split_noun_pair(asked):
        return both
    pieces = _split_parts(asked, bool(lead))
    if len(pieces) == 1:
        return [restore_pairs(part.strip())]
    found = [format_question(lead + pieces[0])]
    for piece in pieces[1:]:
        if re.fullmatch(QUESTION_PHRASE_WITH_NOUN, piece, re.I):
            found.append(complete_question_phrase(piece, pieces[0]))
        else:
            found.append(format_question(_add_lead(lead, pieces[0], piece)))
    return found


def _add_lead(lead: str, first: str, piece: str) -> str:
    """ "how it works", after "Explain what it is", is to be explained, too."""
    is_asked = rf"(?:{QUESTION_PHRASE_WITH_NOUN}|(?:what|which|whose|how many|how much) \w+) {AUXILIARY_VERB}\b"
    if not re.match(rf"{WH_WORD}\b", piece, re.I) or re.match(is_asked, piece, re.I):
        return piece
    verb = re.match(rf"(?:please )?{IMPERATIVE_VERB}(?: me| us)?\b", first, re.I)
    return f"{lead or (verb[0] + ' ' if verb else '')}{piece}"


def _split_parts(asked: str, has_lead: bool) -> list[str]:
    """Cut where a second question begins, if what stands before it is one."""
    pieces, start = [], 0
    cuts = [*re.finditer(_COORDINATION, asked, re.I)]
    if cuts:  # "what ..., when ... and who ..."
        cuts = sorted(
            [*cuts, *re.finditer(_COMMA_BEFORE_QUESTION, asked[: cuts[-1].start()], re.I)], key=lambda cut: cut.start()
        )
    for cut in cuts:
        left, right = asked[start : cut.start()], asked[cut.end() :]
        if _is_complete_question(left, has_lead) and _can_follow(left, right):
            pieces.append(left)
            start = cut.end()
    return [*pieces, asked[start:]]


def _is_complete_question(left: str, has_lead: bool) -> bool:
    """`inside` a request a question ends with its verb: "(explain) what retention is"."""
    words = left.split()
    if has_lead and len(words) > 2 and re.fullmatch(BE_VERB, words[-1], re.I):
        return True
    if re.fullmatch(AUXILIARY_VERB, words[-1], re.I) or not re.match(_QUESTION_START, left, re.I):
        return False
    if re.match(r"(?:which|whose|what|how m\w+)\b", left, re.I) and not re.search(
        rf"\b(?:{AUXILIARY_VERB})\b", left, re.I
    ):
        return (
            len(words) > 3
            or re.fullmatch("what (?:happens|applies|counts|matters|changes|follows)", left, re.I) is not None
        )
    return len(words) > 2 or re.match(rf"(?:who|what|{IMPERATIVE_VERB})\s", left, re.I) is not None


def _can_follow(left: str, right: str) -> bool:
    if re.match(rf"{IMPERATIVE_VERB}\b", right, re.I):
        return re.match(rf"(?:please )?{IMPERATIVE_VERB}\b", left, re.I) is not None
    if match := re.match(rf"{AUXILIARY_VERB}\s+(\S+)", right, re.I):
        if match[1].lower() == "not":
            return False
        plain = re.fullmatch(rf"{DETERMINER}|it|they|he|she|there|i|we|you", match[1], re.I)
        # After "What must the tenant pay" nobody knows by rule whose "is it refundable" is.
        after = rf"{AUXILIARY_VERB}\b" + (rf"|(?:what|who) {BE_VERB}\b|(?!what|which)" if plain else "")
        return re.match(after, left, re.I) is not None
    return True


def _split_noun_pair(asked: str) -> list[str]:
    """ "What are the fee and the deadline of the course?": each with its own, and with the course."""
    pattern = (
        rf"(?P<wh>what|who) (?P<be>{BE_VERB}) (?P<one>the(?: (?!(?:{PREPOSITION}|and)\b)\S+)+) and (?P<other>the .+)"
    )
    match = re.fullmatch(pattern, asked, re.I)
    if not match or re.search(rf"\sand\s|\b{AUXILIARY_VERB}\b", match["other"], re.I):
        return []
    tail = re.search(rf"\s{PREPOSITION}\s.*", match["other"], re.I)
    past = match["be"].lower() in ("was", "were")
    return [
        format_question(
            f"{match['wh']} {_conjugate_be(noun, past)} {noun}{tail[0] if tail and noun == match['one'] else ''}"
        )
        for noun in (match["one"], match["other"])
    ]


def _split_comparison(part: str) -> list[str]:
    asked = protect_pairs(_split_lead(part)[1]).strip(" ?.")
    aspect = re.search(f"{_ASPECT}$", asked, re.I)
    said = aspect["aspect"] if aspect else ""
    asked = asked.removesuffix(said)
    for pattern in _COMPARISON_PATTERNS:
        if match := re.fullmatch(pattern, asked, re.I):
            groups = match.groupdict()
            items = _split_items(groups["items"]) if groups.get("items") else [groups["one"], groups["other"]]
            if len(items) > 1:
                shared = _share_prefix(items)
                return [format_question(f"what {_conjugate_be(item)} {item}{said}") for item in shared]
    return []


def _split_items(text: str) -> list[str]:
    *first, last = re.split(r",?\s+and\s+|\s+(?:with|versus|vs\.?)\s+|\s+to\s+(?=the\s)", text, flags=re.I)
    return [item.strip() for piece in first for item in piece.split(", ")] + [last.strip()] if first else []


def _share_prefix(items: list[str]) -> list[str]:
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


def _conjugate_be(noun: str, past: bool = False) -> str:
    return ("were" if past else "are") if is_plural(restore_pairs(noun)) else ("was" if past else "is")


def _split_lead(part: str) -> tuple[str, str]:
    match = re.match(REQUEST_LEAD, part, re.I)
    return (match[0], part[match.end() :]) if match else ("", part)
