"""Verbs by which a text demands, allows or expects something, as alternatives of patterns for folded text.

A rule that needs more words adds them where it stands: these are the ones on which all rules agree.
"""

from __future__ import annotations

from typing import Final

ENGLISH_MODALS: Final = "shall|must|may|can|will|should|might|could|would"
# In English, German, French, Spanish, Italian, Portuguese, Dutch and Russian.
DUTY_VERBS: Final = (
    "must|shall|muss|müssen|doit|doivent|deben?|deve|devono|devem|moet|moeten|долж(?:ен|на|но|ны)|обязан[аоы]?"
)
PERMISSION_VERBS: Final = (
    "may|can|darf|dürfen|kann|können|peut|peuvent|pueden?|può|possono|podem?|mag|mogen|kan|kunnen|может|могут|вправе"
)
PERMISSION_WORDS: Final = (
    rf"{PERMISSION_VERBS}|allow\w*|permit\w*|erlaubt|gestattet|autorisée?s?|permitid[ao]s?"
    r"|consentit[aeio]|ammess[aeio]|permess[aeio]|toegestaan|разреш\w+|допуска\w+"
)
