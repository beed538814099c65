"""The sign-in of a service, as its settings configure it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from highlighter.settings import KEYS_NEVER, Settings, SettingsError
from highlighter.sign_in.access_rules import EXAMPLE, AccessRules, read_access_rules
from highlighter.sign_in.openid_provider import OpenIdProvider


@dataclass(frozen=True, slots=True)
class SignIn:
    """How people sign in, and what they may do then. Without a provider, a proxy signs them in."""

    rules: AccessRules
    provider: OpenIdProvider | None = None


def load_sign_in(settings: Settings) -> SignIn | None:
    """Return the sign-in that the settings configure; None where only keys are asked for.

    Raises SettingsError for settings that would let in nobody, or everybody.
    """
    if not settings.has_sign_in:
        _refuse_settings_without_effect(settings)
        return None
    if settings.require_keys == KEYS_NEVER:
        raise SettingsError(
            "REQUIRE_KEYS=0 lets everybody in who does not sign in. Leave it out, or leave out OIDC_ISSUER and "
            "AUTH_USER_HEADER."
        )
    if settings.access_rules is None:
        raise SettingsError(
            "People can sign in, but nothing says what they may do. Set ACCESS_RULES to a file such as:\n\n" + EXAMPLE
        )
    rules = read_access_rules(settings.access_rules)
    return SignIn(rules, _create_provider(settings) if settings.oidc_issuer else None)


def _create_provider(settings: Settings) -> OpenIdProvider:
    if not settings.oidc_client_id:
        raise SettingsError("OIDC_ISSUER needs OIDC_CLIENT_ID, the name by which the provider knows this service.")
    if find_spec("authlib") is None:
        raise SettingsError("OIDC_ISSUER needs the package authlib: pip install 'highlighter[oidc]'.")
    return OpenIdProvider(settings)


def _refuse_settings_without_effect(settings: Settings) -> None:
    """Raise SettingsError for rules or a client that nobody could use, as when OIDC_ISSUER was misspelt."""
    if settings.access_rules is not None or settings.oidc_client_id:
        variable = "OIDC_CLIENT_ID" if settings.oidc_client_id else "ACCESS_RULES"
        raise SettingsError(f"{variable} is set, but nobody can sign in: set OIDC_ISSUER or AUTH_USER_HEADER as well.")
