"""The ways in which a call to a model fails; no message holds a key."""

from __future__ import annotations

from highlighter.answering.llm.messages import FINISH_CONTENT_FILTER, FINISH_LENGTH
from highlighter.errors import Unavailable
from highlighter.locale import N_


class ModelError(Unavailable):
    """A model gave no answer. `is_retryable`: the same model may answer when asked again."""

    title = N_("The language model gave no answer")
    is_retryable = False

    def __init__(self, detail: str = "", wait_seconds: float | None = None):
        super().__init__(detail)
        self.wait_seconds = wait_seconds  # the wait that the provider asks for


class ApiKeyMissing(ModelError):
    title = N_("The API key is not set")


class ApiKeyRefused(ModelError):
    title = N_("The provider rejected the API key")


class SdkNotInstalled(ModelError):
    title = N_("The package for this provider is not installed")


class ProviderRefused(ModelError):
    """The provider refused a request. `provider_message` is in lower case; it may name the refused parameter."""

    title = N_("The provider rejected the request")

    def __init__(self, detail: str = "", provider_message: str = ""):
        super().__init__(detail)
        self.provider_message = provider_message


class ProviderBusy(ModelError):
    title, is_retryable = N_("The provider's rate limit is reached"), True


class ProviderFailed(ModelError):
    title, is_retryable = N_("The provider failed"), True


class ProviderUnreachable(ModelError):
    title, is_retryable = N_("The provider cannot be reached"), True


class CompletionCutShort(ModelError):
    title, is_retryable = N_("The reply was interrupted"), True


class CompletionTimedOut(ModelError):
    title = N_("The reply took too long")


class CompletionTooLong(ModelError):
    title = N_("The reply is too long")


class CompletionMalformed(ModelError):
    title = N_("The reply cannot be read")


class CompletionIsWebPage(CompletionMalformed):
    title = N_("The reply is a web page, not an answer. Check the base URL.")

    def __init__(self, detail: str = ""):
        super().__init__(detail or self.title)


class CompletionEmpty(ModelError):
    title = N_("The reply is empty")

    @classmethod
    def from_finish_reason(cls, finish_reason: str) -> CompletionEmpty:
        """Build the error from the reason why the reply ended."""
        if finish_reason == FINISH_LENGTH:
            return cls(N_("The reply is empty: the token limit was reached before the first word."))
        return cls(
            N_("The reply is empty: the provider withheld it.") if finish_reason == FINISH_CONTENT_FILTER else ""
        )


class CompletionCancelled(ModelError):
    title = N_("The request was cancelled")


class CompletionInterrupted(ModelError):
    """A model stopped in the middle of an answer; `text` is what was written until then."""

    title = N_("The model stopped before the answer was complete")

    def __init__(self, detail: str, model: str, text: str, tokens: int = 0):
        super().__init__(detail)
        self.model, self.text, self.tokens = model, text, tokens
