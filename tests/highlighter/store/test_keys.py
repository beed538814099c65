"""Tests of API keys: their scopes, storage, expiry and revocation."""

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
from highlighter.store.database import write_transaction
from highlighter.store.deletion import remove_overdue_documents
from highlighter.store.keys import ApiKeyStore
from tests.conftest import SQLITE


@pytest.fixture
def keys(services):
    return services.api_keys


def test_key_has_its_scopes_and_collections(keys):
    key, key_text = keys.create_key("Harbour", ["read", "ingest"], ["harbour"])
    principal = keys.find_principal(key_text)
    assert (principal.name, principal.key, principal.collections) == ("Harbour", key.id, {"harbour"})
    assert principal.has_scope("read")
    assert principal.has_scope("ingest")
    assert not principal.has_scope("answer")
    assert keys.find_principal(keys.create_key("All", ["admin"])[1]).has_scope("answer")


@pytest.mark.parametrize("database_kind", [SQLITE])
def test_secret_of_key_is_not_stored(keys, services):
    _, key_text = keys.create_key("Harbour", ["read"])
    secret = key_text.split("_", 2)[2]
    services.catalog.close()
    stored_bytes = b"".join(path.read_bytes() for path in services.settings.data_dir.glob("catalog.sqlite*"))
    assert b"Harbour" in stored_bytes
    assert secret.encode() not in stored_bytes


def test_every_character_of_key_counts(keys):
    _, key_text = keys.create_key("Harbour", ["read"])
    for position, character in enumerate(key_text):
        for other in ("a", "B", "-", "", "é"):
            if other != character:
                assert keys.find_principal(key_text[:position] + other + key_text[position + 1 :]) is None
    for other in (
        "",
        "hk_",
        key_text + "a",
        key_text + "\n",
        f" {key_text}",
        key_text.upper(),
        key_text.partition("_")[2],
    ):
        assert keys.find_principal(other) is None


def test_revoked_or_expired_key_is_refused(keys):
    key, key_text = keys.create_key("Harbour", ["read"])
    _, expired = keys.create_key("Last year", ["read"], expires="2020-01-01T00:00:00+00:00")
    _, valid = keys.create_key("For long", ["read"], expires="2990-01-01T00:00:00+00:00")
    assert keys.find_principal(key_text)
    assert keys.find_principal(expired) is None
    assert keys.find_principal(valid)
    assert keys.revoke_key(key.id)
    assert keys.find_principal(key_text) is None
    assert not keys.revoke_key(key.id)
    assert not keys.revoke_key("000000000000")
    assert sorted(listed.state for listed in keys.list_keys()) == ["expired", "good", "revoked"]


def test_keys_of_another_process_are_known_at_once(keys, services):
    elsewhere = ApiKeyStore(services.catalog.engine, lambda: id(object()))
    key, key_text = elsewhere.create_key("Elsewhere", ["read"])
    assert keys.find_principal(key_text)
    elsewhere.revoke_key(key.id)
    assert keys.find_principal(key_text) is None
    assert keys.has_keys()  # revoking the last key does not open the service


@pytest.mark.parametrize("scopes_and_collections", [([], None), (["fly"], None), (["read"], [])])
def test_key_without_scope_or_collection_is_not_created(keys, scopes_and_collections):
    with pytest.raises(ValueError, match="needs scopes"):
        keys.create_key("Nothing", *scopes_and_collections)


def test_audit_chain_records_key(keys, services, note):
    key, key_text = keys.create_key("Harbour", ["admin"])
    with acting_as(keys.find_principal(key_text)):
        deletion.schedule_deletion(services.catalog.engine, note.id, 1)
    services.catalog._update_document(note.id, deletion_time="2020-01-01T00:00:00+00:00")
    assert remove_overdue_documents(services.catalog, services.files) == 1  # later, by no particular principal
    assert keys.revoke_key(key.id)
    events = [(entry.what, entry.by_key) for entry in services.catalog.audit_entries() if entry.by_key]
    assert events == [(audit_log.KEY_CREATED, key.id), (audit_log.DELETED, key.id), (audit_log.KEY_REVOKED, key.id)]
    with write_transaction(services.catalog.engine) as connection:
        assert verify_audit(connection).discrepancies == ()
        is_sqlite = connection.dialect.name == SQLITE
        connection.execute(text(f"DROP TRIGGER {'audit_no_update' if is_sqlite else 'audit_no_change ON audit'}"))
        connection.execute(text("UPDATE audit SET by_key = '' WHERE what = 'deleted'"))
        assert next(discrepancy.description for discrepancy in verify_audit(connection).discrepancies).startswith(
            "it is not what its hash was made of"
        )


def test_bound_generator_and_function_run_as_original_principal(keys):
    principal = keys.find_principal(keys.create_key("Harbour", ["read"], ["harbour"])[1])

    def steps():
        for _ in range(3):
            yield get_visible_collections().names

    with acting_as(principal):
        bound_steps, work = bind_context(steps()), bind_principal(get_current_principal)
        assert next(bound_steps) == {"harbour"}
    with acting_as(ANONYMOUS):
        assert list(bound_steps) == [{"harbour"}] * 2
        assert work() == principal
        assert get_current_principal() == ANONYMOUS
    assert get_current_principal() == LOCAL_OPERATOR
