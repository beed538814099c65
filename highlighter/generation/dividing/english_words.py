"""The closed classes of English words by which questions are told apart, as patterns."""

from __future__ import annotations

import re

WH = r"(?:who|whom|whose|what|which|when|where|why|how)"
BE = r"(?:is|are|was|were)"
AUX = rf"(?:{BE}|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had)"
PREPOSITION = (
    r"(?:of|for|in|on|at|to|by|with|from|under|about|during|after|before|within|between|against|over|per|than|into|without"
    r"|regarding|concerning)"
)
DETERMINER = r"(?:the|a|an|this|that|these|those|my|our|your|his|her|its|their|any|each|every|all|some|no)"
PRONOUN = r"(?:it|its|they|them|their|he|him|his|she|her)"
IMPERATIVE = (
    r"(?:explain|describe|list|name|give|tell|state|summari[sz]e|define|identify|compare|show|outline|find|discuss|say)"
)
# "for how long", "by whom", "how much": what asks by itself, without a verb.
ASKER = (
    rf"(?:(?:for|by|to|at|on|in|from|with|until|since|under) )?{WH}"
    r"(?: (?:long|much|many|often|far|soon|old|late|early|exactly))?"
)
# "on what grounds": the same with a noun.
ASKER_WITH_NOUN = rf"(?:(?:for|by|to|at|on|in|from|with|under) (?:what|which|whose) \w+|{ASKER})"
# "Can you tell me what ...": a question inside a request.
LEAD = (
    r"(?:please )?(?:(?:can|could|would|will) you (?:please )?(?:tell|explain|show|describe|say)(?: to)?(?: me| us)?|do you know"
    r"|tell (?:me|us)|i (?:want|need|would like|wish) to (?:know|understand)|i'd like to (?:know|understand)"
    rf"|i(?:'m| am) (?:wondering|asking)|(?:explain|describe|show|say)(?: to)?(?: me| us)?)\s+(?={WH}\b|if\b|whether\b)"
)
# What is one thing, though it has an "and".
PAIRS = (
    "terms and conditions|health and safety|research and development|rules and regulations|profit and loss|wear and tear"
    "|design and build|supply and demand|bed and breakfast|goods and services|time and materials|pros and cons|loss and damage"
    "|rights and obligations|rights and duties|roles and responsibilities|search and rescue|income and expenditure"
    "|fire and rescue|law and order|command and control|sickness and disability|maintenance and repair|repair and maintenance"
)
_KEPT_TOGETHER = "\u241f"


def is_plural(phrase: str) -> bool:
    """By the noun before its first preposition."""
    head = re.split(rf"\s+(?:{PREPOSITION}|that|which|who)\b", phrase.strip(), flags=re.I)[0]
    last = head.split()[-1].lower() if head.split() else ""
    return (
        " and " in head.lower()
        or last in ("people", "children", "men", "women")
        or (last.endswith("s") and not last.endswith(("ss", "us", "is")))
    )


def base(verb: str) -> str:
    """ "pays" -> "pay"."""
    for end, other in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", "")):
        if verb.endswith(end) and not verb.endswith("ss"):
            return verb[: -len(end)] + other
    return verb


def pairs_kept(text: str) -> str:
    """With those "and"s hidden that part nothing."""
    return re.sub(PAIRS, lambda found: re.sub(" and ", f" {_KEPT_TOGETHER} ", found[0], flags=re.I), text, flags=re.I)


def pairs_shown(text: str) -> str:
    return text.replace(_KEPT_TOGETHER, "and")


def as_question(text: str) -> str:
    text = pairs_shown(text).strip(" ,;?.")
    return text[:1].upper() + text[1:] + ("." if re.match(rf"(?:please )?{IMPERATIVE}\b", text, re.I) else "?")
