"""What an English question is about, and another question with that in the place of its "it". By rule: no parser comes along."""

from __future__ import annotations

import re

from highlighter.generation.dividing.english_words import (
    ASKER,
    ASKER_WITH_NOUN,
    AUX,
    BE,
    DETERMINER,
    IMPERATIVE,
    LEAD,
    PREPOSITION,
    PRONOUN,
    WH,
    as_question,
    base,
    is_plural,
)

# Where a noun's words end: another noun's beginning, a preposition, a clause.
_STOP = rf"(?:{DETERMINER}|{PREPOSITION}|{AUX}|and|or|if|when|where|that|which|who|be|been|not|there)"
_VERB_FORM = re.compile(r".*(?:ed|en|able|ible|ing|due|reset|paid|sent|made|held|kept|open|closed|valid|free)$")
# "Is it possible to ...", "how long does it take": this "it" means nothing.
_EMPTY_IT = re.compile(
    r"\bit (?:take|takes|took|possible|necessary|true|ok|okay|legal|allowed|permitted|required|normal|usual|safe|rain)\b"
    r"|\bit mean(?:s)? (?:to|when|if)\b",
    re.I,
)
_PRONOUN = re.compile(rf"\b{PRONOUN}\b", re.I)
_POINTING = re.compile(
    rf"\b(?:this|that|these|those)\b(?=\s*(?:$|[?,.]|\w+(?:able|ible|ed|ory|al|true|free)\s*\??$|{AUX}\b|apply|applies|mean|cost|happen|work|end|begin))",
    re.I,
)
_PLURAL_PRONOUN = re.compile(r"they|them|their|these|those", re.I)


def topics(question: str) -> list[str]:
    """The things it speaks of, what it is about before what stands with it."""
    asked = re.sub(rf"^(?:{LEAD})", "", question.strip(" ?.!"), flags=re.I)
    found: list[str] = []
    for pattern in (
        rf"^(?:what|who|which) {BE} (?:meant by |the meaning of )?(?P<np>.+)$",
        rf"^(?:what|who) (?P<np>.+) (?:{BE}|means?)$",
        rf"^(?:please )?{IMPERATIVE}(?: me| us)? (?!{WH}\b)(?P<np>.+)$",
    ):
        if (match := re.match(pattern, asked, re.I)) and not re.search(rf"\b(?:{AUX}|and)\b", match["np"], re.I):
            found.append(match["np"])
    if match := re.match(rf"^(?:{ASKER_WITH_NOUN} )?(?:\w+ ){{0,2}}?(?P<aux>{AUX}) (?P<rest>.+)$", asked, re.I):
        found.append(_subject(asked, match["aux"].lower(), match["rest"]))
    found.extend(_nouns(asked))
    return list(
        dict.fromkeys(one for one in found if one and not re.fullmatch(rf"{DETERMINER}|{PRONOUN}|{AUX}", one, re.I))
    )


def _subject(asked: str, aux: str, rest: str) -> str:
    """The words after the auxiliary, less the verb that ends them."""
    words = rest.split()
    taken = words[:1]
    for word in words[1:]:
        if re.fullmatch(_STOP, word, re.I):
            break
        taken.append(word)
    if not re.fullmatch(DETERMINER, taken[0], re.I):
        names = [word for word in taken if word[:1].isupper()]
        return " ".join(names or taken[:1])
    only_be = re.fullmatch(BE, aux) and re.match(
        r"(?:where|who|what|when|how (?:long|much|many|often|far|old|big))\b", asked, re.I
    )
    ends_in_verb = len(taken) > 2 and (not only_be or _VERB_FORM.match(taken[-1]))
    return " ".join(taken[:-1] if ends_in_verb else taken)


def _nouns(asked: str) -> list[str]:
    """Each noun with its determiner, and each name; without what hangs on it."""
    found = []
    for match in re.finditer(
        rf"\b(?:the|a|an|my|our|your) ((?!{_STOP}\b)[\w'’-]+(?: (?!{_STOP}\b)[\w'’-]+){{0,3}})", asked, re.I
    ):
        before = asked[: match.start()].rstrip().split(" ")[-1]
        words = match[0].split()
        # After an auxiliary its verb stands with it.
        found.append(" ".join(words[:-1]) if re.fullmatch(AUX, before, re.I) and len(words) > 2 else " ".join(words))
    found += re.findall(r"(?<=[\w,] )[A-Z][\w-]*(?: [A-Z0-9][\w-]*)*", asked)
    return found


def points_back(question: str) -> re.Match[str] | None:
    """The word that means something said before, if nothing in the question itself can be meant."""
    found = _PRONOUN.search(question) or _POINTING.search(question)
    if found is None or _EMPTY_IT.search(question):
        return None
    return None if _nouns(question[: found.start()]) else found


def with_topic(question: str, known: list[str]) -> str:
    """The question with its pronoun spelt out, by the first thing known that agrees with it in number."""
    found = points_back(question)
    if found is None or not known:
        return question
    plural = _PLURAL_PRONOUN.fullmatch(found[0]) is not None
    meant = next((one for one in known if is_plural(one) == plural), known[0])
    owns = found[0].lower() in ("its", "their", "his") or (
        found[0].lower() == "her" and re.match(r" (?!\b(?:{_STOP})\b)\w", question[found.end() :]) is not None
    )
    said = meant + ("'" if meant.endswith("s") else "'s") if owns else meant
    return question[: found.start()] + said + question[found.end() :]


def with_verb_of(asker: str, question: str) -> str:
    """ "for how long", after "Who is liable": "For how long is someone liable?"."""
    asked = re.sub(rf"^(?:{LEAD})", "", question.strip(" ?.!"), flags=re.I)
    asker = asker.strip(" ?")
    if match := re.match(rf"^(?P<aux>{AUX}) (?P<rest>.+)$", asked, re.I):  # yes or no
        return as_question(f"{asker} {match['aux'].lower()} {match['rest']}")
    pattern = rf"^(?P<wh>who|what|which|{ASKER})(?: (?P<noun>(?!{AUX}\b)\w+))? (?P<aux>{AUX}) (?P<rest>.+)$"
    if match := re.match(pattern, asked, re.I):
        aux, rest, noun = match["aux"], match["rest"], match["noun"]
        who, what = match["wh"].lower() == "who", match["wh"].lower() in ("what", "which")
        is_subject = re.match(rf"(?!{DETERMINER}\b)", rest, re.I) and (
            (who and re.fullmatch(BE, aux)) or ((who or what) and re.match(r"(?:be|have|not)\b", rest))
        )
        if is_subject:
            rest = f"{f'the {noun}' if noun else 'someone' if who else 'it'} {rest}"
        elif noun and what:
            rest = f"{rest} the {noun}"
        return as_question(f"{asker} {aux} {rest}")
    if match := re.match(r"^(?P<wh>who|what) (?P<verb>\w+)(?P<rest>.*)$", asked, re.I):
        someone = "someone" if match["wh"].lower() == "who" else "it"
        return as_question(f"{asker} does {someone} {base(match['verb'])}{match['rest']}")
    return as_question(f"{asker}: {asked}")
