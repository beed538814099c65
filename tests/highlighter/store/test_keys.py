"""Keys: what is kept of them opens nothing, what was shown opens what it was made for, until it is revoked or over."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from highlighter.access import (
    ANONYMOUS,
    LOCAL_OPERATOR,
    acting_as,
    bind_context,
    bind_principal,
    get_current_principal,
    get_visible_collections,
)
from highlighter.store import audit_log, deletion
from highlighter.store.audit_verification import verify_audit
from highlighter.store.deletion import remove_overdue_documents
from highlighter.store.keys import ApiKeyStore


@pytest.fixture
def keys(services):
    return services.api_keys


def test_a_key_opens_what_it_was_made_for(keys):
    key, shown = keys.create_key("Harbour", ["read", "ingest"], ["harbour"])
    caller = keys.find_principal(shown)
    assert (caller.name, caller.key, caller.collections) == ("Harbour", key.id, {"harbour"})
    assert caller.has_scope("read")
    assert caller.has_scope("ingest")
    assert not caller.has_scope("answer")
    assert keys.find_principal(keys.create_key("All", ["admin"])[1]).has_scope("answer")


def test_its_secret_is_nowhere_in_what_is_kept(keys, services):
    _, shown = keys.create_key("Harbour", ["read"])
    secret = shown.split("_", 2)[2]
    services.catalog.close()
    kept = b"".join(path.read_bytes() for path in services.settings.data_dir.glob("catalog.sqlite*"))
    assert b"Harbour" in kept
    assert secret.encode() not in kept


def test_every_character_counts(keys):
    _, shown = keys.create_key("Harbour", ["read"])
    for at, character in enumerate(shown):
        for other in ("a", "B", "-", "", "é"):
            if other != character:
                assert keys.find_principal(shown[:at] + other + shown[at + 1 :]) is None
    for other in ("", "hk_", shown + "a", shown + "\n", f" {shown}", shown.upper(), shown.partition("_")[2]):
        assert keys.find_principal(other) is None


def test_one_that_is_revoked_or_over_opens_nothing(keys):
    key, shown = keys.create_key("Harbour", ["read"])
    _, over = keys.create_key("Last year", ["read"], expires="2020-01-01T00:00:00+00:00")
    _, later = keys.create_key("For long", ["read"], expires="2990-01-01T00:00:00+00:00")
    assert keys.find_principal(shown)
    assert keys.find_principal(over) is None
    assert keys.find_principal(later)
    assert keys.revoke_key(key.id)
    assert keys.find_principal(shown) is None
    assert not keys.revoke_key(key.id)
    assert not keys.revoke_key("000000000000")
    assert sorted(one.state for one in keys.list_keys()) == ["expired", "good", "revoked"]


def test_what_another_process_made_or_revoked_is_known_at_once(keys, services):
    elsewhere = ApiKeyStore(services.catalog.engine, lambda: id(object()))
    key, shown = elsewhere.create_key("Elsewhere", ["read"])
    assert keys.find_principal(shown)
    elsewhere.revoke_key(key.id)
    assert keys.find_principal(shown) is None
    assert keys.has_keys()  # the last one revoked opens no door


@pytest.mark.parametrize("how", [([], None), (["fly"], None), (["read"], [])])
def test_a_key_for_nothing_is_not_made(keys, how):
    with pytest.raises(ValueError, match="needs scopes"):
        keys.create_key("Nothing", *how)


def test_the_audit_tells_by_which_key_in_the_chain(keys, services, note):
    key, shown = keys.create_key("Harbour", ["admin"])
    with acting_as(keys.find_principal(shown)):
        deletion.schedule_deletion(services.catalog.engine, note.id, 1)
    services.catalog._update_document(note.id, leaving="2020-01-01T00:00:00+00:00")
    assert remove_overdue_documents(services.catalog, services.files) == 1  # later, and by nobody in particular
    assert keys.revoke_key(key.id)
    told = [(one.what, one.by_key) for one in services.catalog.audit_entries() if one.by_key]
    assert told == [(audit_log.KEY_CREATED, key.id), (audit_log.DELETED, key.id), (audit_log.KEY_REVOKED, key.id)]
    with services.catalog.engine.begin() as connection:
        assert verify_audit(connection).discrepancies == ()
        connection.execute(text("DROP TRIGGER audit_no_update"))
        connection.execute(text("UPDATE audit SET by_key = '' WHERE what = 'deleted'"))
        assert next(one.description for one in verify_audit(connection).discrepancies).startswith(
            "it is not what its hash was made of"
        )


def test_steps_and_work_are_done_for_who_asked_for_them(keys):
    caller = keys.find_principal(keys.create_key("Harbour", ["read"], ["harbour"])[1])

    def steps():
        for _ in range(3):
            yield get_visible_collections().names

    with acting_as(caller):
        told, work = bind_context(steps()), bind_principal(get_current_principal)
        assert next(told) == {"harbour"}
    with acting_as(ANONYMOUS):
        assert list(told) == [{"harbour"}] * 2
        assert work() == caller
        assert get_current_principal() == ANONYMOUS
    assert get_current_principal() == LOCAL_OPERATOR
