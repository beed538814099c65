"""Notes: who may read and change them, what they may be about, and what becomes of them with their document."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from highlighter.access import ANONYMOUS, LOCAL_OPERATOR, READ, Principal
from highlighter.errors import HighlighterError
from highlighter.notes.note_book import NoteContent, TextSelection
from highlighter.store.database import write_transaction
from highlighter.store.notes import remove_overdue_notes
from highlighter.store.schema import notes
from tests.conftest import NOTE

FARE = "Tickets cost four pounds"
ANN = replace(LOCAL_OPERATOR, session="ann")
BEN = replace(LOCAL_OPERATOR, session="ben")


@pytest.fixture
def book(services):
    return services.note_book


@pytest.fixture
def write(book, note):
    def write(words=FARE, principal=ANN, **content):
        return book.create(principal, note.id, TextSelection(exact=words), NoteContent(**content))

    return write


def list_quotes(book, principal, note):
    return [placed.text for placed in book.list_on(principal, note.id)]


def test_note_holds_its_words_with_their_offsets_and_context(write, services, note):
    placed = write(text="Too dear?", colour="green")
    text = services.catalog.text(note)
    assert text[placed.start : placed.end] == placed.note.exact == FARE
    assert placed.note.prefix == text[placed.start - 32 : placed.start]
    assert placed.note.suffix == text[placed.end : placed.end + 32]
    assert (placed.note.colour, placed.note.text, placed.page, placed.chunk) == ("green", "Too dear?", 1, 0)


def test_private_note_does_not_exist_for_others(write, book, note):
    id = write().note.id
    assert list_quotes(book, BEN, note) == []
    for action in (book.get, book.delete, book.restore, lambda who, id: book.update(who, id, NoteContent())):
        with pytest.raises(HighlighterError) as refused:
            action(BEN, id)
        assert refused.value.status == 404
    assert list_quotes(book, ANN, note) == [FARE]


def test_shared_note_is_read_by_others_and_changed_by_its_author_only(write, book, note, services):
    key, _ = services.api_keys.create_key("Ann Lee", [READ])
    id = write(principal=key.principal, shared=True).note.id
    assert [placed.note.author for placed in book.list_on(BEN, note.id)] == ["Ann Lee"]
    assert book.list_own(BEN) == ([], 0)
    for action in (book.delete, lambda who, id: book.update(who, id, NoteContent())):
        with pytest.raises(HighlighterError, match="only its author"):
            action(BEN, id)
    book.update(key.principal, id, NoteContent("pink", "Mine again.", shared=False))
    assert list_quotes(book, BEN, note) == []


def test_notes_on_invisible_collections_do_not_exist(write, book, note):
    id = write(shared=True).note.id
    stranger = Principal("x", frozenset([READ]), frozenset(["other"]), session="ann")
    assert book.list_own(stranger) == ([], 0)
    for action in (lambda: book.get(stranger, id), lambda: book.list_on(stranger, note.id)):
        with pytest.raises(HighlighterError) as refused:
            action()
        assert refused.value.status == 404


@pytest.mark.parametrize(
    ("selection", "content", "sentence"),
    [
        (TextSelection(0, 9999), NoteContent(), "out of range"),
        (TextSelection(9, 9), NoteContent(), "is empty"),
        (TextSelection(), NoteContent(), "Select the words"),
        (TextSelection(exact=" \n "), NoteContent(), "Select the words"),
        (TextSelection(exact="x" * 20_001), NoteContent(), "20,001 characters"),
        (TextSelection(exact="Tickets cost nine pounds"), NoteContent(), "were not found in the text of note.txt"),
        (TextSelection(0, 9), NoteContent(text="x" * 10_001), "10,001 characters; the limit is 10,000"),
        (TextSelection(0, 9), NoteContent(colour="mauve"), "yellow, green, blue, pink"),
    ],
)
def test_invalid_note_is_refused_with_a_sentence(book, note, selection, content, sentence):
    with pytest.raises(HighlighterError, match=sentence):
        book.create(ANN, note.id, selection, content)
    assert book.list_own(ANN) == ([], 0)


def test_words_decide_where_offsets_are_wrong(book, note):
    """Programs count UTF-16 units, or read another version."""
    selection = TextSelection(3, 12, FARE)
    assert book.create(ANN, note.id, selection, NoteContent()).text == FARE
    assert book.create(ANN, note.id, TextSelection(93, 121), NoteContent()).text == NOTE[93:121].strip()


def test_running_head_within_selection_is_left_out(book, note):
    exact = "Tickets cost four pounds and are sold PAGE 4 OF 9 on board. Children under five travel free"
    placed = book.create(ANN, note.id, TextSelection(exact=exact), NoteContent())
    assert placed.text == "Tickets cost four pounds and are sold on board. Children under five travel free"


def test_repeated_words_are_told_apart_by_their_neighbours(book, note):
    second = NOTE.index("the", NOTE.index("the ") + 1)
    selection = TextSelection(exact="the", prefix=NOTE[second - 20 : second], suffix=NOTE[second + 3 : second + 20])
    assert book.create(ANN, note.id, selection, NoteContent()).start == second


def test_deleted_note_can_be_restored_until_it_is_removed(write, book, note, services):
    id = write().note.id
    book.delete(ANN, id)
    assert book.list_on(ANN, note.id) == []
    assert book.list_own(ANN) == ([], 0)
    assert remove_overdue_notes(services.catalog.engine) == 0
    assert book.restore(ANN, id).text == FARE
    book.delete(ANN, id)
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(notes.update().values(deletion_time="2020-01-01T00:00:00+00:00"))
    assert remove_overdue_notes(services.catalog.engine) == 1
    with pytest.raises(HighlighterError, match="deleted for good"):
        book.restore(ANN, id)


def test_notes_are_deleted_with_their_document(write, book, note, services):
    write(shared=True)
    services.delete_document(note.id)
    with services.catalog.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(notes)) == 0
    with pytest.raises(HighlighterError, match="was not found"):
        write()


def test_notes_are_hidden_while_deletion_of_document_can_be_undone(write, book, note, services):
    write(shared=True)
    services.soft_delete(note.id)
    assert book.list_own(ANN) == ([], 0)


@pytest.mark.parametrize(("words", "count"), [("DEAR", 1), ("pounds", 1), ("100%", 0), ("%", 0), ("", 2)])
def test_own_notes_are_searched_by_text_and_quote(write, book, words, count):
    write(text="Too dear?")
    write("The captain may cancel a crossing")
    assert [len(book.list_own(ANN, words)[0]), book.list_own(ANN, words)[1]] == [count, count]


def test_owner_of_notes_is_key_then_session_then_this_machine():
    owners = [
        replace(ANN, key="1f").note_owner, ANN.note_owner, LOCAL_OPERATOR.note_owner, ANONYMOUS.note_owner
    ]  # fmt: skip
    assert owners == ["key 1f", "session ann", "local", "local"]
