"""Whether keys are asked for. Without one, nothing is answered but on this machine alone, and that is said at start."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

from highlighter.settings import KEYS_ALWAYS, KEYS_AUTO, KEYS_NEVER, Settings
from highlighter.store.keys import ApiKeyStore

CREATE_KEY_COMMAND = "python -m highlighter keys make NAME --scope admin"


def is_open(settings: Settings, keys: ApiKeyStore) -> bool:
    """Asked with every request: a key that is made shuts an open service at once."""
    if settings.require_keys == KEYS_ALWAYS or not is_loopback(settings.host):
        return False
    return settings.require_keys == KEYS_NEVER or not keys.has_keys()


def describe_access_mode(settings: Settings, keys: ApiKeyStore) -> str:
    """The same for whoever runs the service, with what to do about it."""
    if not is_loopback(settings.host):
        return _describe_required_keys(keys, f"{settings.host} can be reached from other machines")
    if settings.require_keys == KEYS_ALWAYS:
        return _describe_required_keys(keys, "REQUIRE_KEYS=1")
    if settings.require_keys == KEYS_AUTO and keys.has_keys():
        return _describe_required_keys(keys, "keys exist; REQUIRE_KEYS=0 requires none on this machine")
    why = "REQUIRE_KEYS=0" if settings.require_keys == KEYS_NEVER else "there are none yet"
    says = f"Open: no key is required ({why}); every user of this machine can read, add and delete everything."
    if settings.trusted_hosts:
        says += (
            f" So can everyone who connects through {', '.join(settings.trusted_hosts)}, if the proxy there lets them."
        )
    return says


@lru_cache(1_000)
def is_loopback(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _describe_required_keys(keys: ApiKeyStore, why: str) -> str:
    good = sum(key.state == "good" for key in keys.list_keys())
    if not good:
        return (
            f"Keys are required ({why}), and there is none, so all requests are refused. Make one: {CREATE_KEY_COMMAND}"
        )
    return f"Keys are required ({why}): {good} {'is' if good == 1 else 'are'} valid."
