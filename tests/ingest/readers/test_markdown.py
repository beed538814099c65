"""Markdown is read as the page that it describes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import EMPTY
from ingest.readers import markdown
from tests.ingest.readers.any_input import read_or_none
from tests.properties import given, st

RULES = Path(__file__).parent / "files" / "diving.md"

RULES_TEXT = """\
title: Diving rules
author: Harbour Office

Diving rules

No diver enters the water before the harbour master has agreed. The flag Alpha is hoisted.

1. Check the air.
2. Check the rope.
◦ twice in winter
◦ once in summer

Depth\tLongest stay
10 m\t219 minutes
30 m\t20 minutes

The master may refuse.

def stay(depth):
    return TABLE[depth]

Old fee: . New fee: £55.

Printed on yellow paper."""


def read(folder: Path, content: str):
    path = folder / "file.md"
    path.write_text(content, encoding="utf-8", errors="surrogatepass")
    return markdown.read(path)


def test_markdown_is_read_without_its_marks():
    rules = markdown.read(RULES)
    assert rules.text == RULES_TEXT
    assert [rules.text[h.start : h.end] for h in rules.headings] == ["Diving rules"]
    assert [rules.text[start:end] for start, end in rules.table_headers] == ["Depth\tLongest stay"]
    assert [rules.text[start:end].split("\n")[0] for start, end in rules.code_spans] == [
        "title: Diving rules",
        "def stay(depth):",
    ]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("- [ ] approved\n- [x] *paid*\n- [X] sent", "• ☐ approved\n• ☑ paid\n• ☑ sent"),
        ("1. [ ] approved", "1. ☐ approved"),
        ("- [x](x.md) is cited\n- see [ ] here", "• x is cited\n• see [ ] here"),
        ("[ ] no item", "[ ] no item"),
    ],
)
def test_tasks_have_the_boxes_of_forms(tmp_path, source, text):
    assert read(tmp_path, source).text == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("It was rebuilt.[^1] It lifts.\n\n[^1]: See the ledger.", "It was rebuilt.[1] It lifts.\n\n[1] See the ledger."),
        ("A.[^b] C.[^a]\n[^a]: Ledger\n[^B]: http://a.b/", "A.[1] C.[2]\n\n[2] Ledger\n\n[1] http://a.b/"),
        ("[^x]: Not\nreferred to.\n\nA[^1] *b[^1]*\n\n[^1]: One.\n\n    Two.\n\nThree.",
         "[2] Not referred to.\n\nA[1] b[1]\n\n[1] One.\n\nTwo.\n\nThree."),
        ("A[^1]\n\n[^1]: [^2]: One", "A[1]\n\n[1]\n\n[2] One"),
        ("A[^1]\n\n[^1]:\n\nB", "A[1]\n\n[1]\n\nB"),
        ("A[^1]\n\n[^1]:\n    - one\n    - two\n\nB", "A[1]\n\n[1]\n\n• one\n• two\n\nB"),
        ("No note[^2], `[^1]` and \\[^1]\n\n    [^1]: code\n\n[^1]: One", "No note[^2], [^1] and [^1]\n\n[^1]: code\n\n[1] One"),
    ],
)  # fmt: skip
def test_footnotes_begin_with_the_marks_that_refer_to_them(tmp_path, source, text):
    assert read(tmp_path, source).text == text


@pytest.mark.parametrize("source", ["", "<script>x</script>", "[a]: http://127.0.0.1"])
def test_markdown_without_text_is_empty(tmp_path, source):
    with pytest.raises(UnreadableFile) as caught:
        read(tmp_path, source)
    assert caught.value.state == EMPTY


def test_many_footnotes_within_each_other_are_read(tmp_path):
    assert "end" in read(tmp_path, "[^1]: " * 5_000 + "x\n\n" + "[^1]" * 5_000 + "end").text


@pytest.mark.parametrize(
    "source",
    [
        "".join(f"{'  ' * level}- Item {level}.\n" for level in range(200)),
        "".join(f"{'  ' * level}- Item {level}.\n\n" for level in range(200)),
        "".join(f"{'> ' * level}Item {level}.\n\n" for level in range(1, 200)),
        "> " * 100_000 + "Item 1.\n\nItem 2.",
        "- " * 100_000 + "Item 1.\n\nItem 2.",
        "".join(f"{'> - ' * level}Item {level}.\n\n" for level in range(100)),
    ],
    ids=["list", "loose list", "quotations", "deep quotation", "deep list", "both"],
)
def test_no_words_are_lost_however_deeply_they_are_nested(tmp_path, source):
    text = read(tmp_path, source).text
    assert re.findall(r"Item \d+\.", text) == re.findall(r"Item \d+\.", source)


@given(st.text(alphabet="#*_-`~>|[]()<>!\\ \n\t1.a漢&;:=+^", max_size=120))
def test_any_markdown_is_read_or_empty(tmp_path_factory, source):
    path = tmp_path_factory.getbasetemp() / "file.md"
    path.write_text(source, encoding="utf-8")
    page = read_or_none(markdown, path)
    assert page is None or page.text.strip()
