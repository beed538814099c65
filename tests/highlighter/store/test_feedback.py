"""Tests that feedback is append-only, is undone by another row, and loses its text with its document."""

from __future__ import annotations

import json

import pytest
import sqlalchemy
from sqlalchemy import select, text

from highlighter.access import Principal, VisibleCollections, acting_as
from highlighter.store.database import write_transaction
from highlighter.store.digests import serialise_feedback_facts
from highlighter.store.feedback import (
    RIGHT,
    WRONG,
    HighlightJudgement,
    list_current_feedback,
    save_feedback,
    undo_feedback,
)
from highlighter.store.schema import feedback

ALL = VisibleCollections()
QUESTION = "When does the ferry leave?"


@pytest.fixture
def engine(services):
    return services.catalog.engine


@pytest.fixture
def give_feedback(services, note, engine):
    chunk = services.catalog.chunk(note, 0)

    def give_feedback(verdict: str, span=(0, 52), **more) -> str:
        return save_feedback(engine, note, chunk, HighlightJudgement(span, verdict, QUESTION, [(0, 52)], **more))

    return give_feedback


def read_rows(engine) -> list:
    with engine.connect() as connection:
        return connection.execute(text("SELECT * FROM feedback ORDER BY seq")).mappings().all()


def test_feedback_is_hashed_by_the_names_of_the_database(give_feedback, engine):
    """Rows of earlier releases must still match their digests."""
    give_feedback(RIGHT)
    with engine.connect() as connection:
        facts = json.loads(serialise_feedback_facts(connection.execute(select(feedback)).mappings().one()))
    assert ["lit", "[[0, 52]]"] in facts


def test_feedback_stores_span_and_hash_but_no_text_of_sentence(give_feedback, engine):
    give_feedback(RIGHT, note="good")
    row = read_rows(engine)[0]
    assert (row["start"], row["end"], row["verdict"], row["question"], row["note"]) == (0, 52, RIGHT, QUESTION, "good")
    assert len(row["sentence"]) == 64
    assert "ferry leaves" not in " ".join(map(str, row.values()))


def test_latest_verdict_on_sentence_counts(give_feedback, engine):
    give_feedback(RIGHT)
    give_feedback(WRONG)
    assert [entry.verdict for entry in list_current_feedback(engine)] == [WRONG]


def test_undo_adds_one_row_even_if_repeated(give_feedback, engine):
    id = give_feedback(WRONG)
    assert undo_feedback(engine, id, ALL)
    assert undo_feedback(engine, id, ALL)
    assert [row["verdict"] for row in read_rows(engine)] == ["wrong", "undone"]
    assert list_current_feedback(engine) == []


def test_undo_restores_previous_verdict(give_feedback, engine):
    give_feedback(RIGHT)
    undo_feedback(engine, give_feedback(WRONG), ALL)
    assert [entry.verdict for entry in list_current_feedback(engine)] == [RIGHT]


def test_invisible_feedback_cannot_be_undone(give_feedback, engine):
    id = give_feedback(WRONG)
    assert not undo_feedback(engine, id, VisibleCollections(frozenset({"another"})))
    assert not undo_feedback(engine, "0" * 32, ALL)
    assert len(list_current_feedback(engine)) == 1


def test_feedback_of_a_person_is_undone_by_nobody_else(give_feedback, engine):
    def make_principal(scope="read", **identity):
        return Principal("", frozenset([scope]), frozenset(["default"]), **identity)

    ann = make_principal(person="a" * 32)
    with acting_as(ann):
        id = give_feedback(WRONG)
    for other in (make_principal(person="b" * 32), make_principal(key="k" * 16), make_principal(session="s")):
        with acting_as(other):
            assert not undo_feedback(engine, id, ALL)
    assert len(list_current_feedback(engine)) == 1
    with acting_as(ann):
        assert undo_feedback(engine, id, ALL)
        id = give_feedback(WRONG)
    with acting_as(make_principal("admin", key="k" * 16)):
        assert undo_feedback(engine, id, ALL)


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
def test_database_refuses_changes_of_feedback(give_feedback, engine, statement):
    give_feedback(WRONG, note="a note")
    if engine.dialect.name != "sqlite":
        statement = statement.replace("INSERT OR REPLACE", "INSERT")
        statement += " ON CONFLICT (seq) DO UPDATE SET note = 'other'" * statement.startswith("INSERT")
    with pytest.raises(sqlalchemy.exc.IntegrityError, match="append-only"), write_transaction(engine) as connection:
        connection.execute(text(statement))


def test_deleting_document_removes_text_of_feedback_but_keeps_row(give_feedback, engine, services, note):
    give_feedback(WRONG, note="It quotes the text.")
    services.catalog.delete(note.id)
    row = read_rows(engine)[0]
    assert (row["question"], row["note"], row["verdict"]) == (None, None, WRONG)
    assert list_current_feedback(engine) == []
