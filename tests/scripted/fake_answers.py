"""Authors for the scripted provider: texts that a good or bad model writes from its sources, as in `Says(faithful)`."""

from __future__ import annotations

import re

from tests.scripted.received_request import ReceivedRequest

_SOURCE = re.compile(r"^===== SOURCE (\w+) =====\nLabel: \[([^\n]*)\]\n(.*?)\n===== END \1 =====$", re.DOTALL | re.M)
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]?")


def sources(request: ReceivedRequest) -> list[tuple[str, str]]:
    """Return the labels and texts of the sources in the last message."""
    return [(label, text) for _, label, text in _SOURCE.findall(request.user_message)]


def question(request: ReceivedRequest) -> str:
    return request.user_message.rsplit("question:\n", 1)[-1]


def faithful(request: ReceivedRequest) -> str:
    """Write the sentence of each source that shares most words with the question, and its label."""
    return " ".join(f"{_best_sentence(request, text).rstrip('.')} [{label}]." for label, text in sources(request))


def uncited(request: ReceivedRequest) -> str:
    """Write without citations, as small models do."""
    return " ".join(_best_sentence(request, text) for _, text in sources(request))


def quoting(request: ReceivedRequest) -> str:
    """Write quotes with labels, as the strict mode requires."""
    return " ".join(f"It says so ({_best_sentence(request, text)}) [[{label}]]." for label, text in sources(request))


def wrong_citations(request: ReceivedRequest) -> str:
    """Write true sentences with labels of unknown sources."""
    return " ".join(
        f"{_best_sentence(request, text).rstrip('.')} [Annual Report 1987, p.999]." for _, text in sources(request)
    )


def altered_quotes(request: ReceivedRequest) -> str:
    """Write quotes with one change: another digit, or else an added "not"."""
    return " ".join(
        f"It says so ({_alter_sentence(_best_sentence(request, text))}) [[{label}]]."
        for label, text in sources(request)
    )


def obedient(request: ReceivedRequest) -> str:
    """Write the words that a poisoned source tells the model to write."""
    for _, text in sources(request):
        if instruction := re.search(r"(?:say|reply|answer|write)[^\"“]{0,30}[\"“]([^\"”]+)[\"”]", text, re.I):
            return instruction[1]
    return faithful(request)


def _best_sentence(request: ReceivedRequest, text: str) -> str:
    question_words = set(re.findall(r"\w+", question(request).lower()))
    sentences = [" ".join(sentence.split()) for sentence in _SENTENCE.findall(text) if sentence.strip()]
    return max(sentences, key=lambda sentence: len(question_words & set(re.findall(r"\w+", sentence.lower()))))


def _alter_sentence(sentence: str) -> str:
    if digit := re.search(r"\d", sentence):
        return sentence[: digit.start()] + str((int(digit[0]) + 1) % 10) + sentence[digit.end() :]
    words = sentence.split()
    return " ".join([words[0], "not", *words[1:]])
