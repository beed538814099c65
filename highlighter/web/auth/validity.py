"""Whether the key or the session of a request that goes on for a while is still valid."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from highlighter.access import get_current_principal
from highlighter.web.application import current_services


def make_validity_check() -> Callable[[], bool]:
    """Return a function that tells whether what authorized the current request still would."""
    services, principal = current_services(), get_current_principal()
    if principal.person and principal.session:
        return partial(services.people.is_session_valid, principal.session)
    return partial(services.api_keys.is_valid, principal.key)
