"""Questions in the words of a document that says "we" and "you": the insurer's conditions say "We may cancel", and never "the insurer".

Without this, "When can the insurer cancel?" is as near to "You may cancel" as to "We may cancel".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Who writes "we" in the terms that are given to "you". Other parties write letters and guides in either role.
_WRITERS = r"(?:insurer|insurance company|underwriter|lender|bank)"
_READERS = r"(?:policy ?holder|insured(?: person)?|borrower|account ?holder|customer)"
_ARTICLES = r"(?:(?:the|my|our|your|an?|this) )?"
_POSSESSED = re.compile(r"\b(?:my|our|your)(?= [a-z])", re.IGNORECASE)
_AUXILIARY = r"(?:can|may|must|shall|should|will|would|could|does|do|did|is|has)"
_VERBS = (("does", "do"), ("has", "have"), ("is", "are"))


def ask_in_words_of_document(question: str, texts: Sequence[str]) -> str:
    """Return a question about who acts with "we" or "you" for them, where a passage says both; else the question."""
    if not (_says("we", texts) and _says("you", texts)):
        return question
    rewritten = question
    for parties, pronoun in ((_WRITERS, "we"), (_READERS, "you")):
        acting = re.compile(rf"\b({_AUXILIARY}) {_ARTICLES}{parties}(?= [a-z])", re.IGNORECASE)
        rewritten = acting.sub(rf"\1 {pronoun}", rewritten)
    if rewritten == question:
        return question
    for verb, plural in _VERBS:
        rewritten = re.sub(rf"\b{verb} (?=(?:we|you)\b)", f"{plural} ", rewritten, flags=re.IGNORECASE)
    if question[:1].isupper():
        rewritten = rewritten[:1].upper() + rewritten[1:]
    return _POSSESSED.sub("the", rewritten)


def _says(pronoun: str, texts: Sequence[str]) -> bool:
    return any(re.search(rf"\b{pronoun}\b", text, re.IGNORECASE) for text in texts)
