"""Verbs in the past have the base forms of a dictionary."""

from __future__ import annotations

import pytest

from highlighter.text.past_verbs import find_base_of_past


@pytest.mark.parametrize(
    ("past", "base"),
    [
        ("paid", "pay"),
        ("put", "put"),
        ("notified", "notify"),
        ("tied", "tie"),
        ("agreed", "agree"),
        ("stopped", "stop"),
        ("cancelled", "cancel"),
        ("called", "call"),
        ("discussed", "discuss"),
        ("closed", "close"),
        ("named", "name"),
        ("visited", "visit"),
        ("invited", "invite"),
        ("monitored", "monitor"),
        ("stored", "store"),
        ("mentioned", "mention"),
        ("repaired", "repair"),
        ("required", "require"),
        ("created", "create"),
        ("repeated", "repeat"),
        ("judged", "judge"),
        ("handled", "handle"),
        ("deleted", "delete"),
        ("owed", "owe"),
        ("ordered", "order"),
        ("typed", "type"),
        ("preceded", "precede"),
        ("pays", ""),
        ("red", ""),
        ("need", ""),
    ],
)
def test_past_form_has_a_base_form(past, base):
    assert find_base_of_past(past) == base
