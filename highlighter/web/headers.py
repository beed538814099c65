"""What every answer says to browsers: run nothing that is not ours, guess nothing, tell no one."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

_COMMON_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def new_nonce() -> str:
    return secrets.token_urlsafe(16)


def build_security_headers(nonce: str | None, framing: bool = False, ancestors: Sequence[str] = ()) -> dict[str, str]:
    """`nonce` is the one that the page's scripts carry; None for an answer that is no page. `framing`: it shows another
    page of ours inside it; `ancestors`: whose pages may show it inside them, besides ours."""
    policy = _build_page_policy(nonce) + ("; frame-src 'self'" if framing else "") if nonce else _FILE_POLICY
    framed_by = " ".join(("'self'", *ancestors))
    return {**_COMMON_HEADERS, "Content-Security-Policy": f"{policy}; frame-ancestors {framed_by}"}


def _build_page_policy(nonce: str) -> str:
    return (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'"
    )


# Somebody else's bytes: nothing in them may run or reach out. Browsers draw PDFs through a plug-in object of their own.
_FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"
