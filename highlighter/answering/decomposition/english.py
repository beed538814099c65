"""Decomposition of English questions by rules."""

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
from highlighter.text.sentences import split_sentences

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
    """Split a question into sub-questions, each completed by those before."""
    questions: list[str] = []
    for sentence in _split_sentences(question):
        for part in _split_comparison(sentence) or _split_coordination(sentence):
            if len(questions) < max_questions:
                topics = [topic for earlier in reversed(questions) for topic in find_topics(earlier)]
                questions.append(resolve_pronoun(part, topics))
    return questions


def has_question_word(question: str) -> bool:
    return re.search(rf"\b{WH_WORD}\b", question, re.I) is not None


def complete_question(question: str, previous_question: str) -> str:
    """Complete a follow-up by the question before."""
    text = re.sub(r"^(?:and|but|so|ok|okay|then)[, ]\s*", "", question.strip(" ?."), flags=re.I)
    if re.fullmatch(QUESTION_PHRASE_WITH_NOUN, text, re.I):
        return complete_question_phrase(text, previous_question)
    if re.fullmatch(r"(?:what|how) about (?:it|that|this|them|those|these)", text, re.I):
        return previous_question
    if match := re.fullmatch(r"(?:what|how) about (.+)", text, re.I):
        return _replace_topic(previous_question, match[1])
    is_continuation = text != question.strip(" ?.") and not re.match(_QUESTION_START, text, re.I)
    if is_continuation or (
        re.match(rf"{PREPOSITION}\s(?!{WH_WORD}\b)", text, re.I)
        and not re.search(rf"\b(?:{AUXILIARY_VERB})\b", text, re.I)
    ):
        return _replace_topic(previous_question, text)
    return resolve_pronoun(question, find_topics(previous_question))


def _replace_topic(previous_question: str, new_topic: str) -> str:
    """Return the previous question with a new topic in the place of the most similar phrase."""
    text = previous_question.strip(" ?.")
    preposition = re.match(rf"{PREPOSITION}\b", new_topic, re.I)
    if preposition:
        phrases = list(re.finditer(rf"\b{preposition[0]}(?: (?!{PREPOSITION}\b)[^\s,]+)+", text, re.I))
        if not phrases:
            return format_question(f"{text} {new_topic}")
        last = phrases[-1]
        return format_question(text[: last.start()] + new_topic + text[last.end() :])
    names = list(re.finditer(r"(?<=[\w,] )(?:[A-Z][\w-]*|\w*\d[\w-]*)(?: (?:[A-Z]\w*|\w*\d[\w-]*))*", text))
    if names and re.search(r"\d|[A-Z]", new_topic):
        last = names[-1]
        return format_question(text[: last.start()] + re.sub(r"^the ", "", new_topic, flags=re.I) + text[last.end() :])
    topics = [
        topic
        for topic in find_topics(previous_question)
        if topic in text and not re.search(rf"\s{PREPOSITION}\s", topic)
    ]
    if not topics:
        return format_question(f"{text}, and {new_topic}")
    start = text.rindex(topics[-1])
    return format_question(text[:start] + new_topic + text[start + len(topics[-1]) :])


def _split_sentences(question: str) -> list[str]:
    """Split a text into questions; a sentence that is no question stays with the question after or before."""
    parts: list[str] = []
    context = ""
    for piece in _split_pieces(question):
        piece = re.sub(r"^\d+[.)]\s*", "", piece.strip())
        without_conjunction = re.sub(r"^(?:and|also|then)\s+", "", piece, flags=re.I)
        if not re.search(r"\w", piece):
            continue
        if piece.endswith("?") or re.match(_QUESTION_START, without_conjunction, re.I):
            parts.append(f"{context} {without_conjunction}".strip())
            context = ""
        elif piece:
            context = f"{context} {piece}".strip()
    if context and parts:
        parts[-1] = f"{parts[-1]} {context}"
    return parts or [question]


def _split_pieces(question: str) -> list[str]:
    """Split a text at its stops, but not at the full stops of abbreviations, and before the numbers of a list."""
    sentence_ends = {sentence.end_char for sentence in split_sentences(question)}
    pieces, start = [], 0
    for cut in re.finditer(r"(?<=\?)\s+|(?<=[.;])\s+(?=(?:\d+[.)]\s*)?[A-Za-z])|\s+(?=\d+[.)]\s)", question):
        if question[cut.start() - 1] == "." and cut.start() not in sentence_ends:
            continue
        pieces.append(question[start : cut.start()])
        start = cut.end()
    return [*pieces, question[start:]]


def _split_coordination(part: str) -> list[str]:
    lead, rest = _split_lead(protect_pairs(part).strip())
    text = rest.rstrip(" ?.")
    if match := re.fullmatch(
        rf"(?P<first>{QUESTION_PHRASE}(?:, {QUESTION_PHRASE})*),? and (?P<last>{QUESTION_PHRASE}) (?P<rest>{AUXILIARY_VERB}\s.+)",
        text,
        re.I,
    ):
        phrases = [*match["first"].split(", "), match["last"]]
        return [format_question(f"{lead}{phrase} {match['rest']}") for phrase in phrases]
    if noun_questions := _split_noun_pair(text):
        return noun_questions
    pieces = _split_parts(text, bool(lead))
    if len(pieces) == 1:
        return [restore_pairs(part.strip())]
    questions = [format_question(lead + pieces[0])]
    for piece in pieces[1:]:
        if re.fullmatch(QUESTION_PHRASE_WITH_NOUN, piece, re.I):
            questions.append(complete_question_phrase(piece, pieces[0]))
        else:
            questions.append(format_question(_add_lead(lead, pieces[0], piece)))
    return questions


