"""Sentences that say of somebody or something else what a claim says: "The quay inspector trains 204 apprentices" is no
contradiction of "The night warden trains 669 apprentices"."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from highlighter.grounding.parties import find_parties, is_indefinite
from highlighter.grounding.wording import NAME, PLAIN, KeyedWord, Wording, join_keys
from highlighter.text.lazy_pattern import compile_later

MAX_SUBJECT_CHARACTERS = 40
# What begins a sentence, and is no subject.
_ADVERB = compile_later(
    r"usually|normally|typically|generally|commonly|mostly|overall|altogether|total|average|general|approximately|roughly|currently|annual|yearly|monthly|weekly|daily"
    r"|gewöhnlich|normalerweise|üblicherweise|meist(?:ens)?|insgesamt|durchschnittlich|durchschnitt|généralement|habituellement|normalement|moyenne"
    r"|generalmente|normalmente|habitualmente|promedio|de solito|complessivamente|geralmente|meestal|gewoonlijk|обычно|通常|一般|平均|总共|合计"
)


def has_other_subject(claim: Wording, source: Wording) -> bool:
    """Return whether two sentences begin with other words, and go on with the same: these say of what their number is.

    Pronouns and words for the same party may mean the same.
    """
    subjects = _find_subjects(claim, source)
    if subjects is None:
        return False
    texts = [
        wording.text[words[0].start : words[-1].end] for wording, words in zip((claim, source), subjects, strict=True)
    ]
    if any(map(is_indefinite, texts)):
        return False
    claimed, stated = (frozenset(group for party in find_parties(text) for group in party.groups) for text in texts)
    return not claimed & stated


def _find_subjects(claim: Wording, source: Wording) -> tuple[Sequence[KeyedWord], Sequence[KeyedWord]] | None:
    """Return the words with which two sentences begin, where the other one has none of them, and then they say the same."""
    claim_keys, source_keys = ([word.main_key for word in wording.words] for wording in (claim, source))
    steps = list(Levenshtein.opcodes(claim_keys, source_keys))
    first = next((number for number, step in enumerate(steps) if step.tag != "equal"), len(steps))
    following = next((step for step in steps[first:] if step.tag == "equal"), None)
    if following is None or not all(word.is_stop_word for word in claim.words[: steps[first].src_start]):
        return None
    start, other_start = steps[first].src_start, steps[first].dest_start
    subjects = claim.words[start : following.src_start], source.words[other_start : following.dest_start]
    is_other = _is_named_in_one_alone(subjects[0], source) and _is_named_in_one_alone(subjects[1], claim)
    keys, other_keys = (join_keys(word for word in words if not word.is_stop_word) for words in subjects)
    return subjects if is_other and not keys & other_keys else None


def _is_named_in_one_alone(subject: Sequence[KeyedWord], other: Wording) -> bool:
    """Return whether the words of a subject are few and no numbers, and not all of them are in the other sentence."""
    content = [word for word in subject if not word.is_stop_word]
    if not content or subject[-1].end - subject[0].start > MAX_SUBJECT_CHARACTERS:
        return False
    are_plain = all(word.kind in (PLAIN, NAME) for word in content) and not all(
        _ADVERB.fullmatch(word.text) for word in content
    )
    return are_plain and not all(word.keys & other.keys for word in content)
