"""The signatures of Standard Webhooks, by which a receiver knows who sent a message, and that nobody changed it.

https://www.standardwebhooks.com: HMAC-SHA256 of the id, the time and the body, in base64, with a secret that both sides know.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
import time
from collections.abc import Mapping

from highlighter.errors import BadRequest
from highlighter.locale import N_

ID_HEADER, TIMESTAMP_HEADER, SIGNATURE_HEADER = "webhook-id", "webhook-timestamp", "webhook-signature"
SECRET_PREFIX, SIGNATURE_VERSION = "whsec_", "v1"
SECRET_BYTES = 32
TOLERANCE_SECONDS = 300  # by which the clocks of both sides may differ; an older message may be a repeated one


class WrongSignature(BadRequest):
    """The error for a message that the holder of the secret did not sign, or not lately."""


def create_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def compute_signature(secret: str, id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message, with its version."""
    signed = b".".join((id.encode(), str(timestamp).encode(), body))
    digest = hmac.new(_decode_secret(secret), signed, hashlib.sha256).digest()
    return f"{SIGNATURE_VERSION},{base64.b64encode(digest).decode()}"


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes) -> None:
    """Raise WrongSignature unless the holder of the secret sent this body within the last minutes."""
    given = {name.lower(): value for name, value in headers.items()}
    id, timestamp, signatures = (given.get(name, "") for name in (ID_HEADER, TIMESTAMP_HEADER, SIGNATURE_HEADER))
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise WrongSignature(N_("The message has no time, or was not sent within the last minutes."))
    expected = compute_signature(secret, id, int(timestamp), body)
    # While a secret is replaced, there may be signatures by both.
    if not any(hmac.compare_digest(expected.encode(), signature.encode()) for signature in signatures.split()):
        raise WrongSignature(N_("The message was not signed with this secret."))


def _decode_secret(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except binascii.Error as err:
        raise BadRequest(N_("The secret must be whsec_ and a text in base64.")) from err
