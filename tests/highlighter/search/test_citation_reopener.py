"""Citations made of one version, opened in another, or when the document is gone."""

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


def span(services, document, words):
    start = services.catalog.text(document).index(words)
    return start, start + len(words)


@pytest.mark.parametrize(
    ("words", "outcome", "now"),
    [
        (FREE, "moved", FREE),
        (TICKET, "changed", TICKET.replace("four", "five")),
        ("It carries sixty passengers and no cars.", "gone", None),
    ],
)
def test_old_citations_are_found_again_in_the_new_version(services, versions, words, outcome, now):
    old, new = versions
    later = services.citation_reopener.find_later_version(old, *span(services, old, words))
    assert later.outcome == outcome
    assert (later.after.text if later.after else None) == now
    if outcome == "moved":
        assert (later.before.page, later.after.page, later.after.document.id) == (1, new.pages, new.id)
        assert f"moved from page 1 to page {new.pages}" in later.description
    if outcome == "changed":
        assert ("four", "five") in [(piece.ours, piece.theirs) for piece in later.again.differs]


def test_of_the_current_version_everything_is_the_same(services, versions):
    _, new = versions
    assert services.citation_reopener.find_later_version(new, *span(services, new, FREE)).outcome == "same"


def test_a_link_opens_its_own_bytes_where_they_are_kept(services, versions):
    old, _ = versions
    found = services.citation_reopener.reopen(old.sha256, *span(services, old, TICKET), TICKET, VisibleCollections())
    assert (found.tier, found.place.document.id, found.place.text) == ("exact", old.id, TICKET)


def test_a_place_that_says_something_else_is_not_the_place(services, versions):
    old, _ = versions
    found = services.citation_reopener.reopen(old.sha256, 0, 20, TICKET, VisibleCollections())
    assert found.place.text == TICKET


def test_without_its_document_a_link_finds_its_words_elsewhere_or_says_that_it_cannot(services, versions):
    old, new = versions
    services.delete_document(old.id)
    found = services.citation_reopener.reopen(old.sha256, 5, 40, FREE, VisibleCollections())
    assert (found.place.document.id, found.place.text) == (new.id, FREE)
    assert "was not found" in found.notes[0]
    assert services.citation_reopener.reopen(old.sha256, 5, 40, TICKET, VisibleCollections()).tier == "none"
    with pytest.raises(NotFound, match="contains no quote"):
        services.citation_reopener.reopen(old.sha256, 5, 40, "", VisibleCollections())


def test_bytes_that_may_not_be_seen_are_not_here(services, write):
    hidden = write("a.txt", NOTE, collection="secret")
    with pytest.raises(NotFound):
        services.citation_reopener.reopen(hidden.sha256, 0, 5, "", VisibleCollections(frozenset({"default"})))


@pytest.mark.parametrize(
    ("start", "end", "says"), [(9, 4, "ends before it begins"), (4, 4, "empty"), (0, 10**6, "out of range")]
)
def test_a_span_that_is_none_is_refused(services, note, start, end, says):
    with pytest.raises(BadRequest, match=says):
        services.citation_reopener.find_later_version(note, start, end)


def test_a_span_beside_a_character_of_two_utf_16_units_is_counted_in_code_points(services, write):
    document = write(
        "a.txt", "The 𠮷野家 stands at the quay. Its soup costs three pounds and is served all day long.\n"
    )
    start, end = span(services, document, "Its soup costs three pounds")
    anchor, place = services.citation_reopener.make_anchor(document, start, end)
    assert anchor.exact == place.text == "Its soup costs three pounds"
