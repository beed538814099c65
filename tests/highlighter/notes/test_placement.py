"""Notes in later versions of their document: the same, moved, changed, or lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from highlighter.access import LOCAL_OPERATOR
from highlighter.notes.note_book import NoteContent, TextSelection
from ingest.pipeline import ingest_file
from tests.conftest import NOTE

ANN = replace(LOCAL_OPERATOR, session="ann")
FARE = "Tickets cost four pounds and are sold on board."
WORDS = {
    "same": "It carries sixty passengers and no cars.",
    "moved": "The captain may cancel a crossing when the wind is stronger than force eight.",
    "changed": FARE,
    "gone": "A cancelled ticket is refunded within three days.",
}


@pytest.fixture
def newer(note_path, services, note, process_pool):
    """The next version of the note's document, with notes on the first."""
    for words in WORDS.values():
        services.note_book.create(ANN, note.id, TextSelection(exact=words), NoteContent(text=words[:9]))
    text = NOTE.replace(WORDS["gone"], "").replace(WORDS["moved"], "").replace("four pounds", "nine pounds")
    note_path.write_text(text + "\n\nWeather.\n\n" + WORDS["moved"] + "\n\nThe end of it all.\n", encoding="utf-8")
    return ingest_file(note_path, services, process_pool).document


def test_notes_of_earlier_version_are_placed_in_the_new_one(services, note, newer):
    assert newer.id != note.id
    text = services.catalog.text(newer)
    placed = {place.outcome: place for place in services.note_book.list_on(ANN, newer.id)}
    assert {outcome: place.note.exact for outcome, place in placed.items()} == WORDS
    for outcome in ("same", "moved"):
        assert text[placed[outcome].start : placed[outcome].end] == WORDS[outcome]
    assert text[placed["changed"].start : placed["changed"].end].startswith("Tickets cost nine pounds")
    assert [(part.ours, part.theirs) for part in placed["changed"].differs if part.kind != "same"] == [("four", "nine")]
    assert placed["gone"].end == 0


def test_lost_notes_come_last_and_earlier_version_shows_its_own(services, note, newer):
    assert [place.outcome for place in services.note_book.list_on(ANN, newer.id)] == [
        "same",
        "changed",
        "moved",
        "gone",
    ]
    services.note_book.create(ANN, newer.id, TextSelection(exact="Weather."), NoteContent())
    assert [place.outcome for place in services.note_book.list_on(ANN, note.id)] == ["same"] * 4


def test_note_is_deleted_with_its_own_version(services, note, newer):
    services.delete_document(note.id)
    assert services.note_book.list_on(ANN, newer.id) == []
