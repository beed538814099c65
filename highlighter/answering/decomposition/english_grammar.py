"""The closed classes of English words by which questions are told apart, as patterns."""

from __future__ import annotations

import re

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
# "for how long", "by whom", "how much": what asks by itself, without a verb.
QUESTION_PHRASE = (
    rf"(?:(?:for|by|to|at|on|in|from|with|until|since|under) )?{WH_WORD}"
    r"(?: (?:long|much|many|often|far|soon|old|late|early|exactly))?"
)
# "on what grounds": the same with a noun.
QUESTION_PHRASE_WITH_NOUN = rf"(?:(?:for|by|to|at|on|in|from|with|under) (?:what|which|whose) \w+|{QUESTION_PHRASE})"
# "Can you tell me what ...": a question inside a request.
REQUEST_LEAD = (
    r"(?:please )?(?:(?:can|could|would|will) you (?:please )?(?:tell|explain|show|describe|say)(?: to)?(?: me| us)?|do you know"
    r"|tell (?:me|us)|i (?:want|need|would like|wish) to (?:know|understand)|i'd like to (?:know|understand)"
    rf"|i(?:'m| am) (?:wondering|asking)|(?:explain|describe|show|say)(?: to)?(?: me| us)?)\s+(?={WH_WORD}\b|if\b|whether\b)"
)
# What is one thing, though it has an "and".
FIXED_PAIRS = (
    "terms and conditions|health and safety|research and development|rules and regulations|profit and loss|wear and tear"
    "|design and build|supply and demand|bed and breakfast|goods and services|time and materials|pros and cons|loss and damage"
    "|rights and obligations|rights and duties|roles and responsibilities|search and rescue|income and expenditure"
    "|fire and rescue|law and order|command and control|sickness and disability|maintenance and repair|repair and maintenance"
)
_PAIR_JOINER = "\u241f"


def is_plural(phrase: str) -> bool:
    """By the noun before its first preposition."""
    head = re.split(rf"\s+(?:{PREPOSITION}|that|which|who)\b", phrase.strip(), flags=re.I)[0]
    last = head.split()[-1].lower() if head.split() else ""
    return (
        " and " in head.lower()
        or last in ("people", "children", "men", "women")
        or (last.endswith("s") and not last.endswith(("ss", "us", "is")))
    )


def get_base_form(verb: str) -> str:
    """ "pays" -> "pay"."""
    for end, other in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", "")):
        if verb.endswith(end) and not verb.endswith("ss"):
            return verb[: -len(end)] + other
    return verb


def protect_pairs(text: str) -> str:
    """With those "and"s hidden that part nothing."""
    return re.sub(
        FIXED_PAIRS, lambda found: re.sub(" and ", f" {_PAIR_JOINER} ", found[0], flags=re.I), text, flags=re.I
    )


def restore_pairs(text: str) -> str:
    return text.replace(_PAIR_JOINER, "and")


def format_question(text: str) -> str:
    text = restore_pairs(text).strip(" ,;?.")
    return text[:1].upper() + text[1:] + ("." if re.match(rf"(?:please )?{IMPERATIVE_VERB}\b", text, re.I) else "?")


# What an English question is about, and another question with that in the place of its "it". By rule: no parser comes along.


# Where a noun's words end: another noun's beginning, a preposition, a clause.
_NOUN_PHRASE_END = (
    rf"(?:{DETERMINER}|{PREPOSITION}|{AUXILIARY_VERB}|and|or|if|when|where|that|which|who|be|been|not|there)"
)
_VERB_FORM = re.compile(r".*(?:ed|en|able|ible|ing|due|reset|paid|sent|made|held|kept|open|closed|valid|free)$")
# "Is it possible to ...", "how long does it take": this "it" means nothing.
_DUMMY_IT = re.compile(
    r"\bit (?:take|takes|took|possible|necessary|true|ok|okay|legal|allowed|permitted|required|normal|usual|safe|rain)\b"
    r"|\bit mean(?:s)? (?:to|when|if)\b",
    re.I,
)
_PRONOUN = re.compile(rf"\b{PRONOUN}\b", re.I)
_DEMONSTRATIVE = re.compile(
    rf"\b(?:this|that|these|those)\b(?=\s*(?:$|[?,.]|\w+(?:able|ible|ed|ory|al|true|free)\s*\??$|{AUXILIARY_VERB}\b|apply|applies|mean|cost|happen|work|end|begin))",
    re.I,
)
_PLURAL_PRONOUN = re.compile(r"they|them|their|these|those", re.I)


def find_topics(question: str) -> list[str]:
    """The things it speaks of, what it is about before what stands with it."""
    asked = re.sub(rf"^(?:{REQUEST_LEAD})", "", question.strip(" ?.!"), flags=re.I)
    found: list[str] = []
    for pattern in (
        rf"^(?:what|who|which) {BE_VERB} (?:meant by |the meaning of )?(?P<np>.+)$",
        rf"^(?:what|who) (?P<np>.+) (?:{BE_VERB}|means?)$",
        rf"^(?:please )?{IMPERATIVE_VERB}(?: me| us)? (?!{WH_WORD}\b)(?P<np>.+)$",
    ):
        if (match := re.match(pattern, asked, re.I)) and not re.search(
            rf"\b(?:{AUXILIARY_VERB}|and)\b", match["np"], re.I
        ):
            found.append(match["np"])
    if match := re.match(
        rf"^(?:{QUESTION_PHRASE_WITH_NOUN} )?(?:\w+ ){{0,2}}?(?P<aux>{AUXILIARY_VERB}) (?P<rest>.+)$", asked, re.I
    ):
        found.append(_find_subject(asked, match["aux"].lower(), match["rest"]))
    found.extend(_find_noun_phrases(asked))
    return list(
        dict.fromkeys(
            one for one in found if one and not re.fullmatch(rf"{DETERMINER}|{PRONOUN}|{AUXILIARY_VERB}", one, re.I)
        )
    )


