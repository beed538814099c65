"""The statements of a claim: "Rent is 900 euros, and pets are forbidden" states two things, and both must be true."""

from __future__ import annotations

import re
from itertools import pairwise

from highlighter.grounding.wording import parse_wording
from highlighter.text.lazy_pattern import compile_later

# A shorter part is an item of a list or an aside: it states nothing alone.
MIN_STATEMENT_WORDS = 2
MAX_STATEMENTS = 5
_BORDER = compile_later(
    r"(?<!\s)\s*[;；]\s*(?:and |but |while )?|,? (?:and|but|while|whereas|although|though) "
    r"|，\s*(?:而且|並且|并且|但是|但|而|同時|同时|且|則|则|並|并)"
)
# A verb of the third person or the past; any Chinese character may be one.
FINITE_VERB = compile_later(
    r"\b(?:is|are|was|were|has|have|had|must|shall|may|might|can|cannot|could|will|would|should|does|do|did|needs?"
    r"|remains?|became|becomes?|pays?|paid|costs?|ends?|begins?|began|applies|lasts?|takes?|took|gives?|gave|said|says"
    r"|leaves?|left|starts?|started|carries|carried|opens?|opened|closes?|closed|requires?|required|receives?|received|includes?|included|provides?|provided"
    r"|sold|bought|rose|fell|grew|won|lost|made|came|went)\b"
    r"|n't\b|[㐀-鿿]",
    re.IGNORECASE,
)


# "The ferry, which carries no cars, leaves at seven": a clause between commas, or at the end after the last noun.
_INNER_CLAUSE = compile_later(
    r"(?P<subject>[^,;:]{2,80}), (?:which|who) (?P<clause>[^,;]{3,160}), (?P<rest>[^,;][^;]*)"
)
_FINAL_CLAUSE = compile_later(r"(?P<main>[^;]{3,200}), (?:which|who) (?P<clause>[^,;]{3,160})")
# What is said of the noun begins with a verb; "which the tenant pays" says something of the tenant.
_CLAUSE_VERB = compile_later(rf"(?:{FINITE_VERB.pattern}|\w+(?:[^su]s|ed)\b)", re.IGNORECASE)
_SINGULAR_VERB = compile_later(r"(?:is|was|has|does|\w+[^s]s)\b")


def split_relative_clauses(statement: str) -> list[str]:
    """Return what a statement says without its relative clause, and what the clause says; the statement alone without one."""
    if match := _INNER_CLAUSE.fullmatch(statement):
        parts = [f"{match['subject']} {match['rest']}", f"{match['subject']} {match['clause']}."]
    elif match := _FINAL_CLAUSE.fullmatch(statement):
        subject = "It" if _SINGULAR_VERB.match(match["clause"]) else "They"
        parts = [f"{match['main']}.", f"{subject} {match['clause']}"]
    else:
        return [statement]
    is_said_of_it = _CLAUSE_VERB.match(match["clause"])
    return parts if is_said_of_it and all(map(_has_enough_words, parts)) else [statement]


def split_statements(claim: str) -> list[str]:
    """Return the statements of a claim in their order; the claim alone if it makes only one."""
    borders = [match.span() for match in _BORDER.finditer(claim)]
    edges = [(0, 0), *borders, (len(claim), len(claim))]
    # A border counts when a whole statement stands on both of its sides.
    chosen = [
        border
        for before, border, after in zip(edges, borders, edges[2:], strict=False)
        if _is_statement(claim[before[1] : border[0]]) and _is_statement(claim[border[1] : after[0]])
    ]
    statements = [
        claim[start:end].strip(" ,，") for (_, start), (end, _) in pairwise([(0, 0), *chosen, (len(claim), len(claim))])
    ]
    return statements if len(statements) <= MAX_STATEMENTS else [claim]


def _is_statement(text: str) -> bool:
    return bool(FINITE_VERB.search(text)) and _has_enough_words(text)


def _has_enough_words(text: str) -> bool:
    return len(parse_wording(text).content_words) >= MIN_STATEMENT_WORDS
