"""The client of one model: a connection for each call, our own errors, and requests without refused parameters.

The SDKs parse the event streams. Added here is what they leave open: a stream that ends without a finish reason was cut
short, a surrogate pair may be split between two events, and a reply has a maximum length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from itertools import chain
from typing import Any, ClassVar, TypeVar

from highlighter.answering.llm.call_limits import CallLimits
from highlighter.answering.llm.errors import (
    ApiKeyMissing,
    CompletionEmpty,
    CompletionIsWebPage,
    CompletionMalformed,
    CompletionTooLong,
    ModelError,
    ProviderRefused,
    SdkNotInstalled,
)
from highlighter.answering.llm.messages import CompletionPart, CompletionRequest
from highlighter.answering.llm.sdk_errors import translate_error
from highlighter.locale import N_
from highlighter.secret import Secret
from highlighter.text.characters import repair_surrogates

_TRAILING_HIGH_SURROGATE = re.compile("[\ud800-\udbff]\\Z")


def join_surrogates(parts: Iterator[CompletionPart]) -> Iterator[CompletionPart]:
    """Yield parts in which no surrogate pair is split: a first half waits for the next part."""
    first_half = ""
    for part in parts:
        text = first_half + part.text
        first_half = text[-1:] if _TRAILING_HIGH_SURROGATE.search(text) else ""
        yield replace(part, text=repair_surrogates(text.removesuffix(first_half)))
    if first_half:
        yield CompletionPart(repair_surrogates(first_half))


Result = TypeVar("Result")


class ModelClient:
    """A model of a provider. The SDK is imported with the first call, as the import takes a second."""

    sdk_package: ClassVar[str]
    sdk_resource: ClassVar[str]  # a submodule that the SDK would import late
    # Parameters that a request can do without, and the words by which a refusal of each is recognised.
    optional_parameters: ClassVar[Mapping[str, tuple[str, ...]]]
    schema_parameter: ClassVar[str]  # the one of these that enforces a schema

    def __init__(self, name: str, model: str, base_url: str, secret: Secret, key_variable: str = ""):
        self.name = name
        self.model = model
        self.base_url = base_url
        self.secret = secret
        self.key_variable = key_variable  # empty for models without a key
        self._unsupported_parameters: frozenset[str] = frozenset()  # refused by this model before

    def preload_sdk(self) -> None:
        """Import the SDK before the deadline starts: this takes seconds on a small machine."""
        with suppress(ImportError):  # the call reports it better
            import_module(self.sdk_resource)
            import_module("highlighter.answering.llm.http_transport")
            # The SDKs look at httpx where anybody imports it, as Chroma does in another thread: by then it must be whole.
            import_module("httpx")

    def complete(self, request: CompletionRequest, limits: CallLimits) -> CompletionPart:
        """Return the whole reply, which is never empty."""
        error = None
        try:
            with self._open_client(limits) as client:
                part, omitted = self._send_without_refused(
                    lambda arguments: self.request_completion(client, arguments), self.build_arguments(request), limits
                )
        except Exception as err:
            error = translate_error(err, self._import_sdk(), limits, self.secret)
        # Raised outside the except clause: the SDK's error would be its context, and holds the request with the key.
        if error is not None:
            raise error
        if not part.text.strip():
            raise CompletionEmpty.from_finish_reason(part.finish_reason)
        _check_length(len(part.text), request)
        return CompletionPart(repair_surrogates(part.text), part.tokens, part.finish_reason, omitted)

    def stream(self, request: CompletionRequest, limits: CallLimits) -> Iterator[CompletionPart]:
        """Yield the reply part by part. The reply may be empty; an interruption raises, also after some parts."""
        error, has_begun, length = None, False, 0
        try:
            with self._open_client(limits) as client:
                first, parts = self._open_stream(client, request, limits)
                has_begun = True
                for part in join_surrogates(chain((first,), parts)):
                    limits.check_connected()  # one read may bring many parts
                    length += len(part.text)
                    _check_length(length, request)
                    yield part
        except Exception as err:
            error = translate_error(err, self._import_sdk(), limits, self.secret, has_begun)
        if error is not None:
            raise error

    def _open_stream(
        self, client: Any, request: CompletionRequest, limits: CallLimits
    ) -> tuple[CompletionPart, Iterator[CompletionPart]]:
        """Open a stream and read its first part, as a refusal comes before the first part."""

        def send(arguments: dict[str, Any]) -> tuple[CompletionPart, Iterator[CompletionPart]]:
            parts = self.request_stream(client, arguments, limits)
            return next(parts), parts

        return self._send_without_refused(send, self.streaming_arguments(self.build_arguments(request)), limits)[0]

    def _send_without_refused(
        self, send: Callable[[dict[str, Any]], Result], arguments: dict[str, Any], limits: CallLimits
    ) -> tuple[Result, frozenset[str]]:
        """Send a request again without the optional parameters that the model refuses; return which were omitted."""
        omitted = frozenset(self._unsupported_parameters & arguments.keys())
        arguments = {name: value for name, value in arguments.items() if name not in omitted}
        while True:
            limits.reset_byte_count()
            try:
                return send(arguments), omitted
            except Exception as err:
                error = translate_error(err, self._import_sdk(), limits, self.secret)
            if not isinstance(error, ProviderRefused):
                raise error
            if (replaced := self.replace_refused(error.provider_message, arguments)) is not None:
                arguments = replaced
                continue
            name = self._find_refused_parameter(error.provider_message, arguments)
            if not name:
                raise error
            omitted |= {name}
            if name != self.schema_parameter:  # another schema may be accepted
                self._unsupported_parameters |= {name}
            arguments = {other: value for other, value in arguments.items() if other != name}

    def _find_refused_parameter(self, provider_message: str, arguments: Mapping[str, Any]) -> str:
        for name, words in self.optional_parameters.items():
            if name in arguments and any(word in provider_message for word in words):
                return name
        # The message names no parameter: the schema is the one that most models refuse.
        return self.schema_parameter if self.schema_parameter in arguments else ""

    def _open_client(self, limits: CallLimits) -> Any:
        if self.key_variable and not self.secret:
            raise ApiKeyMissing(N_("{variable} is not set.", variable=self.key_variable))
        limits.check()
        return self.create_sdk_client(self._import_sdk(), limits)

    def _import_sdk(self) -> Any:
        try:
            return import_module(self.sdk_package)
        except ImportError:
            raise SdkNotInstalled(N_("The package {package} is not installed.", package=self.sdk_package)) from None

    def streaming_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    def replace_refused(self, refused: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """Return equivalent arguments that the refusal asks for; None where there are none."""
        return None

    def build_arguments(self, request: CompletionRequest) -> dict[str, Any]:
        raise NotImplementedError

    def request_completion(self, sdk: Any, arguments: dict[str, Any]) -> CompletionPart:
        raise NotImplementedError

    def request_stream(self, sdk: Any, arguments: dict[str, Any], limits: CallLimits) -> Iterator[CompletionPart]:
        raise NotImplementedError

    def create_sdk_client(self, module: Any, limits: CallLimits) -> Any:
        raise NotImplementedError


def classify_text_reply(reply: str) -> ModelError:
    """Return the error for a reply that an SDK returns as text, as the reply is no JSON."""
    if "<html" in reply[:1000].lower():
        return CompletionIsWebPage()
    return CompletionMalformed() if reply.strip() else CompletionEmpty()


def _check_length(character_count: int, request: CompletionRequest) -> None:
    """Raise CompletionTooLong for ten times the allowed length, with about four characters for a token."""
    if character_count > 1_000 + 40 * request.max_tokens:
        raise CompletionTooLong(
            N_("The reply is much longer than the limit of {limit:,} tokens.", limit=request.max_tokens)
        )
