"""What readers say of highlights is only added to, is taken back by another row, and loses its words with its document."""

from __future__ import annotations

import pytest
import sqlalchemy
from sqlalchemy import text

from highlighter.access import VisibleCollections
from highlighter.store.feedback import RIGHT, WRONG, list_current_feedback, save_feedback, undo_feedback

ALL = VisibleCollections()
QUESTION = "When does the ferry leave?"


@pytest.fixture
def engine(services):
    return services.catalog.engine


@pytest.fixture
def said(services, note, engine):
    chunk = services.catalog.chunk(note, 0)

    def saying(verdict: str, span=(0, 52), **more) -> str:
        return save_feedback(engine, note, chunk, span, verdict, QUESTION, [(0, 52)], **more)

    return saying


def rows(engine) -> list:
    with engine.connect() as connection:
        return connection.execute(text("SELECT * FROM feedback ORDER BY seq")).mappings().all()


def test_it_keeps_the_place_and_the_hash_of_a_sentence_and_none_of_its_words(said, engine):
    said(RIGHT, note="good")
    row = rows(engine)[0]
    assert (row["start"], row["end"], row["verdict"], row["question"], row["note"]) == (0, 52, RIGHT, QUESTION, "good")
    assert len(row["sentence"]) == 64
    assert "ferry leaves" not in " ".join(map(str, row.values()))


def test_the_last_word_on_a_sentence_stands(said, engine):
    said(RIGHT)
    said(WRONG)
    assert [one.verdict for one in list_current_feedback(engine)] == [WRONG]


def test_taking_back_adds_a_row_and_twice_is_once(said, engine):
    id = said(WRONG)
    assert undo_feedback(engine, id, ALL)
    assert undo_feedback(engine, id, ALL)
    assert [row["verdict"] for row in rows(engine)] == ["wrong", "undone"]
    assert list_current_feedback(engine) == []


def test_what_was_said_before_stands_again_when_the_last_word_is_taken_back(said, engine):
    said(RIGHT)
    undo_feedback(engine, said(WRONG), ALL)
    assert [one.verdict for one in list_current_feedback(engine)] == [RIGHT]


def test_nobody_takes_back_what_they_may_not_see(said, engine):
    id = said(WRONG)
    assert not undo_feedback(engine, id, VisibleCollections(frozenset({"another"})))
    assert not undo_feedback(engine, "0" * 32, ALL)
    assert len(list_current_feedback(engine)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM feedback",
        "UPDATE feedback SET verdict = 'right'",
        "UPDATE feedback SET note = 'other'",
        'UPDATE feedback SET "start" = 3, question = NULL, note = NULL',
        "INSERT OR REPLACE INTO feedback SELECT * FROM feedback",
    ],
)
def test_the_database_itself_refuses_to_change_it(said, engine, statement):
    said(WRONG, note="a note")
    with pytest.raises(sqlalchemy.exc.IntegrityError, match="append-only"), engine.begin() as connection:
        connection.execute(text(statement))


def test_words_go_when_the_document_goes_and_that_something_was_said_stays(said, engine, services, note):
    said(WRONG, note="It quotes the text.")
    services.catalog.delete(note.id)
    row = rows(engine)[0]
    assert (row["question"], row["note"], row["verdict"]) == (None, None, WRONG)
    assert list_current_feedback(engine) == []
