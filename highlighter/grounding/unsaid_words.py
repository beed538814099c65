"""Words without which a sentence says something else, and that a claim leaves out: "expect", "recommended that", "above the base rate"."""

from __future__ import annotations

from highlighter.grounding.wording import NUMBER, parse_wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

MIN_SHARED_WORDS = 2
# What is not so yet, or only wanted, by the words that say so.
# "As expected", "the forecast of" and French "prévoit" (the contract provides) are no such words.
_EXPECTED = (
    r"\b(?:(?<!than )(?<!as )expect(?:s|ed)?|(?<!the )(?<!of )(?<!than )(?<!a )forecasts?|projected|anticipat(?:es?|ed)"
    r"|(?:(?<!the )plan(?:s|ned)?|intend(?:s|ed)?|aim(?:s|ed)?) to"
    r"|(?<!als )(?<!wie )erwart(?:en|et|ete|eten)|rechnen mit|rechnet mit|prognostizier(?:t|en)|planen|beabsichtig(?:t|en)"
    r"|nous (?:prévoyons|attendons)|prevemos|esperamos|se espera)\b|(?<![比按超于])(?:预计|预测)"
)
_WANTED = (
    r"\b(?:(?:recommend|request|suggest)(?:s|ed)?|propos(?:es?|ed)|advis(?:es?|ed)|urg(?:es?|ed))(?= (?:that|to|\w+ing)\b)"
    r"|\b(?:empfiehlt|empfahl|empfohlen|beantragt(?:en?)?(?=,)|recommand(?:e|é|a|ent)|préconis(?:e|é|a|ent)|recomend(?:ó|aron|aba))\b"
    r"|(?<![该此项的])(?:建议|提议)(?!的)"
)
_STATUS = compile_later(f"{_EXPECTED}|{_WANTED}")
# In a claim that says itself that something is not so yet.
_STATUS_OF_CLAIM = compile_later(
    r"\b(?:expect\w*|forecasts?|project\w*|anticipat\w*|plan(?:s|ned)?|intend\w*|aims?|targets?|propos\w*|recommend\w*|request\w*|suggest\w*"
    r"|advis\w*|urg\w*|will|would|should|could|may|might|can|must|shall|to be|outlook|guidance|wants?|asks?|asked"
    r"|erwart\w*|prognos\w*|plan\w*|geplant\w*|beabsichtig\w*|empf\w*|beantrag\w*|wird|werden|würden?|soll\w*|vorschlag\w*|vorgeschlagen"
    r"|prév\w*|recommand\w*|propos\w*|préconis\w*|devrai\w*|sera|seront|doi(?:t|vent)|peu(?:t|vent)"
    r"|prev\w*|esper\w*|recomend\w*|propu\w*|propon\w*|deber\w*|será\w*|debe\w*|puede\w*)\b|预|计划|建议|提议|将|应|拟|会|可"
)
_CLAUSE_END = compile_later(r"[;；。]|[.](?!\d)|[,，] ?(?:(?:but|whereas|aber|doch|während|mais|pero)\b|但)")
# A rate beside another rate: "4 per cent a year above the base rate".
_RATE = r"\w*(?:rate|index|euribor|sofr|libor|sonia|inflation|zinssatz|leitzins)\w*|taux [^,;.]*|tipo [^,;.]*"
_MARGIN = compile_later(
    r"(?:%|per ?cent|percentage points?|basis points|prozent\w*|pour cent|por ciento)(?: [^\W\d_]+){0,3}? "
    rf"(?P<margin>(?:above|below|over|under|plus|über|unter|au-dessus|en dessous|sobre|por encima)\b[^,;.]{{0,80}}?\b(?:{_RATE}))"
)


def find_unsaid_status(claim: str, sentence: str) -> str | None:
    """Return the word by which a sentence says that something is expected or wanted, if a claim states it as a fact."""
    folded, wording = fold(sentence), parse_wording(claim)
    match = _STATUS.search(folded)
    if match is None or _STATUS_OF_CLAIM.search(fold(claim)):
        return None
    clause_end = _CLAUSE_END.search(folded, match.end())
    end = clause_end.start() if clause_end else len(folded)
    source = parse_wording(sentence)
    within = frozenset[str]().union(*(word.keys for word in source.words_between(match.end(), end)))
    later = frozenset[str]().union(*(word.keys for word in source.words_between(end, len(sentence)))) - within
    shared = [word for word in wording.content_words if word.keys & within]
    has_other_numbers = any(word.kind == NUMBER and not word.keys & within for word in wording.words)
    if len(shared) < MIN_SHARED_WORDS or has_other_numbers or wording.keys & later:
        return None
    return sentence[match.start() : match.end()]


def find_unsaid_margin(claim: str, sentence: str) -> str | None:
    """Return "above the base rate" of a sentence, if a claim has its figure without it."""
    match = _MARGIN.search(fold(sentence))
    if match is None:
        return None
    keys, source = parse_wording(claim).keys, parse_wording(sentence)
    numbers = [word for word in source.words if word.kind == NUMBER and word.end <= match.start() + 1]
    margin = source.words_between(*match.span("margin"))
    is_same_figure = bool(numbers) and bool(numbers[-1].keys & keys)
    is_said = any(word.keys & keys for word in margin if not word.is_stop_word)
    return sentence[slice(*match.span("margin"))] if is_same_figure and not is_said else None
