"""The type of fields that hold messages for users: text in JSON, messages that can be translated for the pages."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ValidatorFunctionWrapHandler, WrapValidator

from highlighter.locale.user_message import JoinedMessages, UserMessage


def _pass_message(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    return value if isinstance(value, UserMessage | JoinedMessages) else validate(value)


# Pydantic would turn a message, which is a kind of text, into the text alone.
MessageText = Annotated[str, WrapValidator(_pass_message)]
