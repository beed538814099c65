"""Code in a plain text: which lines are code, and how their spacing is kept."""

from __future__ import annotations

import pytest

from highlighter.text.sentences import split_sentences
from ingest.readers import txt
from ingest.readers.txt_blocks import split_blocks

PROSE = "The alarm is a rising tone. Leave by the nearest door, and do not use the lift."
PYTHON = """\
    class Tide:
        low = 3

        def at(self, hour):
\t\t\treturn   hour % 12
            # until noon"""


def code(text: str) -> list[str]:
    return [block.text for block in split_blocks(text) if block.is_code]


def test_text_between_fences_is_code_without_the_fences():
    fenced = "```python\nfor boat in boats:\n\n    lift it\n```"
    assert [block.text for block in split_blocks(f"{PROSE}\n\n{fenced}\n\n{PROSE}")] == [
        PROSE,
        "for boat in boats:",
        "    lift it",
        PROSE,
    ]
    assert code(f"{PROSE}\n{fenced}") == ["for boat in boats:", "    lift it"]


def test_a_fence_that_is_never_closed_opens_nothing():
    assert code(f"```\n{PROSE}\n\n{PROSE}") == []


def test_a_hundred_thousand_fences_that_are_never_closed_are_read():
    assert code("```x\n" * 100_000) == []


def test_code_without_fences_keeps_its_spacing_and_relative_indentation():
    assert code(f"{PROSE}\n\n{PYTHON}\n\n{PROSE}") == [
        "class Tide:\n    low = 3",
        "    def at(self, hour):\n        return   hour % 12\n        # until noon",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "- rinse it with cold water for at least fifteen minutes;\n- take off wet clothing while you rinse;\n- call.",
        "    Indented as in a letter, and\n    broken by hand at the end;\n    of each of its lines.",
        "Name:   Ann\nTown:   Bergen\nPhone:  12",
        "The harbour sleeps beneath the moon,\nThe boats are all at rest,",
        "(a) the Seller (as defined below);\n(b) any person acting for the Seller; and\n(c) the Buyer.",
        "第二條 施工期間須設置照明；\n第三條 夜間不得施工；",
        "Ms Ingrid Solberg\nBryggen 12 (2nd floor)\n5003 Bergen",
    ],
)
def test_prose_is_no_code(text):
    assert code(f"{PROSE}\n\n{text}\n\n{PROSE}") == []


def test_offsets_are_right_and_sentences_begin_with_their_words(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(f"# Title\n\n{PROSE}\n\n```\nif a:\n    b = 1\n```\n\n{PROSE}\n", encoding="utf-8")
    reading = txt.read(path)
    assert [reading.text[start:end] for start, end in reading.code_spans] == ["if a:\n    b = 1"]
    for sentence in split_sentences(reading.text, wrapped=False):
        assert reading.text[sentence.start_char : sentence.end_char] == sentence.text == sentence.text.strip()
