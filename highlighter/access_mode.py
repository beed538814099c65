"""The access mode: whether requests need an API key.

Without keys the service answers only requests from this machine, and says so at start.
"""

from __future__ import annotations

from highlighter.origins import is_loopback
from highlighter.settings import KEYS_ALWAYS, KEYS_AUTO, KEYS_NEVER, Settings
from highlighter.store.keys import ApiKeyStore

CREATE_KEY_COMMAND = "python -m highlighter keys make NAME --scope admin"


def is_open(settings: Settings, keys: ApiKeyStore) -> bool:
    """Return whether requests need no key. Evaluated for each request, so the first key created closes an open service."""
    if settings.require_keys == KEYS_ALWAYS or settings.has_sign_in or not is_loopback(settings.host):
        return False
    return settings.require_keys == KEYS_NEVER or not keys.has_keys()


def describe_access_mode(settings: Settings, keys: ApiKeyStore) -> str:
    """Describe the access mode to the operator, and how to change it."""
    if settings.has_sign_in:
        return _describe_sign_in(settings, keys)
    if not is_loopback(settings.host):
        return _describe_required_keys(keys, f"{settings.host} can be reached from other machines")
    if settings.require_keys == KEYS_ALWAYS:
        return _describe_required_keys(keys, "REQUIRE_KEYS=1")
    if settings.require_keys == KEYS_AUTO and keys.has_keys():
        return _describe_required_keys(keys, "keys exist; REQUIRE_KEYS=0 requires none on this machine")
    reason = "REQUIRE_KEYS=0" if settings.require_keys == KEYS_NEVER else "there are none yet"
    description = (
        f"Open: no key is required ({reason}); every user of this machine can read, add and delete everything."
    )
    if settings.trusted_proxies and settings.require_keys != KEYS_NEVER:
        return f"{description} What a proxy of TRUSTED_PROXIES forwards needs a key, unless REQUIRE_KEYS=0."
    proxies = ["a proxy of TRUSTED_PROXIES"] if settings.trusted_proxies else []
    hosts = [*settings.trusted_hosts, *filter(None, [settings.public_url]), *proxies]
    if hosts:
        description += f" So can everyone who connects through {', '.join(hosts)}, if the proxy there lets them."
    return description


def _describe_sign_in(settings: Settings, keys: ApiKeyStore) -> str:
    sentences = []
    if settings.oidc_issuer:
        sentences.append(f"People sign in at {settings.oidc_issuer}.")
    if settings.auth_user_header and settings.trusted_proxies:
        proxies = ", ".join(map(str, settings.trusted_proxies))
        sentences.append(f"{settings.auth_user_header} says who has signed in, where {proxies} sent it.")
    elif settings.auth_user_header:
        sentences.append(
            f"{settings.auth_user_header} is ignored, as it may come from anybody: name the proxies that send it in TRUSTED_PROXIES."
        )
    if settings.auth_groups_header and not settings.auth_user_header:
        sentences.append("AUTH_GROUPS_HEADER is ignored, as AUTH_USER_HEADER is not set.")
    if settings.access_rules:
        sentences.append(f"{settings.access_rules} says what they may do.")
    count = sum(key.state == "good" for key in keys.list_keys())
    sentences.append(f"Programs use keys: {count} {'is' if count == 1 else 'are'} valid.")
    return " ".join(sentences)


def _describe_required_keys(keys: ApiKeyStore, why: str) -> str:
    valid_count = sum(key.state == "good" for key in keys.list_keys())
    if not valid_count:
        return (
            f"Keys are required ({why}), and there is none, so all requests are refused. Make one: {CREATE_KEY_COMMAND}"
        )
    return f"Keys are required ({why}): {valid_count} {'is' if valid_count == 1 else 'are'} valid."
