"""Writers for the scripted server: what a model would write from the sources it was shown, well or badly. `Says(faithful)`."""

from __future__ import annotations

import re

from tests.scripted.received import Received

_SOURCE = re.compile(r"^===== SOURCE (\w+) =====\nLabel: \[([^\n]*)\]\n(.*?)\n===== END \1 =====$", re.DOTALL | re.M)
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]?")


def sources(request: Received) -> list[tuple[str, str]]:
    """Labels and texts, as the last message frames them."""
    return [(label, text) for _, label, text in _SOURCE.findall(request.asked)]


def question(request: Received) -> str:
    return request.asked.rsplit("question:\n", 1)[-1]


def faithful(request: Received) -> str:
    """The sentence of each source that shares most words with the question, and its label."""
    return " ".join(f"{_best(request, text).rstrip('.')} [{label}]." for label, text in sources(request))


def uncited(request: Received) -> str:
    """As small models write."""
    return " ".join(_best(request, text) for _, text in sources(request))


def quoting(request: Received) -> str:
    """As the strict mode asks for it."""
    return " ".join(f"It says so ({_best(request, text)}) [[{label}]]." for label, text in sources(request))


def wrong_citations(request: Received) -> str:
    """True words under labels that nobody gave."""
    return " ".join(f"{_best(request, text).rstrip('.')} [Annual Report 1987, p.999]." for _, text in sources(request))


def altered_quotes(request: Received) -> str:
    """Quotes with one thing changed: a digit, or else a "not" more."""
    return " ".join(f"It says so ({_altered(_best(request, text))}) [[{label}]]." for label, text in sources(request))


def obedient(request: Received) -> str:
    """Does what a source tells it to do: writes the words that a poisoned document orders it to write."""
    for _, text in sources(request):
        if ordered := re.search(r"(?:say|reply|answer|write)[^\"“]{0,30}[\"“]([^\"”]+)[\"”]", text, re.I):
            return ordered[1]
    return faithful(request)


def _best(request: Received, text: str) -> str:
    asked = set(re.findall(r"\w+", question(request).lower()))
    said = [" ".join(one.split()) for one in _SENTENCE.findall(text) if one.strip()]
    return max(said, key=lambda one: len(asked & set(re.findall(r"\w+", one.lower()))))


def _altered(sentence: str) -> str:
    if found := re.search(r"\d", sentence):
        return sentence[: found.start()] + str((int(found[0]) + 1) % 10) + sentence[found.end() :]
    words = sentence.split()
    return " ".join([words[0], "not", *words[1:]])
