"""Claims that say of one correspondent what another one says of herself: "I am on leave" behind a ">"."""

from __future__ import annotations

from highlighter.grounding.claim_reading import ClaimReading
from highlighter.grounding.contrasts import explain_other_words
from highlighter.grounding.wording import NAME, Wording, join_keys, parse_wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

_FIRST_PERSON = compile_later(
    r"\b(?:i|i'm|i've|i'll|i'd|my|me|we|our|us|ich|mein\w*|mir|mich|wir|unser\w*|uns|je|mon|ma|mes|moi|nous|notre|nos|yo|mi|mis"
    r"|nosotros|nuestr[oa]s?|io|mio|mia|noi|nostr[oaie]|eu|meu|minha|nós|noss[oa]s?|ik|mijn|wij|ons|onze|я|мой|моя|мы|наш\w*)\b|\bj'|我|私"
)
_SECOND_PERSON = compile_later(
    r"\b(?:you|your|yours|du|dir|dich|dein\w*|ihnen|ihr|euch|tu|te|toi|ton|vous|votre|vos|usted(?:es)?|ti|tú|vosotros|lei|voi|vi|você|vocês"
    r"|jij|je|jou|jouw|u|uw|jullie|ты|вы|вам|вас|ваш\w*)\b|[你您]"
)


def explain_other_speaker(reading: ClaimReading) -> str:
    """Return who says "I" in the deciding sentence, for users, if a claim says it of another correspondent; "" otherwise."""
    deciding = reading.deciding_sentence
    if deciding is None:
        return ""
    correspondence = reading.source_index.find_correspondence(deciding.source)
    speaker, text = correspondence.find_speaker(deciding.start), fold(deciding.text)
    if not speaker or not _FIRST_PERSON.search(text) or _SECOND_PERSON.search(text):
        return ""
    if _names_person(reading.claim, speaker):
        return ""
    others = [name for name in correspondence.names if name != speaker and _names_person(reading.claim, name)]
    if not others or any(_names_person(deciding.wording, name) for name in others):
        return ""
    return explain_other_words(f"“{others[0]}”", f"“{speaker}”")


def _names_person(wording: Wording, name: str) -> bool:
    keys = _read_name(name)
    return any(word.keys & keys for word in wording.words if word.kind == NAME or word.start == 0)


def _read_name(name: str) -> frozenset[str]:
    return join_keys(word for word in parse_wording(name).words if len(word.text) > 2)
