"""Whether keys are asked for. Without one, nothing is answered but on this machine alone, and that is said at start."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from highlighter.settings import AUTO, NO, YES, Settings
from highlighter.store.keys import Keys

MAKE_ONE = "python -m highlighter keys make NAME --scope admin"


@dataclass(frozen=True, slots=True)
class Mode:
    open: bool
    says: str  # to whoever runs the service


def mode(settings: Settings, keys: Keys) -> Mode:
    if not is_loopback(settings.host):
        return Mode(False, _asked(keys, f"{settings.host} can be reached from elsewhere"))
    if settings.require_keys == YES:
        return Mode(False, _asked(keys, "REQUIRE_KEYS=1"))
    if settings.require_keys == AUTO and keys.any():
        return Mode(False, _asked(keys, "there are keys; REQUIRE_KEYS=0 asks for none on this machine"))
    why = "REQUIRE_KEYS=0" if settings.require_keys == NO else "there are none yet"
    says = f"Open: no key is asked for ({why}); whoever uses this machine reads, adds and deletes everything."
    if settings.trusted_hosts:
        says += f" So does whoever comes by {', '.join(settings.trusted_hosts)}, if what stands there lets them."
    return Mode(True, says)


def is_loopback(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _asked(keys: Keys, why: str) -> str:
    good = sum(key.state == "good" for key in keys.all())
    if not good:
        return f"Keys are asked for ({why}), and there is none, so nothing is answered. Make one: {MAKE_ONE}"
    return f"Keys are asked for ({why}): {good} {'is' if good == 1 else 'are'} good."
