"""Tests of citations of one version that are reopened in another, or after the document was deleted."""

from __future__ import annotations

import pytest

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest, NotFound
from tests.conftest import NOTE

TICKET = "Tickets cost four pounds and are sold on board."
FREE = "Children under five travel free of charge."
FILLER = "".join(f"Rule {n} of the company is printed here for all who care to read it.\n\n" for n in range(70))


@pytest.fixture
def versions(services, write):
    old = write("note.txt", NOTE)
    new = write(
        "note.txt",
        FILLER + NOTE.replace("four pounds", "five pounds").replace("It carries sixty passengers and no cars.", ""),
    )
    return services.catalog.document(old.id), new


def find_span(services, document, words):
    start = services.catalog.text(document).index(words)
    return start, start + len(words)


@pytest.mark.parametrize(
    ("words", "outcome", "new_text"),
    [
        (FREE, "moved", FREE),
        (TICKET, "changed", TICKET.replace("four", "five")),
        ("It carries sixty passengers and no cars.", "gone", None),
    ],
)
def test_old_citation_is_found_in_new_version(services, versions, words, outcome, new_text):
    old, new = versions
    span_outcome = services.citation_reopener.find_later_version(old, *find_span(services, old, words))
    assert span_outcome.outcome == outcome
    assert (span_outcome.after.text if span_outcome.after else None) == new_text
    if outcome == "moved":
        assert (span_outcome.before.page, span_outcome.after.page, span_outcome.after.document.id) == (
            1,
            new.pages,
            new.id,
        )
        assert f"moved from page 1 to page {new.pages}" in span_outcome.description
    if outcome == "changed":
        assert ("four", "five") in [(difference.ours, difference.theirs) for difference in span_outcome.again.differs]


def test_span_of_current_version_is_unchanged(services, versions):
    _, new = versions
    assert services.citation_reopener.find_later_version(new, *find_span(services, new, FREE)).outcome == "same"


def test_link_opens_its_own_version_if_stored(services, versions):
    old, _ = versions
    found = services.citation_reopener.reopen(
        old.sha256, *find_span(services, old, TICKET), TICKET, VisibleCollections()
    )
    assert (found.tier, found.place.document.id, found.place.text) == ("exact", old.id, TICKET)


def test_quote_with_ellipsis_is_reopened_with_its_fragments(services, versions):
    old, new = versions
    start, end = find_span(services, old, TICKET)[0], find_span(services, old, FREE)[1]
    quote = "Tickets cost … sold on board … travel free of charge."
    at_position = services.citation_reopener.reopen(old.sha256, start, end, quote, VisibleCollections())
    elsewhere = services.citation_reopener.reopen("0" * 64, start, end, quote, VisibleCollections())
    for found, document in ((at_position, old), (elsewhere, new)):
        text = services.catalog.text(document)
        words = [text[a:b] for a, b in found.place.spans]
        assert (found.place.document.id, words) == (
            document.id,
            ["Tickets cost", "sold on board", "travel free of charge."],
        )


def test_offsets_with_other_text_are_ignored(services, versions):
    old, _ = versions
    found = services.citation_reopener.reopen(old.sha256, 0, 20, TICKET, VisibleCollections())
    assert found.place.text == TICKET


def test_link_without_document_finds_quote_elsewhere_or_fails(services, versions):
    old, new = versions
    services.delete_document(old.id)
    found = services.citation_reopener.reopen(old.sha256, 5, 40, FREE, VisibleCollections())
    assert (found.place.document.id, found.place.text) == (new.id, FREE)
    assert "was not found" in found.notes[0]
    assert services.citation_reopener.reopen(old.sha256, 5, 40, TICKET, VisibleCollections()).tier == "none"
    with pytest.raises(NotFound, match="contains no quote"):
        services.citation_reopener.reopen(old.sha256, 5, 40, "", VisibleCollections())


def test_invisible_document_is_not_found(services, write):
    hidden = write("a.txt", NOTE, collection="secret")
    with pytest.raises(NotFound):
        services.citation_reopener.reopen(hidden.sha256, 0, 5, "", VisibleCollections(frozenset({"default"})))


@pytest.mark.parametrize(
    ("start", "end", "message"), [(9, 4, "ends before it begins"), (4, 4, "empty"), (0, 10**6, "out of range")]
)
def test_invalid_span_is_refused(services, note, start, end, message):
    with pytest.raises(BadRequest, match=message):
        services.citation_reopener.find_later_version(note, start, end)


def test_offsets_count_code_points_not_utf_16_units(services, write):
    document = write(
        "a.txt", "The 𠮷野家 stands at the quay. Its soup costs three pounds and is served all day long.\n"
    )
    start, end = find_span(services, document, "Its soup costs three pounds")
    anchor, place = services.citation_reopener.make_anchor(document, start, end)
    assert anchor.exact == place.text == "Its soup costs three pounds"
