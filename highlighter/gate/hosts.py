"""Which host names the service answers to, so that no web page reaches it by a name of its own (DNS rebinding)."""

from __future__ import annotations

from flask import current_app, request
from werkzeug.exceptions import SecurityError

from highlighter.gate.mode import is_loopback
from highlighter.hosts import host_name, without_port
from highlighter.settings import Settings


def refuse_untrusted_host() -> None:
    """Raise SecurityError for a Host header that names no host of ours. (Flask's TRUSTED_HOSTS cannot hold IPv6 addresses.)"""
    request.host = request.host.lower()  # names of hosts differ in no case; browsers write them so
    if not _is_trusted(request.host, current_app.services.settings):
        raise SecurityError(f"Host {request.host!r} is not trusted.")


def _is_trusted(host: str, settings: Settings) -> bool:
    name = without_port(host)
    if settings.trusted_hosts:
        return any(_covers(trusted, name) for trusted in settings.trusted_hosts)
    return is_loopback(name) or not is_loopback(settings.host)


def _covers(trusted: str, name: str) -> bool:
    """A trusted name that begins with a dot stands for itself and for every name below it."""
    known = host_name(trusted.removeprefix("."))
    return name == known or (trusted.startswith(".") and name.endswith(f".{known}"))
