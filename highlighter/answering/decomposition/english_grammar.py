"""Patterns of English function words, and rules on topics and pronouns of questions. There is no parser."""

from __future__ import annotations

import re

from highlighter.text.past_verbs import find_base_of_past

WH_WORD = r"(?:who|whom|whose|what|which|when|where|why|how)"
BE_VERB = r"(?:is|are|was|were)"
AUXILIARY_VERB = rf"(?:{BE_VERB}|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had)"
PREPOSITION = (
    r"(?:of|for|in|on|at|to|by|with|from|under|about|during|after|before|within|between|against|over|per|than|into|without"
    r"|regarding|concerning)"
)
DETERMINER = r"(?:the|a|an|this|that|these|those|my|our|your|his|her|its|their|any|each|every|all|some|no)"
PRONOUN = r"(?:it|its|they|them|their|he|him|his|she|her)"
IMPERATIVE_VERB = (
    r"(?:explain|describe|list|name|give|tell|state|summari[sz]e|define|identify|compare|show|outline|find|discuss|say)"
)
# A question phrase without a verb: "for how long", "by whom", "how much".
QUESTION_PHRASE = (
    rf"(?:(?:for|by|to|at|on|in|from|with|until|since|under) )?{WH_WORD}"
    r"(?: (?:long|much|many|often|far|soon|old|late|early|exactly))?"
)
# A question phrase with a noun: "on what grounds".
QUESTION_PHRASE_WITH_NOUN = rf"(?:(?:for|by|to|at|on|in|from|with|under) (?:what|which|whose) \w+|{QUESTION_PHRASE})"
# A question inside a request: "Can you tell me what ...".
REQUEST_LEAD = (
    r"(?:please )?(?:(?:can|could|would|will) you (?:please )?(?:tell|explain|show|describe|say)(?: to)?(?: me| us)?|do you know"
    r"|tell (?:me|us)|i (?:want|need|would like|wish) to (?:know|understand)|i'd like to (?:know|understand)"
    rf"|i(?:'m| am) (?:wondering|asking)|(?:explain|describe|show|say)(?: to)?(?: me| us)?)\s+(?={WH_WORD}\b|if\b|whether\b)"
)
# Phrases with an "and" that name one thing.
FIXED_PAIRS = (
    "terms and conditions|health and safety|research and development|rules and regulations|profit and loss|wear and tear"
    "|design and build|supply and demand|bed and breakfast|goods and services|time and materials|pros and cons|loss and damage"
    "|rights and obligations|rights and duties|roles and responsibilities|search and rescue|income and expenditure"
    "|fire and rescue|law and order|command and control|sickness and disability|maintenance and repair|repair and maintenance"
)
# What "how many" and "how much" count: nouns right after the verb.
_COUNTED_NOUNS = re.compile(
    rf" (?P<the>the )?(?P<nouns>(?:(?!(?:{DETERMINER}|{PREPOSITION}|{PRONOUN}|him|us|me|more|less|most|up|down|out|off|back|away|there|here|and|or|if|when)\b)"
    r"[a-z][a-z-]+(?<!ly)(?: |$)){1,3})"
)
_PAIR_JOINER = "\u241f"


def is_plural(phrase: str) -> bool:
    """Return whether the noun before the first preposition of a phrase is plural."""
    head = re.split(rf"\s+(?:{PREPOSITION}|that|which|who)\b", phrase.strip(), flags=re.I)[0]
    last = head.split()[-1].lower() if head.split() else ""
    return (
        " and " in head.lower()
        or last in ("people", "children", "men", "women")
        or (last.endswith("s") and not last.endswith(("ss", "us", "is")))
    )


def get_base_form(verb: str) -> str:
    """Return the base form of a verb: "pay" for "pays"."""
    for end, other in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", "")):
        if verb.endswith(end) and not verb.endswith("ss"):
            return verb[: -len(end)] + other
    return verb


def protect_pairs(text: str) -> str:
    """Hide each "and" that stands within a fixed pair."""
    return re.sub(
        FIXED_PAIRS, lambda match: re.sub(" and ", f" {_PAIR_JOINER} ", match[0], flags=re.I), text, flags=re.I
    )


def restore_pairs(text: str) -> str:
    return text.replace(_PAIR_JOINER, "and")


