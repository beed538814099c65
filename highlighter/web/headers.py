"""Security headers, and the Content-Security-Policy of pages and files."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from werkzeug.datastructures import Headers

_COMMON_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def new_nonce() -> str:
    return secrets.token_urlsafe(16)


def build_security_headers(
    nonce: str | None, allows_frames: bool = False, ancestors: Sequence[str] = ()
) -> dict[str, str]:
    """Return the security headers of a response.

    `nonce` is the one that the page's scripts carry, or None for a response that is no page. `allows_frames` lets the
    page frame pages of this host; `ancestors` are the other origins whose pages may frame this response.
    """
    policy = _build_page_policy(nonce) + ("; frame-src 'self'" if allows_frames else "") if nonce else _FILE_POLICY
    frame_ancestors = " ".join(("'self'", *ancestors))
    return {**_COMMON_HEADERS, "Content-Security-Policy": f"{policy}; frame-ancestors {frame_ancestors}"}


def add_missing_headers(headers: Headers, values: Mapping[str, str]) -> None:
    """Add the headers that a response does not have. (`Headers.setdefault` goes through all of them twice for each.)"""
    present = {name.lower() for name, _ in headers}
    for name, value in values.items():
        if name.lower() not in present:
            headers.add(name, value)


def _build_page_policy(nonce: str) -> str:
    return (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'"
    )


# For uploaded files: nothing in them may run or load anything. Browsers show PDFs in an object of their own.
_FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"
