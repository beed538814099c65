"""The roles that a document gives to names: "Hosk Holdings Ltd ("the Guarantor")", "Proprietor: Algavita AS".

A claim that gives the role to another one, or another role to the same one, has all its words in the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from highlighter.grounding.claim_reading import ClaimReading
from highlighter.grounding.contrasts import explain_other_words
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.party_words import find_party_groups
from highlighter.text.terms import stem_word

_CAPITAL_WORD = r"[A-ZÀ-ÞĀ-Ž][\w&'’.-]*"
_NAME = rf"{_CAPITAL_WORD}(?: (?:(?:of|de|du|des|del|von|der|und|and|&) )?{_CAPITAL_WORD}){{0,5}}"
_CALLED = r"(?i:the|an?|der|die|das|le|la|l['’]|el|hereinafter|(?:called|referred to as)|nachfolgend|im folgenden|ci-après|en adelante)"
# Hosk Holdings Ltd ("the Guarantor"), with the kind of a company in small letters: plc, gmbh.
_DEFINED = compile_later(
    rf"(?P<name>{_NAME})(?: [a-z]{{2,4}}\.?)? ?\((?:{_CALLED}[ ,]*){{0,3}}[\"“„«‘'] ?(?:{_CALLED} ?)?(?P<role>[^\W\d_]+) ?[\"”“»’']\)"
)
# Proprietor: Algavita AS
_LABELLED = compile_later(rf"^\W*(?P<role>{_CAPITAL_WORD}(?: [^\W\d_]+)?) ?: (?P<name>{_NAME})")
_CLAIMED = compile_later(
    rf"^(?:The |Die |La |Le |El )?(?P<name>{_NAME}) (?:is|was|acts as|ist|war|est|était|es|era|fue)"
    r" (?P<article>(?:the|der|die|das|le|la|el) |l['’])?(?P<role>[^\W\d_]+)\b(?! (?:by|von|par|por)\b)"
)
# What every company and person may have in its name.
_TITLES = frozenset("ltd plc inc llc gmbh ag as sa sarl bv mr mrs ms dr prof herr frau mme m the die la le el".split())
MAX_CHARACTERS = 1_000


class AssignedRole(NamedTuple):
    """A name, and the role that a text gives it."""

    name: str
    role: str

    def shares_name(self, other: AssignedRole) -> bool:
        return bool(_read_name(self.name) & _read_name(other.name))

    @property
    def groups(self) -> frozenset[int]:
        """The groups of parties that may have the role: none where the word is not known."""
        return frozenset(find_party_groups(fold(self.role)))

    def shares_role(self, other: AssignedRole) -> bool:
        """Return whether two roles may be the same: "Bank" and "Lender"."""
        first, second = (frozenset(map(stem_word, fold(item.role).split())) for item in (self, other))
        return bool(first & second or self.groups & other.groups)


def explain_other_role(reading: ClaimReading) -> str:
    """Return which role the deciding sentence gives to whom in the place of the claim's, for users; "" where it agrees."""
    deciding = reading.deciding_sentence
    claimed = find_claimed_role(reading.claim.text)
    if claimed is None or deciding is None:
        return ""
    return explain_exchanged_role(claimed, deciding.text, [sentence.text for sentence in reading.read_sentences])


def find_claimed_role(claim: str) -> AssignedRole | None:
    """Return the role that a claim gives to a name; None where it denies one, or says something else."""
    match = _CLAIMED.match(claim)
    if match is None or has_negation(fold(claim)):
        return None
    claimed = AssignedRole(match["name"], match["role"])
    return claimed if match["article"] or claimed.groups else None  # "was present" is no role


def explain_exchanged_role(claimed: AssignedRole, sentence: str, others: Sequence[str] = ()) -> str:
    """Return what a sentence says in the place of a claimed name or role, for users: "" where it may say that.

    Of roles whose words are not known ("owner" and "proprietor"), others tell that they are two: those that give the
    claimed one to somebody else.
    """
    assigned = list(find_assigned_roles(sentence))
    words = _read_name(claimed.name)
    same_name = [item for item in assigned if words <= _read_name(item.name)] or list(
        filter(claimed.shares_name, assigned)
    )
    same_role = list(filter(claimed.shares_role, assigned))
    if any(item in same_role for item in same_name):
        return ""
    if same_name:
        elsewhere = (item for text in (sentence, *others) for item in find_assigned_roles(text))
        is_known = bool(claimed.groups and same_name[0].groups) and fold(claimed.role) not in fold(sentence)
        is_of_another = any(claimed.shares_role(item) and not words <= _read_name(item.name) for item in elsewhere)
        return explain_other_words(f"“{claimed.role}”", f"“{same_name[0].role}”") if is_known or is_of_another else ""
    is_named = any(word in fold(sentence) for word in words)
    return explain_other_words(f"“{claimed.name}”", f"“{same_role[0].name}”") if same_role and not is_named else ""


def find_assigned_roles(text: str) -> Iterator[AssignedRole]:
    """Yield who a sentence says that somebody is."""
    for pattern in (_DEFINED, _LABELLED):
        for match in pattern.finditer(text[:MAX_CHARACTERS]):
            yield AssignedRole(match["name"], match["role"])


def _read_name(name: str) -> frozenset[str]:
    words = (word.strip(".'’-&") for word in fold(name).split())
    return frozenset(word for word in words if word not in _TITLES and len(word) > 2)
