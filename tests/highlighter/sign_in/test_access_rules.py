"""Tests of the file that says what groups of people may do."""

from __future__ import annotations

import re
import textwrap

import pytest

from highlighter.access import ADMIN, ANSWER, INGEST, READ
from highlighter.settings import SettingsError
from highlighter.sign_in.access_rules import EXAMPLE, read_access_rules
from highlighter.sign_in.people import Person, build_principal
from tests.browser.serving import ROOT

RULES = """
contact = " library@example.org "
[signed_in]
scopes = ["read"]
collections = ["handbook"]
[groups.legal]
scopes = ["read", "answer"]
collections = ["contracts", "opinions"]
[groups.uploaders]
scopes = ["ingest"]
collections = ["inbox"]
[groups."Domain Admins"]
scopes = ["admin"]
collections = "*"
"""


def write(tmp_path, text, name="rules.toml"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / name


@pytest.mark.parametrize(
    ("groups", "scope", "collections"),
    [
        ((), READ, {"handbook"}),
        ((), ANSWER, "nothing"),
        (("legal",), READ, {"handbook", "contracts", "opinions"}),
        (("legal",), ANSWER, {"contracts", "opinions"}),
        (("legal", "uploaders"), INGEST, {"inbox"}),  # and no upload to what the others may read
        (("legal", "uploaders"), ADMIN, "nothing"),
        (("Domain Admins", "legal"), READ, None),
        (("Domain Admins",), INGEST, None),
        (("domain admins", "Legal", "legal "), ANSWER, "nothing"),  # names are compared as they are written
    ],
)
def test_each_scope_reaches_the_collections_of_the_groups_that_have_it(tmp_path, groups, scope, collections):
    rules = read_access_rules(write(tmp_path, RULES))
    principal = build_principal(Person("1" * 32, "Ann", frozenset(groups)), rules.list_grants(groups), scope)
    if collections == "nothing":
        assert principal is None
    else:
        assert principal.collections == (None if collections is None else frozenset(collections))
        assert principal.scopes == {scope}


def test_documented_rules_can_be_read(tmp_path):
    page = (ROOT / "docs" / "how-to" / "sign-in.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.S)
    rules = read_access_rules(write(tmp_path, textwrap.dedent(example)))
    assert set(rules.groups) == {"lawyers", "Harbour office", "operators"}
    assert rules.signed_in.collections == {"handbook"}


def test_without_a_default_people_of_no_group_may_do_nothing(tmp_path):
    rules = read_access_rules(write(tmp_path, EXAMPLE))
    assert rules.contact == "library@example.org"
    assert rules.list_grants(["others"]) == []
    assert len(rules.list_grants(["lawyers"])) == 1


def test_rules_may_be_json(tmp_path):
    text = '{"groups": {"legal": {"scopes": ["read"], "collections": "*"}}}'
    assert read_access_rules(write(tmp_path, text, "rules.json")).groups["legal"].collections is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "names no groups"),
        ("[groups.a]\nscopes = ['reed']\ncollections = '*'", "groups.a.scopes must be a list of read, ingest"),
        ("[groups.a]\nscopes = []\ncollections = '*'", "groups.a.scopes must be a list"),
        ("[groups.a]\nscopes = ['read']\ncollections = 'x'", 'groups.a.collections must be "\\*" or a list'),
        ("[groups.a]\nscopes = ['read']\ncollections = ['../x']", "groups.a.collections must be"),
        ("[groups.a]\nscopes = ['read']\ncollections = []", "groups.a.collections must be"),
        ("[groups.a]\nscopes = ['read']", "groups.a.collections must be"),
        ("[group.a]\nscopes = ['read']\ncollections = '*'", "group is unknown"),
        ("groups = [", "cannot be used"),
    ],
)
def test_mistake_is_named(tmp_path, text, problem):
    with pytest.raises(SettingsError, match=problem):
        read_access_rules(write(tmp_path, text))


def test_missing_file_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"nowhere\.toml.*No such file"):
        read_access_rules(tmp_path / "nowhere.toml")
