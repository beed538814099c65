"""Signed links as a host's server asks for them."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from itertools import count

QUESTIONS = (
    "When must the Contractor give an early warning?",
    "How much does the Contractor pay for each day of delay?",
    "Who carries the risk of damage by waves until the works are taken over?",
    "May work be done at night in the seal pupping season?",
    "How long do the parties have to take a dispute to the adjudicator?",
)


def contract(site: str) -> str:
    with urllib.request.urlopen(f"{site}/api/v1/documents") as answer:
        return json.load(answer)["documents"][0]["document_id"]


def link(site: str, **what) -> str:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{site}/api/v1/embed/links", json.dumps(what).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["url"]


def never_asked() -> Iterator[str]:
    """Questions that nobody has asked before."""
    return (f"{QUESTIONS[number % len(QUESTIONS)]} (case {number})" for number in count(1))