def _add_lead(lead: str, first: str, piece: str) -> str:
    """Repeat the lead of a request: after "Explain what it is", "how it works" becomes "Explain how it works"."""
    direct_question = rf"(?:{QUESTION_PHRASE_WITH_NOUN}|(?:what|which|whose|how many|how much) \w+) {AUXILIARY_VERB}\b"
    if not re.match(rf"{WH_WORD}\b", piece, re.I) or re.match(direct_question, piece, re.I):
        return piece
    verb = re.match(rf"(?:please )?{IMPERATIVE_VERB}(?: me| us)?\b", first, re.I)
    return f"{lead or (verb[0] + ' ' if verb else '')}{piece}"


def _split_parts(text: str, has_lead: bool) -> list[str]:
    """Split a text where a second question begins, if a complete question stands before."""
    pieces, start = [], 0
    cuts = [*re.finditer(_COORDINATION, text, re.I)]
    if cuts:  # "what ..., when ... and who ..."
        cuts = sorted(
            [*cuts, *re.finditer(_COMMA_BEFORE_QUESTION, text[: cuts[-1].start()], re.I)], key=lambda cut: cut.start()
        )
    for cut in cuts:
        left, right = text[start : cut.start()], text[cut.end() :]
        if _is_complete_question(left, has_lead) and _can_follow(left, right):
            pieces.append(left)
            start = cut.end()
    return [*pieces, text[start:]]


def _is_complete_question(left: str, has_lead: bool) -> bool:
    """Return whether a text is a question. After a lead, a question ends with its verb: "(explain) what retention is"."""
    words = left.split()
    if has_lead and len(words) > 2 and re.fullmatch(BE_VERB, words[-1], re.I):
        return True
    has_main_verb = re.search(
        rf"\b{AUXILIARY_VERB} .+ (?:have|do)$", left, re.I
    )  # "how many days does an employee have"
    if re.fullmatch(AUXILIARY_VERB, words[-1], re.I) and not has_main_verb:
        return False
    if not re.match(_QUESTION_START, left, re.I):
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
        has_subject = re.fullmatch(rf"{DETERMINER}|it|they|he|she|there|i|we|you", match[1], re.I)
        # After "What must the tenant pay", no rule can tell what "is it refundable" refers to.
        pattern = rf"{AUXILIARY_VERB}\b" + (rf"|(?:what|who) {BE_VERB}\b|(?!what|which)" if has_subject else "")
        return re.match(pattern, left, re.I) is not None
    return True


def _split_noun_pair(text: str) -> list[str]:
    """Split "What are the fee and the deadline of the course?": both nouns belong to the course."""
    pattern = (
        rf"(?P<wh>what|who) (?P<be>{BE_VERB}) (?P<one>the(?: (?!(?:{PREPOSITION}|and)\b)\S+)+) and (?P<other>the .+)"
    )
    match = re.fullmatch(pattern, text, re.I)
    if not match or re.search(rf"\sand\s|\b{AUXILIARY_VERB}\b", match["other"], re.I):
        return []
    tail = re.search(rf"\s{PREPOSITION}\s.*", match["other"], re.I)
    is_past = match["be"].lower() in ("was", "were")
    return [
        format_question(
            f"{match['wh']} {_conjugate_be(noun, is_past)} {noun}{tail[0] if tail and noun == match['one'] else ''}"
        )
        for noun in (match["one"], match["other"])
    ]


def _split_comparison(part: str) -> list[str]:
    text = protect_pairs(_split_lead(part)[1]).strip(" ?.")
    aspect = re.search(f"{_ASPECT}$", text, re.I)
    aspect_text = aspect["aspect"] if aspect else ""
    text = text.removesuffix(aspect_text)
    for pattern in _COMPARISON_PATTERNS:
        if match := re.fullmatch(pattern, text, re.I):
            groups = match.groupdict()
            items = _split_items(groups["items"]) if groups.get("items") else [groups["one"], groups["other"]]
            if len(items) > 1:
                complete_items = _share_prefix(items)
                return [format_question(f"what {_conjugate_be(item)} {item}{aspect_text}") for item in complete_items]
    return []


def _split_items(text: str) -> list[str]:
    *first, last = re.split(r",?\s+and\s+|\s+(?:with|versus|vs\.?)\s+|\s+to\s+(?=the\s)", text, flags=re.I)
    return [item.strip() for piece in first for item in piece.split(", ")] + [last.strip()] if first else []


def _share_prefix(items: list[str]) -> list[str]:
    """Repeat what items share: in "the duties of the buyer and the seller", the duties are those of both."""
    match = re.match(r"(?P<what>.+?\s(?:of|(?P<loose>in|under|by|on|for)))\s\S", items[0], re.I)
    if not match:
        return items
    prefixed = [
        item if re.search(r"\sof\s", item) or (match["loose"] and not re.fullmatch(r"[A-Z0-9]\S*(?: [A-Z0-9]\S*)*", item))
        else f"{match['what']} {item}"
        for item in items[1:]
    ]  # fmt: skip
    return [items[0], *prefixed]


def _conjugate_be(noun: str, past: bool = False) -> str:
    return ("were" if past else "are") if is_plural(restore_pairs(noun)) else ("was" if past else "is")


def _split_lead(part: str) -> tuple[str, str]:
    match = re.match(REQUEST_LEAD, part, re.I)
    return (match[0], part[match.end() :]) if match else ("", part)
