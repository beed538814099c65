"""The translation of SDK errors to our own. Both SDKs come from one generator, so their errors have the same names."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from highlighter.answering.llm.call_limits import CallLimits
from highlighter.answering.llm.errors import (
    ApiKeyRefused,
    CompletionCutShort,
    CompletionMalformed,
    CompletionTimedOut,
    ModelError,
    ProviderBusy,
    ProviderFailed,
    ProviderRefused,
    ProviderUnreachable,
)
from highlighter.locale import N_, end_sentence
from highlighter.secret import Secret

# This much of a provider's message is repeated.
MAX_PROVIDER_MESSAGE_CHARACTERS = 200
# Providers repeat keys in messages, and do not always mask them.
_KEY_PATTERN = re.compile(r"\b(?:sk|gsk|key|AIza|Bearer )[-\w.*]{6,}")


def translate_error(
    err: Exception, sdk: ModuleType, limits: CallLimits, secret: Secret, has_begun: bool = False
) -> ModelError:
    """Translate an error of an SDK; `has_begun` tells whether a part of the reply had arrived."""
    if isinstance(err, ModelError):
        return err
    if limits.stop_reason is not None:
        return limits.stop_reason
    if isinstance(err, sdk.APIStatusError):
        return _translate_status_error(err, secret)
    if isinstance(err, sdk.APITimeoutError):
        return CompletionTimedOut("The connection timed out.")
    if (network_error := _translate_network_error(err, sdk, has_begun)) is not None:
        return network_error
    if isinstance(err, sdk.APIResponseValidationError):
        return CompletionMalformed()
    if isinstance(err, sdk.APIError):  # sent in the middle of a stream
        return _translate_stream_error(err, secret)
    if isinstance(err, (ValueError, TypeError, AttributeError, LookupError)):  # no JSON, or JSON of another shape
        return CompletionMalformed()
    return ModelError(N_("The reply ended in an error ({error}).", error=type(err).__name__))


def _translate_network_error(err: Exception, sdk: ModuleType, has_begun: bool) -> ModelError | None:
    import httpx2

    if isinstance(err, sdk.APIConnectionError) and err.__cause__ is not None:
        err = err.__cause__
    if isinstance(err, (httpx2.ConnectError, httpx2.ConnectTimeout)):
        return ProviderUnreachable()
    if isinstance(err, httpx2.DecodingError):
        return CompletionMalformed()
    if isinstance(err, (httpx2.TransportError, sdk.APIConnectionError)):
        return (
            CompletionCutShort()
            if has_begun
            else CompletionCutShort("The connection was lost before the reply arrived.")
        )
    return None


def _translate_status_error(err: Any, secret: Secret) -> ModelError:
    status, message = err.status_code, _provider_message(err.body, secret)
    if status < 300:
        return _translate_stream_error(err, secret)
    if status in (401, 403):
        # The provider's message may repeat the key, so the message is left out.
        return ApiKeyRefused(N_("The provider rejected the API key (HTTP {status}).", status=status))
    if status == 429:
        return ProviderBusy(
            _add_details(N_("The provider's rate limit is reached (HTTP 429)"), message),
            _parse_retry_after(err.response.headers),
        )
    if status in (408, 409) or status >= 500:
        return ProviderFailed(
            _add_details(N_("The provider failed (HTTP {status})", status=status), message),
            _parse_retry_after(err.response.headers),
        )
    if status < 400:
        return ProviderRefused(
            N_("The provider redirects the request (HTTP {status}). Check the base URL.", status=status)
        )
    searched_message = f"{getattr(err, 'param', '') or ''} {message}".lower()
    return ProviderRefused(
        _add_details(N_("The provider rejected the request (HTTP {status})", status=status), message), searched_message
    )


def _translate_stream_error(err: Any, secret: Secret) -> ModelError:
    message = _provider_message(err.body, secret)
    if "rate_limit" in str(err.body):
        return ProviderBusy(_add_details(N_("The provider's rate limit is reached"), message))
    return ProviderFailed(_add_details(N_("The provider failed while writing the reply"), message))


def _provider_message(body: Any, secret: Secret) -> str:
    """Return the provider's message: short, on one line, and without any key; empty where there is none to show."""
    body = body.get("error", body) if isinstance(body, Mapping) else body
    message = body.get("message") if isinstance(body, Mapping) else body
    if not isinstance(message, str) or "<html" in message.lower() or not message.strip():
        return ""
    text = " ".join(redact_keys(message, secret).split())
    return f"{text[:MAX_PROVIDER_MESSAGE_CHARACTERS].rstrip('.')}."


def _add_details(problem: str, provider_message: str) -> str:
    if not provider_message:
        return end_sentence(problem)
    return N_("{problem}: {details}", problem=problem, details=provider_message)


def redact_keys(text: str, secret: Secret) -> str:
    if secret:
        text = text.replace(secret.reveal(), "***")
    return _KEY_PATTERN.sub("***", text)


def _parse_retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of Retry-After, which is a number or a date."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    try:
        return max(float(text), 0.0)
    except ValueError:
        date = email.utils.parsedate_tz(text)
        return max(email.utils.mktime_tz(date) - time.time(), 0.0) if date else None
