"""Keys: what is kept of them opens nothing, what was shown opens what it was made for, until it is revoked or over."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from highlighter.access import HOUSE, NOBODY, acting, carried, current_caller, for_caller, visible_collections
from highlighter.store import audit, departures
from highlighter.store.keys import Keys
from highlighter.store.proof import prove
from highlighter.store.removal import remove_overdue


@pytest.fixture
def keys(services):
    return services.keys


def test_a_key_opens_what_it_was_made_for(keys):
    key, shown = keys.make("Harbour", ["read", "ingest"], ["harbour"])
    caller = keys.caller(shown)
    assert (caller.name, caller.key, caller.collections) == ("Harbour", key.id, {"harbour"})
    assert caller.may("read")
    assert caller.may("ingest")
    assert not caller.may("answer")
    assert keys.caller(keys.make("All", ["admin"])[1]).may("answer")


def test_its_secret_is_nowhere_in_what_is_kept(keys, services):
    _, shown = keys.make("Harbour", ["read"])
    secret = shown.split("_", 2)[2]
    services.catalog.close()
    kept = b"".join(path.read_bytes() for path in services.settings.data_dir.glob("catalog.sqlite*"))
    assert b"Harbour" in kept
    assert secret.encode() not in kept


def test_every_character_counts(keys):
    _, shown = keys.make("Harbour", ["read"])
    for at, character in enumerate(shown):
        for other in ("a", "B", "-", "", "é"):
            if other != character:
                assert keys.caller(shown[:at] + other + shown[at + 1 :]) is None
    for other in ("", "hk_", shown + "a", shown + "\n", f" {shown}", shown.upper(), shown.partition("_")[2]):
        assert keys.caller(other) is None


def test_one_that_is_revoked_or_over_opens_nothing(keys):
    key, shown = keys.make("Harbour", ["read"])
    _, over = keys.make("Last year", ["read"], expires="2020-01-01T00:00:00+00:00")
    _, later = keys.make("For long", ["read"], expires="2990-01-01T00:00:00+00:00")
    assert keys.caller(shown)
    assert keys.caller(over) is None
    assert keys.caller(later)
    assert keys.revoke(key.id)
    assert keys.caller(shown) is None
    assert not keys.revoke(key.id)
    assert not keys.revoke("000000000000")
    assert sorted(one.state for one in keys.all()) == ["expired", "good", "revoked"]


def test_what_another_process_made_or_revoked_is_known_at_once(keys, services):
    elsewhere = Keys(services.catalog.engine, lambda: id(object()))
    key, shown = elsewhere.make("Elsewhere", ["read"])
    assert keys.caller(shown)
    elsewhere.revoke(key.id)
    assert keys.caller(shown) is None
    assert keys.any()  # the last one revoked opens no door


@pytest.mark.parametrize("how", [([], None), (["fly"], None), (["read"], [])])
def test_a_key_for_nothing_is_not_made(keys, how):
    with pytest.raises(ValueError, match="needs scopes"):
        keys.make("Nothing", *how)


def test_the_audit_tells_by_which_key_in_the_chain(keys, services, note):
    key, shown = keys.make("Harbour", ["admin"])
    with acting(keys.caller(shown)):
        departures.announce(services.catalog.engine, note.id, 1)
    services.catalog._update(note.id, leaving="2020-01-01T00:00:00+00:00")
    assert remove_overdue(services.catalog, services.files) == 1  # later, and by nobody in particular
    assert keys.revoke(key.id)
    told = [(one.what, one.by_key) for one in services.catalog.notes() if one.by_key]
    assert told == [(audit.KEY_MADE, key.id), (audit.DELETED, key.id), (audit.KEY_REVOKED, key.id)]
    with services.catalog.engine.begin() as connection:
        assert prove(connection).broken == ()
        connection.execute(text("DROP TRIGGER audit_no_update"))
        connection.execute(text("UPDATE audit SET by_key = '' WHERE what = 'deleted'"))
        assert next(one.why for one in prove(connection).broken).startswith("it is not what its hash was made of")


def test_steps_and_work_are_done_for_who_asked_for_them(keys):
    caller = keys.caller(keys.make("Harbour", ["read"], ["harbour"])[1])

    def steps():
        for _ in range(3):
            yield visible_collections().names

    with acting(caller):
        told, work = carried(steps()), for_caller(current_caller)
        assert next(told) == {"harbour"}
    with acting(NOBODY):
        assert list(told) == [{"harbour"}] * 2
        assert work() == caller
        assert current_caller() == NOBODY
    assert current_caller() == HOUSE
