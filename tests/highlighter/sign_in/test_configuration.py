"""Tests of the settings of sign-in: what is wrong is told at start, with what to do."""

from __future__ import annotations

import sys

import pytest

from highlighter.settings import Settings, SettingsError
from highlighter.sign_in.access_rules import EXAMPLE
from highlighter.sign_in.configuration import load_sign_in
from highlighter.sign_in.openid_provider import clean_name, find_claim, list_groups

PROVIDER = {"OIDC_ISSUER": "https://id.example/realms/harbour/", "OIDC_CLIENT_ID": "highlighter"}


@pytest.fixture
def rules(tmp_path):
    (tmp_path / "rules.toml").write_text(EXAMPLE, encoding="utf-8")
    return {"ACCESS_RULES": str(tmp_path / "rules.toml")}


def load(**environment):
    return load_sign_in(Settings.from_environment(environment))


def test_without_its_settings_nobody_signs_in():
    assert load() is None


def test_provider_is_named_by_its_host_unless_it_has_a_name(rules):
    assert load(**PROVIDER, **rules).provider.name == "id.example"
    assert load(**PROVIDER, **rules, OIDC_NAME="Harbour account").provider.name == "Harbour account"
    assert load(AUTH_USER_HEADER="X-Forwarded-User", **rules).provider is None


@pytest.mark.parametrize(
    ("environment", "problem"),
    [
        (PROVIDER, r"Set ACCESS_RULES(?s:.*)groups\.lawyers"),
        ({"OIDC_ISSUER": "https://id.example", "ACCESS_RULES": "rules"}, "needs OIDC_CLIENT_ID"),
        ({**PROVIDER, "REQUIRE_KEYS": "0", "ACCESS_RULES": "rules"}, "REQUIRE_KEYS=0 lets everybody in"),
        ({"ACCESS_RULES": "rules"}, "ACCESS_RULES is set, but nobody can sign in"),
        ({"OIDC_CLIENT_ID": "x"}, "OIDC_CLIENT_ID is set, but nobody can sign in"),
        ({**PROVIDER, "ACCESS_RULES": "rules", "OIDC_CLIENT_SECRET_FILE": "/nowhere"}, "OIDC_CLIENT_SECRET_FILE"),
        ({"OIDC_ISSUER": "http://id.example"}, "must begin with https"),
        ({"OIDC_ISSUER": "id.example"}, "OIDC_ISSUER='id.example' cannot be used"),
        ({"OIDC_SCOPES": "profile"}, "openid must be among them"),
        ({"AUTH_USER_HEADER": "X User"}, "name of a header"),
        ({"AUTH_USER_HEADER": "X_User"}, "name of a header"),
        ({"AUTH_SIGN_OUT_URL": "//evil.example/"}, "must be a path"),
        ({"SESSION_HOURS": "0"}, "SESSION_HOURS='0' cannot be used"),
    ],
)
def test_setting_that_lets_in_nobody_or_everybody_is_refused(rules, environment, problem):
    if "ACCESS_RULES" in environment:
        environment = {**environment, **rules}
    with pytest.raises(SettingsError, match=problem):
        load(**environment)


def test_missing_package_is_named(rules, monkeypatch):
    monkeypatch.setitem(sys.modules, "authlib", None)  # as where it is not installed
    with pytest.raises(SettingsError, match=r"pip install 'highlighter\[oidc\]'"):
        load(**PROVIDER, **rules)


def test_secret_is_read_from_its_file_and_not_shown(rules, tmp_path):
    (tmp_path / "secret").write_text("s3cret-words\n", encoding="utf-8")
    settings = Settings.from_environment({**PROVIDER, **rules, "OIDC_CLIENT_SECRET_FILE": str(tmp_path / "secret")})
    assert settings.read_oidc_client_secret().reveal() == "s3cret-words"
    assert "s3cret" not in repr(settings) + repr(load_sign_in(settings))


@pytest.mark.parametrize(
    ("claims", "claim", "groups"),
    [
        ({"groups": ["a", "b", "", 3, None, "a\x00", "\ud800"]}, "groups", {"a", "b"}),
        ({"groups": "a"}, "groups", {"a"}),
        ({}, "groups", set()),
        ({"groups": {"a": 1}}, "groups", set()),
        ({"realm_access": {"roles": ["editor"]}}, "realm_access.roles", {"editor"}),
        ({"https://example.org/groups": ["a"]}, "https://example.org/groups", {"a"}),
        ({"hd": "example.org"}, "hd", {"example.org"}),
        ({"email": "ann@example.org", "email_verified": True}, "email", {"ann@example.org"}),
        ({"email": "ann@example.org"}, "email", set()),  # anybody may claim an address
        ({"email": "ann@example.org", "email_verified": "false"}, "email", set()),
    ],
)
def test_groups_are_read_from_the_named_claim(claims, claim, groups):
    assert list_groups(claims, claim) == groups


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        (" Ann\n Lee ", "Ann Lee"),
        (
            "a\x00b\ud800\u202e\x1b[31mc",
            "ab[31mc",
        ),  # no NUL for PostgreSQL, no surrogate, nothing that turns the line round
        ("王小明", "王小明"),
        (None, ""),
        (["Ann"], ""),
        ("x" * 500, "x" * 200),
    ],
)
def test_name_is_one_line_that_can_be_shown(claim, name):
    assert clean_name(claim) == name


def test_claim_that_is_no_mapping_has_no_parts():
    assert find_claim({"a": "text"}, "a.b") is None
