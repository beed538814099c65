"""What a citation is known by, and what becomes of it in another version."""

from __future__ import annotations

import pytest

from highlighter.quotes.anchors import Anchor, build_annotation, relocate_anchor
from highlighter.quotes.normal_form import ComparableText

OLD = (
    "Rules of the pool. Children under eight swim with an adult at all times. The pool opens at seven in the morning. "
    "Yes. Towels are lent at the desk for two pounds. Diving is allowed only from the board at the deep end. Enjoy it."
)


def anchor(words):
    start = OLD.index(words)
    return Anchor.from_span(OLD, start, start + len(words))


def again(words, new):
    found = relocate_anchor(anchor(words), ComparableText(new))
    return found.outcome, new[found.start : found.end]


@pytest.mark.parametrize("words", ["Children under eight swim with an adult at all times.", "Yes.", "at", "pool"])
def test_what_was_not_touched_is_the_same_wherever_it_is_now(words):
    assert again(words, OLD) == ("same", words)
    assert again(words, "A new chapter comes first. " * 40 + OLD) == ("same", words)


@pytest.mark.parametrize(
    ("words", "now"),
    [
        ("Towels are lent at the desk for two pounds.", "Towels are lent at the desk for three pounds."),
        ("The pool opens at seven in the morning.", "The pool opens at half past six on weekdays."),
        ("Diving is allowed only from the board at the deep end.", "Diving is not allowed."),
    ],
)
def test_what_was_written_anew_is_changed_and_shown_beside_the_old(words, now):
    found = relocate_anchor(anchor(words), ComparableText(OLD.replace(words, now)))
    new = OLD.replace(words, now)
    assert found.outcome == "changed"
    assert new[found.start : found.end].strip(" .") == now.strip(" .")
    assert any(piece.kind != "same" for piece in found.differs)


def test_what_was_taken_out_is_gone():
    words = "Diving is allowed only from the board at the deep end."
    assert again(words, OLD.replace(words + " ", ""))[0] == "gone"
    assert again(words, "Another text altogether.")[0] == "gone"


def test_an_annotation_says_the_words_the_place_the_page_and_the_bytes():
    one = anchor("Towels are lent at the desk for two pounds.")
    made = build_annotation(
        one,
        link="http://here/open?x",
        source="http://here/original",
        media_type="application/pdf",
        sha256="ab" * 32,
        page=3,
    )
    quote, position, page = made["target"]["selector"]
    assert quote["exact"] == one.exact
    assert OLD[position["start"] : position["end"]] == one.exact
    assert OLD.index(quote["prefix"] + quote["exact"] + quote["suffix"]) == position["start"] - 32
    assert page["value"] == "page=3"
    assert made["target"]["source"]["sha256"] == "ab" * 32
    assert made["type"] == "Annotation"
