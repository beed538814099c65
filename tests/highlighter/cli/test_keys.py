from __future__ import annotations

import json

import pytest


def test_a_key_is_shown_once_and_listed_without_its_secret(run, services):
    status, out, err = run(
        "keys", "make", "Harbour office", "--scope", "read", "--scope", "answer", "--collection", "h"
    )
    shown = out.strip()
    assert status == 0
    assert "shown only once" in err
    caller = services.api_keys.find_principal(shown)
    assert (caller.scopes, caller.collections) == ({"read", "answer"}, {"h"})
    _, listed, _ = run("keys", "list")
    assert f"{caller.key}  good     Harbour office: read answer in h" in listed
    assert shown.split("_", 2)[2] not in listed


def test_revoking_takes_the_id_or_a_whole_key(run, services):
    first, second = (run("keys", "make", name)[1].strip() for name in ("One", "Two"))
    status, out, _ = run("keys", "revoke", services.api_keys.find_principal(first).key, second)
    assert (status, out.count("revoked")) == (0, 2)
    assert second.split("_", 2)[2] not in out
    assert services.api_keys.find_principal(first) is services.api_keys.find_principal(second) is None
    assert run("keys", "revoke", "nothing")[0] == 2


def test_json_and_expiry(run, services):
    made = json.loads(run("keys", "make", "Month", "--expires", "30d", "--json")[1])
    assert services.api_keys.find_principal(made["key"])
    assert made["scopes"] == ["read"]
    assert made["collections"] is None
    (listed,) = (json.loads(line) for line in run("keys", "list", "--json")[1].splitlines())
    assert listed == {name: value for name, value in made.items() if name != "key"}
    assert run("keys", "make", "Long", "--expires", "2990-12-31")[0] == 0


@pytest.mark.parametrize("how", [["--expires", "soon"], ["--expires", "2001-01-01"], ["--scope", "fly"],
                                 ["--collection", "../x"]])  # fmt: skip
def test_wrong_usage_is_refused(run, how, capsys):
    with pytest.raises(SystemExit) as ended:
        run("keys", "make", "Name", *how)
    assert ended.value.code == 2


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 101])
def test_a_name_is_one_line(run, name):
    assert run("keys", "make", name)[0] == 2
