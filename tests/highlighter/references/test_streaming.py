"""References in a stream: the same wherever it is cut, the text unchanged, nothing held for long."""

from pathlib import Path

import pytest

from bench.answers.labels import TABLES, read
from highlighter.models import Source
from highlighter.references.non_citations import MAX_CODE_SPAN_CHARACTERS
from highlighter.references.resolver import Resolver, StreamedReferences, resolve_references
from highlighter.references.scanner import find_markers
from tests.properties import given, settings, st

SOURCES = [Source("NEC4 ACC.pdf", pages=range(1, 61)), Source("Harbour Works Contract.pdf", pages=range(1, 13))]
CASES = [case for path in sorted(TABLES.glob("labels*.txt")) for case in read(Path(path))]
# What begins, ends and hides marks, in every order.
BITS = [
    "[1]", "[2", "]", "[", "[[", "]]", "(", ")", "`", "``", "```", "\n", "\n\n", "~~~\n", "【", "】", "¹", "²", "³", "m", ".", " ",
    '"', "“", "”", "NEC4 ACC, p.3", "Source", "Source 2", "SOURCE contract_chunk_005", "Source: NEC4 ACC.pdf, page 3", ":", "!",
    "http://a.b/c", "<cite>", "</cite>", "<code>", "</code>", "《合同》", "第3頁", "來源：", "\\", "1", ",", ";", "-", "x", "[^1]", "the ",
    "(quote) [[NEC4 ACC]]", "- [x] ", "<a href='", ">", "+", "arr", "$", "\u200b", "😀", "\r\n", "Sources 1 and 2",
]  # fmt: skip


def streamed(text, cuts, sources=SOURCES):
    """What is told of a text that is cut there: its pieces joined, its citations, its unresolved."""
    parser = StreamedReferences(sources)
    told = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        told += parser.feed(text[start:end])
    told += parser.finish()
    joined = "".join(one.text for one in told)
    return joined, [c for one in told for c in one.citations], [u for one in told for u in one.unresolved]


def test_every_label_is_told_the_same_wherever_it_is_cut():
    for case in CASES:
        whole = streamed(case.text, [], case.sources)
        assert whole[0] == case.text
        for cut in range(1, len(case.text)):
            assert streamed(case.text, [cut], case.sources) == whole, f"line {case.line}, cut at {cut}"
        assert streamed(case.text, range(1, len(case.text)), case.sources) == whole, f"line {case.line}"


@given(st.lists(st.sampled_from(BITS), max_size=14).map("".join))
@settings(max_examples=300)
def test_any_text_is_told_the_same_wherever_it_is_cut(text):
    whole = streamed(text, [])
    assert whole[0] == text
    for cut in range(1, len(text)):
        assert streamed(text, [cut]) == whole
    assert streamed(text, range(1, len(text))) == whole


@given(st.lists(st.sampled_from(BITS), max_size=60).map("".join), st.data())
@settings(max_examples=100)
def test_longer_texts_are_told_the_same_in_any_pieces(text, data):
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=9)))
    assert streamed(text, cuts) == streamed(text, [])


@given(st.lists(st.sampled_from(BITS), max_size=30).map("".join))
@settings(max_examples=200)
def test_a_stream_says_what_the_whole_text_says_but_for_its_own_footnotes(text):
    resolver = Resolver(SOURCES)
    found = resolver.resolve_markers(find_markers(text), {})
    assert streamed(text, [])[1:] == (list(found.citations), list(found.unresolved))


@given(st.lists(st.sampled_from(BITS), max_size=40).map("".join))
@settings(max_examples=200)
def test_a_label_is_what_stands_at_its_place(text):
    found = resolve_references(text, SOURCES)
    for one in [*found.citations, *found.unresolved]:
        assert text[one.start : one.end] == one.label


def test_a_reference_is_told_with_the_character_after_its_bracket():
    parser = StreamedReferences(SOURCES)
    parser.feed("It is due [NEC4 ACC, p.3")
    assert parser.feed("]") == []
    told = parser.feed(". ")
    assert [(one.text, [c.page for c in one.citations]) for one in told if one.citations] == [("[NEC4 ACC, p.3]", [3])]


def test_half_a_mark_is_never_shown():
    parser = StreamedReferences(SOURCES)
    shown = [one.text for character in "It is [NEC4 ACC, p.3] so." for one in parser.feed(character)]
    shown += [one.text for one in parser.finish()]
    assert "[NEC4 ACC, p.3]" in shown
    assert not any("[" in text for text in shown if text != "[NEC4 ACC, p.3]")


@pytest.mark.parametrize("opening", ["[", "[[", "【", "(", "`", "<cite>", "<code>", "Source: ", "《", "[1](", "¹", "x"])
def test_what_is_never_closed_holds_up_nothing_for_ever(opening):
    parser = StreamedReferences(SOURCES)
    given_back = sum(len(one.text) for one in parser.feed(opening))
    for number in range(200):
        given_back += sum(len(one.text) for one in parser.feed("word " * 20))
        assert len(opening) + (number + 1) * 100 - given_back <= MAX_CODE_SPAN_CHARACTERS + 100


def test_memory_does_not_grow_with_the_text():
    parser = StreamedReferences(SOURCES)
    for _ in range(500):
        parser.feed("It is due [NEC4 ACC, p.3] and `code` and ```\n" * 5)
    assert len(parser._scanner._buffer) < 5_000


def test_offsets_are_those_of_the_whole_text():
    text = "x" * 5_000 + " [1] " + "y" * 5_000 + " [2]."
    _, citations, _ = streamed(text, range(100, len(text), 100))
    assert [text[one.start : one.end] for one in citations] == ["[1]", "[2]"]
