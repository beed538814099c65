"""Tests of python -m highlighter webhooks."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from highlighter.outgoing_addresses import AllowedHosts
from tests.highlighter.webhooks.receiver import receiving


@pytest.fixture
def data_settings(data_settings):
    return replace(data_settings, webhook_hosts=AllowedHosts(frozenset({"127.0.0.1"})))


@pytest.fixture
def receiver():
    with receiving() as receiver:
        yield receiver


def test_webhook_is_added_pinged_and_deleted(run, receiver):
    status, out, _ = run("webhooks", "add", receiver.url, "--event", "document.ready", "--json")
    added = json.loads(out)
    assert (status, added["events"], added["secret"][:6]) == (0, ["document.ready"], "whsec_")
    assert added["secret"] not in run("webhooks", "list", "--json")[1]
    assert run("webhooks", "ping", added["id"])[0] == 0
    receiver.statuses = [500]
    assert run("webhooks", "ping", added["id"])[0] == 1
    assert [
        json.loads(line)["status"] for line in run("webhooks", "deliveries", added["id"], "--json")[1].splitlines()
    ] == [500, 204]
    assert f"deleted {added['id']}" in run("webhooks", "delete", added["id"])[1]
    assert "No webhooks yet" in run("webhooks", "list")[1]
    assert run("webhooks", "ping", added["id"])[0] == 2


def test_address_that_may_not_be_told_is_refused(run):
    status, _, error = run("webhooks", "add", "https://10.0.0.7/")
    assert (status, "no public address" in error) == (1, True)
