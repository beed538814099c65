from __future__ import annotations

import json

import pytest


def test_key_is_shown_once_and_listed_without_secret(run, services):
    status, out, err = run(
        "keys", "make", "Harbour office", "--scope", "read", "--scope", "answer", "--collection", "h"
    )
    secret = out.strip()
    assert status == 0
    assert "shown only once" in err
    principal = services.api_keys.find_principal(secret)
    assert (principal.scopes, principal.collections) == ({"read", "answer"}, {"h"})
    _, listed, _ = run("keys", "list")
    assert f"{principal.key}  good     Harbour office: read answer in h" in listed
    assert secret.split("_", 2)[2] not in listed


def test_revoke_accepts_id_or_whole_key(run, services):
    first, second = (run("keys", "make", name)[1].strip() for name in ("One", "Two"))
    status, out, _ = run("keys", "revoke", services.api_keys.find_principal(first).key, second)
    assert (status, out.count("revoked")) == (0, 2)
    assert second.split("_", 2)[2] not in out
    assert services.api_keys.find_principal(first) is services.api_keys.find_principal(second) is None
    assert run("keys", "revoke", "nothing")[0] == 2
    assert json.loads(run("keys", "revoke", second, "--json")[1]) == {
        "id": second.split("_")[1],
        "name": "Two",
        "revoked": False,
    }


def test_key_json_has_scopes_and_accepts_expiry(run, services):
    key = json.loads(run("keys", "make", "Month", "--expires", "30d", "--json")[1])
    assert services.api_keys.find_principal(key["key"])
    assert key["scopes"] == ["read"]
    assert key["collections"] is None
    (listed,) = (json.loads(line) for line in run("keys", "list", "--json")[1].splitlines())
    assert listed == {name: value for name, value in key.items() if name != "key"}
    assert run("keys", "make", "Long", "--expires", "2990-12-31")[0] == 0


@pytest.mark.parametrize("options", [["--expires", "soon"], ["--expires", "2001-01-01"], ["--scope", "fly"],
                                 ["--collection", "../x"]])  # fmt: skip
def test_invalid_option_exits_with_2(run, options, capsys):
    with pytest.raises(SystemExit) as exit_info:
        run("keys", "make", "Name", *options)
    assert exit_info.value.code == 2


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 101])
def test_invalid_key_name_exits_with_2(run, name):
    assert run("keys", "make", name)[0] == 2
