"""From what an SDK raises to what we say about it. The two SDKs come from one generator: their errors have the same names."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from highlighter.generation.talking.failures import (
    Busy,
    CutShort,
    KeyRefused,
    Malformed,
    ModelFailed,
    RequestRefused,
    ServerFailed,
    TooSlow,
    Unreachable,
)
from highlighter.generation.talking.watch import Watch
from highlighter.locale import N_
from highlighter.secret import Secret

# Of what a provider says, this much is repeated.
REPEATED = 200
# What keys look like: providers repeat them, and not always with stars.
_KEY_LIKE = re.compile(r"\b(?:sk|gsk|key|AIza|Bearer )[-\w.*]{6,}")


def failure(err: Exception, sdk: ModuleType, watch: Watch, secret: Secret, begun: bool = False) -> ModelFailed:
    """`begun`: a reply had begun to come."""
    if isinstance(err, ModelFailed):
        return err
    if watch.over is not None:
        return watch.over
    if isinstance(err, sdk.APIStatusError):
        return _of_status(err, secret)
    if isinstance(err, sdk.APITimeoutError):
        return TooSlow("The connection timed out.")
    if (of_the_network := _of_the_network(err, sdk, begun)) is not None:
        return of_the_network
    if isinstance(err, sdk.APIResponseValidationError):
        return Malformed()
    if isinstance(err, sdk.APIError):  # told in the middle of a stream
        return _of_event(err, secret)
    if isinstance(err, (ValueError, TypeError, AttributeError, LookupError)):  # what is no JSON, or none of its shape
        return Malformed()
    return ModelFailed(f"The reply ended in an error ({type(err).__name__}).")


def _of_the_network(err: Exception, sdk: ModuleType, begun: bool) -> ModelFailed | None:
    import httpx2

    if isinstance(err, sdk.APIConnectionError) and err.__cause__ is not None:
        err = err.__cause__
    if isinstance(err, (httpx2.ConnectError, httpx2.ConnectTimeout)):
        return Unreachable()
    if isinstance(err, httpx2.DecodingError):
        return Malformed()
    if isinstance(err, (httpx2.TransportError, sdk.APIConnectionError)):
        return CutShort() if begun else CutShort("The connection broke off before the reply was there.")
    return None


def _of_status(err: Any, secret: Secret) -> ModelFailed:
    status, told = err.status_code, _told(err.body, secret)
    if status < 300:
        return _of_event(err, secret)
    if status in (401, 403):
        return KeyRefused(f"The provider does not take the key (HTTP {status}).")  # and may repeat it: not told
    if status == 429:
        return Busy(N_("The provider takes no more requests for now (HTTP 429)") + told, _wait(err.response.headers))
    if status in (408, 409) or status >= 500:
        return ServerFailed(N_(f"The provider failed (HTTP {status})") + told, _wait(err.response.headers))
    if status < 400:
        return RequestRefused(f"The provider sends us elsewhere (HTTP {status}): is the base URL right?")
    about = f"{getattr(err, 'param', '') or ''} {told}".lower()
    return RequestRefused(N_(f"The provider refused the request (HTTP {status})") + told, about)


def _of_event(err: Any, secret: Secret) -> ModelFailed:
    told = _told(err.body, secret)
    if "rate_limit" in str(err.body):
        return Busy(N_("The provider takes no more requests for now") + told)
    return ServerFailed(N_("The provider failed while it wrote") + told)


def _told(body: Any, secret: Secret) -> str:
    """The provider's own words, to end our sentence with: short, on one line, and without any key."""
    body = body.get("error", body) if isinstance(body, Mapping) else body
    message = body.get("message") if isinstance(body, Mapping) else body
    if not isinstance(message, str) or "<html" in message.lower() or not message.strip():
        return "."
    told = " ".join(without_keys(message, secret).split())
    return f": {told[:REPEATED].rstrip('.')}."


def without_keys(text: str, secret: Secret) -> str:
    if secret:
        text = text.replace(secret.reveal(), "***")
    return _KEY_LIKE.sub("***", text)


def _wait(headers: Mapping[str, str]) -> float | None:
    """Retry-After, in seconds: it may be a number of them, or a date."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    try:
        return max(float(text), 0.0)
    except ValueError:
        date = email.utils.parsedate_tz(text)
        return max(email.utils.mktime_tz(date) - time.time(), 0.0) if date else None
