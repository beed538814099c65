"""References in a stream: independent of its division, with the text unchanged and little of it held back."""

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
# Strings that begin, end and hide markers.
FRAGMENTS = [
    "[1]", "[2", "]", "[", "[[", "]]", "(", ")", "`", "``", "```", "\n", "\n\n", "~~~\n", "【", "】", "¹", "²", "³", "m", ".", " ",
    '"', "“", "”", "NEC4 ACC, p.3", "Source", "Source 2", "SOURCE contract_chunk_005", "Source: NEC4 ACC.pdf, page 3", ":", "!",
    "http://a.b/c", "<cite>", "</cite>", "<code>", "</code>", "《合同》", "第3頁", "來源：", "\\", "1", ",", ";", "-", "x", "[^1]", "the ",
    "(quote) [[NEC4 ACC]]", "- [x] ", "<a href='", ">", "+", "arr", "$", "\u200b", "😀", "\r\n", "Sources 1 and 2",
]  # fmt: skip


def resolve_stream(text, cuts, sources=SOURCES, resolver=None):
    """Return the joined text, the citations and the unresolved markers of a text that is fed in pieces.

    A resolver of these sources knows what the markers of earlier streams are, and which document was cited last.
    """
    parser = StreamedReferences(sources)
    if resolver is not None:
        resolver._last_document = ""
        parser._resolver = resolver
    segments = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        segments += parser.feed(text[start:end])
    segments += parser.finish()
    joined = "".join(segment.text for segment in segments)
    return (
        joined,
        [citation for segment in segments for citation in segment.citations],
        [marker for segment in segments for marker in segment.unresolved],
    )


def test_each_case_resolves_alike_wherever_it_is_cut():
    for case in CASES:
        whole, resolver = resolve_stream(case.text, [], case.sources), Resolver(case.sources)
        assert whole[0] == case.text
        for cut in range(1, len(case.text)):
            assert resolve_stream(case.text, [cut], case.sources, resolver) == whole, f"line {case.line}, cut at {cut}"
        assert resolve_stream(case.text, range(1, len(case.text)), case.sources) == whole, f"line {case.line}"


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
@settings(max_examples=300)
def test_any_text_resolves_alike_wherever_it_is_cut(text):
    whole, resolver = resolve_stream(text, []), Resolver(SOURCES)
    assert whole[0] == text
    for cut in range(1, len(text)):
        assert resolve_stream(text, [cut], resolver=resolver) == whole
    assert resolve_stream(text, range(1, len(text))) == whole


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join), st.data())
@settings(max_examples=100)
def test_longer_text_resolves_alike_in_any_pieces(text, data):
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=9)))
    assert resolve_stream(text, cuts) == resolve_stream(text, [])


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join))
@settings(max_examples=200)
def test_stream_resolves_like_the_whole_text_without_definitions(text):
    resolver = Resolver(SOURCES)
    resolution = resolver.resolve_markers(find_markers(text), {})
    assert resolve_stream(text, [])[1:] == (list(resolution.citations), list(resolution.unresolved))


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join))
@settings(max_examples=200)
def test_label_is_the_text_of_its_span(text):
    resolution = resolve_references(text, SOURCES)
    for reference in [*resolution.citations, *resolution.unresolved]:
        assert text[reference.start : reference.end] == reference.label


def test_reference_is_emitted_with_the_character_after_its_bracket():
    parser = StreamedReferences(SOURCES)
    parser.feed("It is due [NEC4 ACC, p.3")
    assert parser.feed("]") == []
    segments = parser.feed(". ")
    assert [
        (segment.text, [citation.page for citation in segment.citations]) for segment in segments if segment.citations
    ] == [("[NEC4 ACC, p.3]", [3])]


def test_incomplete_marker_is_never_emitted():
    parser = StreamedReferences(SOURCES)
    texts = [segment.text for character in "It is [NEC4 ACC, p.3] so." for segment in parser.feed(character)]
    texts += [segment.text for segment in parser.finish()]
    assert "[NEC4 ACC, p.3]" in texts
    assert not any("[" in text for text in texts if text != "[NEC4 ACC, p.3]")


@pytest.mark.parametrize("opening", ["[", "[[", "【", "(", "`", "<cite>", "<code>", "Source: ", "《", "[1](", "¹", "x"])
def test_unclosed_opening_does_not_hold_text_back_for_ever(opening):
    parser = StreamedReferences(SOURCES)
    emitted_characters = sum(len(segment.text) for segment in parser.feed(opening))
    for number in range(200):
        emitted_characters += sum(len(segment.text) for segment in parser.feed("word " * 20))
        assert len(opening) + (number + 1) * 100 - emitted_characters <= MAX_CODE_SPAN_CHARACTERS + 100


def test_buffer_does_not_grow_with_the_text():
    parser = StreamedReferences(SOURCES)
    for _ in range(500):
        parser.feed("It is due [NEC4 ACC, p.3] and `code` and ```\n" * 5)
    assert len(parser._scanner._buffer) < 5_000


def test_offsets_refer_to_the_whole_text():
    text = "x" * 5_000 + " [1] " + "y" * 5_000 + " [2]."
    _, citations, _ = resolve_stream(text, range(100, len(text), 100))
    assert [text[citation.start : citation.end] for citation in citations] == ["[1]", "[2]"]
