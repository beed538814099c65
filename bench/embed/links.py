"""Signed links as a host's server requests them."""

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


def find_contract(site: str) -> str:
    with urllib.request.urlopen(f"{site}/api/v1/documents") as response:
        return str(json.load(response)["documents"][0]["document_id"])


def create_link(site: str, **parameters: object) -> str:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{site}/api/v1/embed/links", json.dumps(parameters).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return str(json.load(response)["url"])


def make_new_questions() -> Iterator[str]:
    """Yield questions that were not asked before."""
    return (f"{QUESTIONS[number % len(QUESTIONS)]} (case {number})" for number in count(1))
