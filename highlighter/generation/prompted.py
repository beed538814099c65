"""A draft by a language model: its words as they come, its marks as what they mean."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from highlighter.citations.streaming import StreamedReferences
from highlighter.errors import GroundingError
from highlighter.generation.ask import Ask
from highlighter.generation.chain import Chain
from highlighter.generation.composing import Composer
from highlighter.generation.events import Event
from highlighter.generation.gather import Piece
from highlighter.generation.own_schema import keeps_to
from highlighter.generation.prompting import Prompts, most_tokens
from highlighter.generation.refusals import is_refusal
from highlighter.generation.reply_data import data_of
from highlighter.generation.shapes import shape_of, strings, with_strings
from highlighter.generation.sourcing import shortened
from highlighter.generation.talking.calls import AT_LENGTH, Message, Reply, Shape
from highlighter.generation.talking.failures import BrokenOff
from highlighter.grounding.strict import grounding_errors
from highlighter.locale import N_
from highlighter.models import Source
from highlighter.workers.jail import Jail

BROKE_OFF = N_("The answer broke off before its end:")


@dataclass(frozen=True, slots=True)
class Drafted:
    """Who wrote it, and what is to be told of it."""

    model: str
    tokens: int = 0
    warnings: tuple[str, ...] = ()
    data: Any = None
    refusal: str = ""  # why nothing was written


class Prompted:
    def __init__(self, chain: Chain, prompts: Prompts, jail: Callable[[], Jail]):
        """`jail`: where it is found out whether a reply keeps to a schema of the caller's own."""
        self.chain = chain
        self.prompts = prompts
        self._jail = jail

    def draft(
        self, ask: Ask, questions: Sequence[str], pieces: Sequence[Piece], composer: Composer
    ) -> Generator[Event, None, Drafted]:
        """NoModel, when none writes; GroundingError, when strictness was asked for and not reached."""
        sources = [piece.source for piece in pieces]
        messages = self._messages(ask, questions, sources)
        warnings = tuple(N_(f"Of {label} only the beginning was read: it is too long.") for label in shortened(sources))
        if ask.require_grounding:
            drafted = yield from self._strict(ask, messages, sources, composer)
        elif shape_of(ask) is not None:
            drafted = yield from self._shaped(ask, messages, sources, composer)
        else:
            drafted = yield from self._flowing(ask, messages, sources, composer)
        return Drafted(drafted.model, drafted.tokens, (*warnings, *drafted.warnings), drafted.data)

    def _messages(self, ask: Ask, questions: Sequence[str], sources: Sequence[Source]) -> list[Message]:
        return self.prompts.answer(
            ask.question, sources, mode=ask.mode, format=ask.format, style=ask.citation_style,
            strict=ask.require_grounding, sub_questions=questions, history=ask.history, instructions=ask.instructions,
            schema=shape_of(ask) if ask.schema is not None else None,
        )  # fmt: skip

    def _flowing(self, ask: Ask, messages, sources, composer: Composer) -> Generator[Event, None, Drafted]:
        references, more = StreamedReferences(sources), ()
        allowed = most_tokens(ask.mode, ask.max_tokens)
        writing = self.chain.stream(messages, max_tokens=allowed, temperature=ask.temperature)
        try:
            for piece in writing:
                for told in references.feed(piece):
                    yield from composer.told(told)
        except BrokenOff as broken:
            more = (f"{BROKE_OFF} {broken.detail}",)
        for told in references.finish():
            yield from composer.told(told)
        if writing.finish == AT_LENGTH:
            more += (N_(f"The answer was cut at {allowed} tokens."),)
        return Drafted(writing.model, writing.tokens, (*writing.said, *more))

    def _strict(self, ask: Ask, messages, sources, composer: Composer) -> Generator[Event, None, Drafted]:
        """Held back until every quote is in its source; one more try, with what was wrong."""
        reply = self._reply(ask, messages)
        tokens, said = reply.tokens, reply.said
        reasons = self._wrong(reply, sources)
        if reasons:
            reply = self._reply(ask, self.prompts.corrected(messages, reply.text, reasons))
            tokens, said = tokens + reply.tokens, (*said, *reply.said)
            if reasons := self._wrong(reply, sources):
                raise GroundingError(reasons)
        yield from whole(reply.text, sources, composer)
        return Drafted(reply.model, tokens, said)

    def _wrong(self, reply: Reply, sources: Sequence[Source]) -> list[str]:
        return [] if is_refusal(reply.text) else grounding_errors(reply.text, sources)

    def _shaped(self, ask: Ask, messages, sources, composer: Composer) -> Generator[Event, None, Drafted]:
        shape = shape_of(ask)
        reply = self._reply(ask, messages, shape)
        data = self._data(reply.text, shape)
        if data is None:
            yield from whole(reply.text, sources, composer)
            return Drafted(reply.model, reply.tokens, (*reply.said, _no_shape(reply.model)))
        said = []
        for text in strings(data):
            yield from composer.say("\n" if said else "")
            began = len(composer.text)
            yield from whole(text, sources, composer)
            said.append(composer.text[began:])
        return Drafted(reply.model, reply.tokens, reply.said, with_strings(data, said))

    def _data(self, text: str, shape: Shape) -> Any:
        """None, when it does not keep to the shape."""
        try:
            data = data_of(text)
            if isinstance(shape, type):
                return shape.model_validate(data).model_dump()
        except ValueError:
            return None
        return data if keeps_to(data, shape, self._jail) else None

    def _reply(self, ask: Ask, messages: Sequence[Message], shape=None) -> Reply:
        allowed = most_tokens(ask.mode, ask.max_tokens)
        return self.chain.complete(messages, max_tokens=allowed, temperature=ask.temperature, schema=shape)


def _no_shape(model: str) -> str:
    return N_(f"{model} did not keep to the form that was asked for; its text is given as it is.")


def whole(text: str, sources: Sequence[Source], composer: Composer) -> Iterator[Event]:
    """A text that is there already. No mark of it reaches into the next one."""
    references = StreamedReferences(sources)
    composer.begin()
    for told in (*references.feed(text), *references.finish()):
        yield from composer.told(told)