def format_question(text: str) -> str:
    text = restore_pairs(text).strip(" ,;?.")
    return text[:1].upper() + text[1:] + ("." if re.match(rf"(?:please )?{IMPERATIVE_VERB}\b", text, re.I) else "?")


# Words that end a noun phrase: the start of another noun phrase, a preposition, a clause.
_NOUN_PHRASE_END = (
    rf"(?:{DETERMINER}|{PREPOSITION}|{AUXILIARY_VERB}|and|or|if|when|where|that|which|who|be|been|not|there)"
)
_VERB_FORM = re.compile(r".*(?:ed|en|able|ible|ing|due|reset|paid|sent|made|held|kept|open|closed|valid|free)$")
# In "Is it possible to ..." and "how long does it take", "it" refers to nothing.
_DUMMY_IT = re.compile(
    r"\bit (?:take|takes|took|possible|necessary|true|ok|okay|legal|allowed|permitted|required|normal|usual|safe|rain)\b"
    r"|\bit mean(?:s)? (?:to|when|if)\b",
    re.I,
)
_PRONOUN = re.compile(rf"\b{PRONOUN}\b", re.I)
_DEMONSTRATIVE = re.compile(
    rf"(?<=^is )that(?= \w+\??$)|\b(?:this|that|these|those)\b(?=\s*(?:$|[?,.]|\w+(?:able|ible|ed|ory|al|true|free)\s*\??$|{AUXILIARY_VERB}\b|apply|applies|mean|cost|happen|work|end|begin))",
    re.I,
)
_PLURAL_PRONOUN = re.compile(r"they|them|their|these|those", re.I)


def find_topics(question: str) -> list[str]:
    """Return the noun phrases of a question, its topic first."""
    text = re.sub(rf"^(?:{REQUEST_LEAD})", "", question.strip(" ?.!"), flags=re.I)
    topics: list[str] = []
    for pattern in (
        rf"^(?:what|who|which) {BE_VERB} (?:meant by |the meaning of )?(?P<np>.+)$",
        rf"^(?:what|who) (?P<np>.+) (?:{BE_VERB}|means?)$",
        rf"^(?:please )?{IMPERATIVE_VERB}(?: me| us)? (?!{WH_WORD}\b)(?P<np>.+)$",
    ):
        if (match := re.match(pattern, text, re.I)) and not re.search(
            rf"\b(?:{AUXILIARY_VERB}|and)\b", match["np"], re.I
        ):
            topics.append(match["np"])
    if match := re.match(
        rf"^(?:{QUESTION_PHRASE_WITH_NOUN} )?(?:\w+ ){{0,2}}?(?P<aux>{AUXILIARY_VERB}) (?P<rest>.+)$", text, re.I
    ):
        topics.append(_find_subject(text, match["aux"].lower(), match["rest"]))
    topics.extend(_find_noun_phrases(text))
    return list(
        dict.fromkeys(
            topic
            for topic in topics
            if topic and not re.fullmatch(rf"{DETERMINER}|{PRONOUN}|{AUXILIARY_VERB}", topic, re.I)
        )
    )


def _find_subject(text: str, aux: str, rest: str) -> str:
    """Return the words after the auxiliary verb, without the verb at their end."""
    words = rest.split()
    subject = words[:1]
    for word in words[1:]:
        if re.fullmatch(_NOUN_PHRASE_END, word, re.I):
            break
        subject.append(word)
    if not re.fullmatch(DETERMINER, subject[0], re.I):
        names = [word for word in subject if word[:1].isupper()]
        return " ".join(names or subject[:1])
    is_main_verb = re.fullmatch(BE_VERB, aux) and re.match(
        r"(?:where|who|what|when|how (?:long|much|many|often|far|old|big))\b", text, re.I
    )
    ends_in_verb = len(subject) > 2 and (not is_main_verb or _VERB_FORM.match(subject[-1]))
    return " ".join(subject[:-1] if ends_in_verb else subject)


def _find_noun_phrases(text: str) -> list[str]:
    """Return each noun with its determiner, and each name, without their complements."""
    phrases = []
    for match in re.finditer(
        rf"\b(?:the|a|an|my|our|your) ((?!{_NOUN_PHRASE_END}\b)[\w'’-]+(?: (?!{_NOUN_PHRASE_END}\b)[\w'’-]+){{0,3}})",
        text,
        re.I,
    ):
        before = text[: match.start()].rstrip().split(" ")[-1]
        words = match[0].split()
        # After an auxiliary verb, the last word is the main verb.
        phrases.append(
            " ".join(words[:-1]) if re.fullmatch(AUXILIARY_VERB, before, re.I) and len(words) > 2 else " ".join(words)
        )
    phrases += re.findall(r"(?<=[\w,] )[A-Z][\w-]*(?: [A-Z0-9][\w-]*)*", text)
    return phrases


