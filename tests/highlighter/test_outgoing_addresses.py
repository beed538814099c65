"""Tests of the addresses that messages may be sent to."""

from __future__ import annotations

import ipaddress

import pytest

from highlighter.errors import BadRequest
from highlighter.outgoing_addresses import AllowedHosts, check_url, is_allowed, parse_address
from highlighter.settings import Settings

OWN = AllowedHosts(frozenset({"n8n.internal"}), (ipaddress.ip_network("10.1.0.0/16"),))


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com/x?y=1", "https://8.8.8.8:8443/", "https://[2606:4700::1111]/", "http://n8n.internal:5678/x",
        "http://10.1.2.3/x", "https://10.1.2.3/x", "https://0xdeadbeef.example/", "https://face.example/",
    ],
)  # fmt: skip
def test_public_and_listed_hosts_may_be_told(url):
    check_url(url, OWN)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com/", "ftp://example.com/", "https:///x", "https://", "example.com", "javascript:alert(1)",
        "https://127.0.0.1/", "https://10.0.0.7/", "https://169.254.169.254/latest/meta-data", "https://0.0.0.0/", "https://[::1]/",
        "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::a9fe:a9fe]/", "https://[fd00::1]/", "https://100.64.0.1/",
        "https://localhost/", "https://LOCALHOST./", "https://a.localhost/", "https://0/", "https://2130706433/", "https://0x7f.1/",
        "https://[::127.0.0.1]/", "https://[::ffff:0:10.0.0.7]/", "https://[64:ff9b:1::a00:7]/", "https://[fec0::1]/", "https://[5f00::1]/",
        "https://192.88.99.1/", "https://192.0.0.192/", "https://192.0.0.9/", "https://168.63.129.16/", "https://192.31.196.1/",
        "https://192.52.193.1/", "https://192.175.48.1/", "https://[3fff::1]/", "https://[100:0:0:1::1]/", "https://[2001:20::1]/",
        "https://[2620:4f:8000::1]/", "https://[2a00:1::5efe:a00:7]/", "https://[2a00:1::200:5efe:7f00:1]/",
        "https://127.1/", "https://0177.0.0.1/", "https://224.0.0.1/", "https://u:p@example.com/", "https://example.com/#x", "https://example.com:99999/",
        "https://exa mple.com/", "https://example.com\\@10.0.0.7/", "https://münchen.example/", f"https://example.com/{'x' * 2000}",
    ],
)  # fmt: skip
def test_other_addresses_are_refused(url):
    with pytest.raises(BadRequest):
        check_url(url, OWN)


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.7", "::1", "fe80::1%eth0", "2002:7f00:1::", "192.168.1.1"])
def test_name_with_private_address_is_refused_unless_it_is_listed(address):
    assert not is_allowed("hooks.example.com", parse_address(address), OWN)
    assert is_allowed("n8n.internal", parse_address(address), OWN)


def test_setting_lists_names_addresses_and_networks():
    allowed = Settings.from_environment({"WEBHOOK_HOSTS": "n8n.internal, 10.1.0.0/16, ::1"}).webhook_hosts
    assert [allowed.has_name(host) for host in ("n8n.internal", "10.1.2.3", "::1", "10.2.0.1")] == [True] * 3 + [False]
