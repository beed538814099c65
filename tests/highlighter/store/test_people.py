"""Tests of the people who have signed in and their sessions, on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from highlighter.sign_in.people import Person, compute_person_id
from highlighter.store.database import open_database
from highlighter.store.people import AttemptUsed, PeopleStore
from highlighter.store.schema import sign_ins

ANN = Person(compute_person_id("https://id.example", "ann"), "Ann", frozenset({"readers", "staff"}))


@pytest.fixture
def stores(catalog_address):
    """Two stores on one database, as of two processes."""
    engines = [open_database(catalog_address) for _ in range(2)]
    yield [PeopleStore(engine) for engine in engines]
    for engine in engines:
        engine.dispose()


def test_session_is_known_to_every_process_until_one_ends_it(stores):
    first, second = stores
    secret = first.begin_session(ANN, "state", "token", hours=1)
    found = second.find_session(secret)
    assert (found.id, found.name, found.groups) == (ANN.id, "Ann", ANN.groups)
    assert first.is_session_valid(found.session)
    assert second.end_session(found.session) == "token"
    assert first.find_session(secret) is None
    assert not first.is_session_valid(found.session)
    assert first.end_session(found.session) == ""


def test_neither_the_cookie_nor_the_attempt_is_stored(stores):
    secret = stores[0].begin_session(ANN, "state-of-the-attempt", "token", hours=1)
    with stores[0].engine.connect() as connection:
        (row,) = connection.execute(select(sign_ins)).all()
    assert secret not in repr(row)
    assert "state-of-the-attempt" not in repr(row)


def test_attempt_begins_one_session_even_after_it_has_ended(stores):
    secret = stores[0].begin_session(ANN, "state", "token", hours=1)
    stores[0].end_session(stores[0].find_session(secret).session)
    with pytest.raises(AttemptUsed):
        stores[1].begin_session(ANN, "state", "token", hours=1)


def test_expired_sessions_open_nothing_and_are_deleted_at_the_next_sign_in(stores):
    expired = stores[0].begin_session(ANN, "first", "token", hours=0)
    assert stores[0].find_session(expired) is None
    stores[0].begin_session(ANN, "second", "token", hours=1)
    with stores[0].engine.connect() as connection:
        assert len(connection.execute(select(sign_ins)).all()) == 1


def test_all_sessions_of_one_person_end_together(stores):
    other = Person(compute_person_id("https://other.example", "ann"), "Ann", frozenset())
    secrets = [stores[0].begin_session(ANN, f"state {number}", "", hours=1) for number in range(2)]
    others = stores[0].begin_session(other, "state", "", hours=1)
    assert [person.sessions for person in stores[1].list_people()] in ([1, 2], [2, 1])
    assert stores[1].end_sessions_of(ANN.id) == 2
    assert [stores[0].find_session(secret) for secret in secrets] == [None, None]
    assert stores[0].find_session(others).id == other.id


def test_name_is_that_of_the_last_sign_in(stores):
    stores[0].remember(ANN)
    stores[1].begin_session(Person(ANN.id, "Ann Lee", frozenset()), "state", "", hours=1)
    (known,) = stores[0].list_people()
    assert (known.name, known.audit_id) == ("Ann Lee", f"p-{ANN.id[:14]}")