def find_pronoun(question: str) -> re.Match[str] | None:
    """Return the pronoun that refers to an earlier question, if it cannot refer to a noun of this question."""
    pronoun = _PRONOUN.search(question) or _DEMONSTRATIVE.search(question)
    if pronoun is None or _DUMMY_IT.search(question):
        return None
    return None if _find_noun_phrases(question[: pronoun.start()]) else pronoun


def resolve_pronoun(question: str, topics: list[str]) -> str:
    """Replace the pronoun of a question by the first topic of the same number."""
    pronoun = find_pronoun(question)
    if pronoun is None or not topics:
        return question
    is_plural_pronoun = _PLURAL_PRONOUN.fullmatch(pronoun[0]) is not None
    referent = next((topic for topic in topics if is_plural(topic) == is_plural_pronoun), topics[0])
    is_possessive = pronoun[0].lower() in ("its", "their", "his") or (
        pronoun[0].lower() == "her" and re.match(r" \w", question[pronoun.end() :]) is not None
    )
    replacement = referent + ("'" if referent.endswith("s") else "'s") if is_possessive else referent
    return question[: pronoun.start()] + replacement + question[pronoun.end() :]


def complete_question_phrase(question_phrase: str, question: str) -> str:
    """Complete a phrase: "for how long" after "Who is liable" becomes "For how long is someone liable?"."""
    text = re.sub(rf"^(?:{REQUEST_LEAD})", "", question.strip(" ?.!"), flags=re.I)
    question_phrase = question_phrase.strip(" ?")
    if match := re.match(rf"^(?P<aux>{AUXILIARY_VERB}) (?P<rest>.+)$", text, re.I):  # yes or no
        return format_question(f"{question_phrase} {match['aux'].lower()} {match['rest']}")
    pattern = rf"^(?P<wh>who|what|which|{QUESTION_PHRASE})(?: (?P<noun>(?!{AUXILIARY_VERB}\b)\w+))? (?P<aux>{AUXILIARY_VERB}) (?P<rest>.+)$"
    if match := re.match(pattern, text, re.I):
        aux, rest, noun = match["aux"], match["rest"], match["noun"]
        asks_who, asks_what = match["wh"].lower() == "who", match["wh"].lower() in ("what", "which")
        is_subject = re.match(rf"(?!{DETERMINER}\b)", rest, re.I) and (
            (asks_who and re.fullmatch(BE_VERB, aux))
            or ((asks_who or asks_what) and re.match(r"(?:be|have|not)\b", rest))
        )
        if is_subject:
            rest = f"{f'the {noun}' if noun else 'someone' if asks_who else 'it'} {rest}"
        elif noun and asks_what:
            rest = f"{rest} the {noun}"
        return format_question(f"{question_phrase} {aux} {rest}")
    if match := re.match(r"^(?P<wh>who|what) (?P<verb>\w+)(?P<rest>.*)$", text, re.I):
        subject = "someone" if match["wh"].lower() == "who" else "something"
        return format_question(_ask_about_verb(question_phrase, subject, match["verb"], match["rest"]))
    return format_question(f"{question_phrase}: {text}")


def _ask_about_verb(question_phrase: str, subject: str, verb: str, rest: str) -> str:
    """Ask about what a subject does or did: "how many crowns did someone pay for the mast" after "paid crowns for the mast"."""
    past_base = find_base_of_past(verb.lower())
    is_many = question_phrase.lower() == "how many"
    counted = _COUNTED_NOUNS.match(rest) if is_many or question_phrase.lower() == "how much" else None
    if counted and is_plural(counted["nouns"]) == is_many and (is_many or not counted["the"]):
        question_phrase, rest = f"{question_phrase} {counted['nouns'].strip()}", f" {rest[counted.end() :]}"
    return f"{question_phrase} {'did' if past_base else 'does'} {subject} {past_base or get_base_form(verb)}{rest}"
