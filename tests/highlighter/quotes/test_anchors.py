"""Anchors: their annotation, and where they are found in another version."""

from __future__ import annotations

import pytest

from highlighter.quotes.anchors import Anchor, build_annotation, relocate_anchor
from highlighter.quotes.normal_form import ComparableText

OLD_TEXT = (
    "Rules of the pool. Children under eight swim with an adult at all times. The pool opens at seven in the morning. "
    "Yes. Towels are lent at the desk for two pounds. Diving is allowed only from the board at the deep end. Enjoy it."
)


def make_anchor(quote):
    start = OLD_TEXT.index(quote)
    return Anchor.from_span(OLD_TEXT, start, start + len(quote))


def relocate(quote, new_text):
    relocation = relocate_anchor(make_anchor(quote), ComparableText(new_text))
    return relocation.outcome, new_text[relocation.start : relocation.end]


@pytest.mark.parametrize("quote", ["Children under eight swim with an adult at all times.", "Yes.", "at", "pool"])
def test_unchanged_words_are_found_wherever_they_move(quote):
    assert relocate(quote, OLD_TEXT) == ("same", quote)
    assert relocate(quote, "A new chapter comes first. " * 40 + OLD_TEXT) == ("same", quote)


@pytest.mark.parametrize(
    ("quote", "new_quote"),
    [
        ("Towels are lent at the desk for two pounds.", "Towels are lent at the desk for three pounds."),
        ("The pool opens at seven in the morning.", "The pool opens at half past six on weekdays."),
        ("Diving is allowed only from the board at the deep end.", "Diving is not allowed."),
    ],
)
def test_rewritten_sentence_is_changed_and_shown_with_differences(quote, new_quote):
    relocation = relocate_anchor(make_anchor(quote), ComparableText(OLD_TEXT.replace(quote, new_quote)))
    new_text = OLD_TEXT.replace(quote, new_quote)
    assert relocation.outcome == "changed"
    assert new_text[relocation.start : relocation.end].strip(" .") == new_quote.strip(" .")
    assert any(segment.kind != "same" for segment in relocation.differs)


def test_fragments_are_the_same_though_the_words_between_them_change():
    spans = tuple(
        (OLD_TEXT.index(words), OLD_TEXT.index(words) + len(words)) for words in ("Towels are lent", "two pounds")
    )
    anchor = Anchor.from_span(OLD_TEXT, spans[0][0], spans[-1][1], spans)
    new_text = "A new chapter. " + OLD_TEXT.replace("at the desk", "by the guard")
    relocation = relocate_anchor(anchor, ComparableText(new_text))
    assert anchor.quote == "Towels are lent … two pounds"
    assert relocation.outcome == "same"
    assert [new_text[start:end] for start, end in relocation.spans] == ["Towels are lent", "two pounds"]


def test_removed_sentence_is_gone():
    quote = "Diving is allowed only from the board at the deep end."
    assert relocate(quote, OLD_TEXT.replace(quote + " ", ""))[0] == "gone"
    assert relocate(quote, "Another text altogether.")[0] == "gone"


def test_annotation_has_quote_position_page_and_file_hash():
    anchor = make_anchor("Towels are lent at the desk for two pounds.")
    annotation = build_annotation(
        anchor,
        link="http://here/open?x",
        source="http://here/original",
        media_type="application/pdf",
        sha256="ab" * 32,
        page=3,
    )
    quote, position, page = annotation["target"]["selector"]
    assert quote["exact"] == anchor.exact
    assert OLD_TEXT[position["start"] : position["end"]] == anchor.exact
    assert OLD_TEXT.index(quote["prefix"] + quote["exact"] + quote["suffix"]) == position["start"] - 32
    assert page["value"] == "page=3"
    assert annotation["target"]["source"]["sha256"] == "ab" * 32
    assert annotation["type"] == "Annotation"