def _find_subject(asked: str, aux: str, rest: str) -> str:
    """The words after the auxiliary, less the verb that ends them."""
    words = rest.split()
    taken = words[:1]
    for word in words[1:]:
        if re.fullmatch(_NOUN_PHRASE_END, word, re.I):
            break
        taken.append(word)
    if not re.fullmatch(DETERMINER, taken[0], re.I):
        names = [word for word in taken if word[:1].isupper()]
        return " ".join(names or taken[:1])
    only_be = re.fullmatch(BE_VERB, aux) and re.match(
        r"(?:where|who|what|when|how (?:long|much|many|often|far|old|big))\b", asked, re.I
    )
    ends_in_verb = len(taken) > 2 and (not only_be or _VERB_FORM.match(taken[-1]))
    return " ".join(taken[:-1] if ends_in_verb else taken)


def _find_noun_phrases(asked: str) -> list[str]:
    """Each noun with its determiner, and each name; without what hangs on it."""
    found = []
    for match in re.finditer(
        rf"\b(?:the|a|an|my|our|your) ((?!{_NOUN_PHRASE_END}\b)[\w'’-]+(?: (?!{_NOUN_PHRASE_END}\b)[\w'’-]+){{0,3}})",
        asked,
        re.I,
    ):
        before = asked[: match.start()].rstrip().split(" ")[-1]
        words = match[0].split()
        # After an auxiliary its verb stands with it.
        found.append(
            " ".join(words[:-1]) if re.fullmatch(AUXILIARY_VERB, before, re.I) and len(words) > 2 else " ".join(words)
        )
    found += re.findall(r"(?<=[\w,] )[A-Z][\w-]*(?: [A-Z0-9][\w-]*)*", asked)
    return found


def find_pronoun(question: str) -> re.Match[str] | None:
    """The word that means something said before, if nothing in the question itself can be meant."""
    found = _PRONOUN.search(question) or _DEMONSTRATIVE.search(question)
    if found is None or _DUMMY_IT.search(question):
        return None
    return None if _find_noun_phrases(question[: found.start()]) else found


def resolve_pronoun(question: str, topics: list[str]) -> str:
    """The question with its pronoun spelt out, by the first thing known that agrees with it in number."""
    found = find_pronoun(question)
    if found is None or not topics:
        return question
    plural = _PLURAL_PRONOUN.fullmatch(found[0]) is not None
    meant = next((one for one in topics if is_plural(one) == plural), topics[0])
    owns = found[0].lower() in ("its", "their", "his") or (
        found[0].lower() == "her" and re.match(r" (?!\b(?:{_STOP})\b)\w", question[found.end() :]) is not None
    )
    said = meant + ("'" if meant.endswith("s") else "'s") if owns else meant
    return question[: found.start()] + said + question[found.end() :]


def complete_question_phrase(question_phrase: str, question: str) -> str:
    """ "for how long", after "Who is liable": "For how long is someone liable?"."""
    asked = re.sub(rf"^(?:{REQUEST_LEAD})", "", question.strip(" ?.!"), flags=re.I)
    question_phrase = question_phrase.strip(" ?")
    if match := re.match(rf"^(?P<aux>{AUXILIARY_VERB}) (?P<rest>.+)$", asked, re.I):  # yes or no
        return format_question(f"{question_phrase} {match['aux'].lower()} {match['rest']}")
    pattern = rf"^(?P<wh>who|what|which|{QUESTION_PHRASE})(?: (?P<noun>(?!{AUXILIARY_VERB}\b)\w+))? (?P<aux>{AUXILIARY_VERB}) (?P<rest>.+)$"
    if match := re.match(pattern, asked, re.I):
        aux, rest, noun = match["aux"], match["rest"], match["noun"]
        who, what = match["wh"].lower() == "who", match["wh"].lower() in ("what", "which")
        is_subject = re.match(rf"(?!{DETERMINER}\b)", rest, re.I) and (
            (who and re.fullmatch(BE_VERB, aux)) or ((who or what) and re.match(r"(?:be|have|not)\b", rest))
        )
        if is_subject:
            rest = f"{f'the {noun}' if noun else 'someone' if who else 'it'} {rest}"
        elif noun and what:
            rest = f"{rest} the {noun}"
        return format_question(f"{question_phrase} {aux} {rest}")
    if match := re.match(r"^(?P<wh>who|what) (?P<verb>\w+)(?P<rest>.*)$", asked, re.I):
        someone = "someone" if match["wh"].lower() == "who" else "it"
        return format_question(f"{question_phrase} does {someone} {get_base_form(match['verb'])}{match['rest']}")
    return format_question(f"{question_phrase}: {asked}")
