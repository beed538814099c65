"""A reply that its stream cuts anywhere, within a character too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from itertools import chain
from typing import Any, ClassVar

from highlighter.answering.llm.call_limits import CallLimits
from highlighter.answering.llm.errors import (
    ApiKeyMissing,
    CompletionEmpty,
    CompletionTooLong,
    ProviderRefused,
    SdkNotInstalled,
)
from highlighter.answering.llm.messages import CompletionPart, CompletionRequest
from highlighter.answering.llm.sdk_errors import translate_error
from highlighter.secret import Secret
from highlighter.text.characters import repair_surrogates

_TRAILING_HIGH_SURROGATE = re.compile("[\ud800-\udbff]\\Z")


def join_surrogates(parts: Iterator[CompletionPart]) -> Iterator[CompletionPart]:
    """The same, but that a first half waits for the piece that follows."""
    waiting = ""
    for part in parts:
        text = waiting + part.text
        waiting = text[-1:] if _TRAILING_HIGH_SURROGATE.search(text) else ""
        yield replace(part, text=repair_surrogates(text.removesuffix(waiting)))
    if waiting:
        yield CompletionPart(repair_surrogates(waiting))


# What the two ways of asking a model have in common: a client for each call, errors of ours, and asking with less.


class ModelClient:
    """One model of one provider. The SDK is imported when it is first asked: that takes a second."""

    sdk_package: ClassVar[str]
    sdk_resource: ClassVar[str]  # the part of it that is used, which it imports late
    optional_parameters: ClassVar[Mapping[str, tuple[str, ...]]]
    schema_parameter: ClassVar[str]  # of these, what holds a reply to a schema

    def __init__(self, name: str, model: str, base_url: str, secret: Secret, key_variable: str = ""):
        self.name = name
        self.model = model
        self.base_url = base_url
        self.secret = secret
        self.key_variable = key_variable  # none: it needs no key
        self._unsupported_parameters: frozenset[str] = frozenset()  # what this model is known not to take

    def preload_sdk(self) -> None:
        """Before the time runs: importing an SDK takes seconds on a small machine."""
        with suppress(ImportError):  # asking says it better
            import_module(self.sdk_resource)
            import_module("highlighter.answering.llm.http_transport")

    def complete(self, request: CompletionRequest, limits: CallLimits) -> CompletionPart:
        """The whole reply, never an empty one."""
        failed = None
        try:
            with self._open_client(limits) as client:
                part, left_out = self._send_without_refused(
                    lambda asked: self.request_completion(client, asked), self.build_arguments(request), limits
                )
        except Exception as err:
            failed = translate_error(err, self._import_sdk(), limits, self.secret)
        # Outside the clause: what the SDK raised holds the request, and the request the key.
        if failed is not None:
            raise failed
        if not part.text.strip():
            raise CompletionEmpty.from_finish_reason(part.finish_reason)
        _check_length(len(part.text), request)
        return CompletionPart(repair_surrogates(part.text), part.tokens, part.finish_reason, left_out)

    def stream(self, request: CompletionRequest, limits: CallLimits) -> Iterator[CompletionPart]:
        """The same piece by piece. It may end without a word; a break raises, whatever was written before."""
        failed, begun, length = None, False, 0
        try:
            with self._open_client(limits) as client:
                first, parts = self._open_stream(client, request, limits)
                begun = True
                for part in join_surrogates(chain((first,), parts)):
                    limits.check_connected()  # much may have come in one read
                    length += len(part.text)
                    _check_length(length, request)
                    yield part
        except Exception as err:
            failed = translate_error(err, self._import_sdk(), limits, self.secret, begun)
        if failed is not None:
            raise failed

    def _open_stream(
        self, client: Any, request: CompletionRequest, limits: CallLimits
    ) -> tuple[CompletionPart, Iterator[CompletionPart]]:
        """A stream whose first part is there: refusals come before it."""

        def begin(asked: dict[str, Any]) -> tuple[CompletionPart, Iterator[CompletionPart]]:
            parts = self.request_stream(client, asked, limits)
            return next(parts), parts

        return self._send_without_refused(begin, self.streaming_arguments(self.build_arguments(request)), limits)[0]

    def _send_without_refused(
        self, send: Callable, arguments: dict[str, Any], limits: CallLimits
    ) -> tuple[Any, frozenset[str]]:
        """Models differ in what they take. What one refuses and can do without is left out, and it is asked again."""
        left_out = frozenset(self._unsupported_parameters & arguments.keys())
        arguments = {name: value for name, value in arguments.items() if name not in left_out}
        while True:
            limits.reset_byte_count()
            try:
                return send(arguments), left_out
            except Exception as err:
                refused = translate_error(err, self._import_sdk(), limits, self.secret)
            if not isinstance(refused, ProviderRefused):
                raise refused
            if (other := self.replace_refused(refused.provider_message, arguments)) is not None:
                arguments = other
                continue
            name = self._find_refused_parameter(refused.provider_message, arguments)
            if not name:
                raise refused
            left_out |= {name}
            if name != self.schema_parameter:  # that may be the fault of one schema
                self._unsupported_parameters |= {name}
            arguments = {other: value for other, value in arguments.items() if other != name}

    def _find_refused_parameter(self, provider_message: str, arguments: Mapping[str, Any]) -> str:
        for name, words in self.optional_parameters.items():
            if name in arguments and any(word in provider_message for word in words):
                return name
        # Not said what of it: then most likely what the fewest know.
        return self.schema_parameter if self.schema_parameter in arguments else ""

    def _open_client(self, limits: CallLimits) -> Any:
        if self.key_variable and not self.secret:
            raise ApiKeyMissing(f"{self.key_variable} is not set.")
        limits.check()
        return self.create_sdk_client(self._import_sdk(), limits)

    def _import_sdk(self) -> Any:
        try:
            return import_module(self.sdk_package)
        except ImportError:
            raise SdkNotInstalled(f"The package {self.sdk_package} is not installed.") from None

    def streaming_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    def replace_refused(self, refused: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """Other arguments that say the same, where the refusal asks for them."""
        return None

    def build_arguments(self, request: CompletionRequest) -> dict[str, Any]:
        raise NotImplementedError

    def request_completion(self, sdk: Any, arguments: dict[str, Any]) -> CompletionPart:
        raise NotImplementedError

    def request_stream(self, sdk: Any, arguments: dict[str, Any], limits: CallLimits) -> Iterator[CompletionPart]:
        raise NotImplementedError

    def create_sdk_client(self, module: Any, limits: CallLimits) -> Any:
        raise NotImplementedError


def _check_length(character_count: int, request: CompletionRequest) -> None:
    """A token has four characters or so. Whoever writes ten times as much does not mind what was asked."""
    if character_count > 1_000 + 40 * request.max_tokens:
        raise CompletionTooLong(f"The reply is much longer than the limit of {request.max_tokens:,} tokens.")
