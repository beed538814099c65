"""What the two ways of asking a model have in common: a client for each call, errors of ours, and asking with less."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from itertools import chain
from typing import Any, ClassVar

from highlighter.characters import whole_characters
from highlighter.generation.talking.calls import Call, Part
from highlighter.generation.talking.cut import joined
from highlighter.generation.talking.failures import Empty, KeyMissing, NotInstalled, RequestRefused, TooLong
from highlighter.generation.talking.translating import failure
from highlighter.generation.talking.watch import Watch
from highlighter.secret import Secret


class Asking:
    """One model of one provider. The SDK is imported when it is first asked: that takes a second."""

    package: ClassVar[str]
    resource: ClassVar[str]  # the part of it that is used, which it imports late
    dispensable: ClassVar[Mapping[str, tuple[str, ...]]]
    structure: ClassVar[str]  # of these, what holds a reply to a schema

    def __init__(self, name: str, model: str, base_url: str, secret: Secret, key_variable: str = ""):
        self.name = name
        self.model = model
        self.base_url = base_url
        self.secret = secret
        self.key_variable = key_variable  # none: it needs no key
        self._never: frozenset[str] = frozenset()  # what this model is known not to take

    def get_ready(self) -> None:
        """Before the time runs: importing an SDK takes seconds on a small machine."""
        with suppress(ImportError):  # asking says it better
            import_module(self.resource)
            import_module("highlighter.generation.talking.wire")

    def complete(self, call: Call, watch: Watch) -> Part:
        """The whole reply, never an empty one."""
        failed = None
        try:
            with self._client(watch) as client:
                part, left_out = self._leniently(
                    lambda asked: self.complete_by(client, asked), self.arguments(call), watch
                )
        except Exception as err:
            failed = failure(err, self._module(), watch, self.secret)
        # Outside the clause: what the SDK raised holds the request, and the request the key.
        if failed is not None:
            raise failed
        if not part.text.strip():
            raise Empty.of(part.finish)
        _bounded(len(part.text), call)
        return Part(whole_characters(part.text), part.tokens, part.finish, left_out)

    def stream(self, call: Call, watch: Watch) -> Iterator[Part]:
        """The same piece by piece. It may end without a word; a break raises, whatever was written before."""
        failed, begun, length = None, False, 0
        try:
            with self._client(watch) as client:
                first, parts = self._begun(client, call, watch)
                begun = True
                for part in joined(chain((first,), parts)):
                    watch.check_listener()  # much may have come in one read
                    length += len(part.text)
                    _bounded(length, call)
                    yield part
        except Exception as err:
            failed = failure(err, self._module(), watch, self.secret, begun)
        if failed is not None:
            raise failed

    def _begun(self, client: Any, call: Call, watch: Watch) -> tuple[Part, Iterator[Part]]:
        """A stream whose first part is there: refusals come before it."""

        def begin(asked: dict[str, Any]) -> tuple[Part, Iterator[Part]]:
            parts = self.stream_by(client, asked, watch)
            return next(parts), parts

        return self._leniently(begin, self.streaming(self.arguments(call)), watch)[0]

    def _leniently(self, ask: Callable, asked: dict[str, Any], watch: Watch) -> tuple[Any, frozenset[str]]:
        """Models differ in what they take. What one refuses and can do without is left out, and it is asked again."""
        left_out = frozenset(self._never & asked.keys())
        asked = {name: value for name, value in asked.items() if name not in left_out}
        while True:
            watch.begin()
            try:
                return ask(asked), left_out
            except Exception as err:
                refused = failure(err, self._module(), watch, self.secret)
            if not isinstance(refused, RequestRefused):
                raise refused
            if (other := self.instead(refused.about, asked)) is not None:
                asked = other
                continue
            name = self._refused(refused.about, asked)
            if not name:
                raise refused
            left_out |= {name}
            if name != self.structure:  # that may be the fault of one schema
                self._never |= {name}
            asked = {other: value for other, value in asked.items() if other != name}

    def _refused(self, about: str, asked: Mapping[str, Any]) -> str:
        for name, words in self.dispensable.items():
            if name in asked and any(word in about for word in words):
                return name
        # Not said what of it: then most likely what the fewest know.
        return self.structure if self.structure in asked else ""

    def _client(self, watch: Watch) -> Any:
        if self.key_variable and not self.secret:
            raise KeyMissing(f"{self.key_variable} is not set.")
        watch.check()
        return self.client_of(self._module(), watch)

    def _module(self) -> Any:
        try:
            return import_module(self.package)
        except ImportError:
            raise NotInstalled(f"The package {self.package} is not installed.") from None

    def streaming(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    def instead(self, refused: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """Other arguments that say the same, where the refusal asks for them."""
        return None

    def arguments(self, call: Call) -> dict[str, Any]:
        raise NotImplementedError

    def complete_by(self, sdk: Any, arguments: dict[str, Any]) -> Part:
        raise NotImplementedError

    def stream_by(self, sdk: Any, arguments: dict[str, Any], watch: Watch) -> Iterator[Part]:
        raise NotImplementedError

    def client_of(self, module: Any, watch: Watch) -> Any:
        raise NotImplementedError


def _bounded(characters: int, call: Call) -> None:
    """A token has four characters or so. Whoever writes ten times as much does not mind what was asked."""
    if characters > 1_000 + 40 * call.max_tokens:
        raise TooLong(f"The reply is far longer than the {call.max_tokens:,} tokens asked for.")
