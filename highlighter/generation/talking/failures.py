"""How asking a model can fail: each kind by its name, with a sentence that never holds a key."""

from __future__ import annotations

from highlighter.errors import Unavailable
from highlighter.generation.talking.calls import AT_LENGTH, WITHHELD
from highlighter.locale import N_


class ModelFailed(Unavailable):
    """One model gave no answer. `again`: the same one may, asked once more."""

    title = N_("The language model gave no answer")
    again = False

    def __init__(self, detail: str = "", wait: float | None = None):
        super().__init__(detail)
        self.wait = wait  # seconds that the provider asks to wait


class KeyMissing(ModelFailed):
    title = N_("The key for it is not set")


class KeyRefused(ModelFailed):
    title = N_("The provider does not take the key")


class NotInstalled(ModelFailed):
    title = N_("The package that talks to it is not installed")


class RequestRefused(ModelFailed):
    """`about` is what the provider says about it, in lower case: which parameter it does not take, perhaps."""

    title = N_("The provider refused the request")

    def __init__(self, detail: str = "", about: str = ""):
        super().__init__(detail)
        self.about = about


class Busy(ModelFailed):
    title, again = N_("The provider takes no more requests for now"), True


class ServerFailed(ModelFailed):
    title, again = N_("The provider failed"), True


class Unreachable(ModelFailed):
    title, again = N_("The provider cannot be reached"), True


class CutShort(ModelFailed):
    title, again = N_("The reply broke off"), True


class TooSlow(ModelFailed):
    title = N_("The reply took too long")


class TooLong(ModelFailed):
    title = N_("The reply is far too long")


class Malformed(ModelFailed):
    title = N_("The reply cannot be read")


class WebPage(Malformed):
    title = N_("The reply is a web page, not an answer: is the base URL right?")

    def __init__(self, detail: str = ""):
        super().__init__(detail or self.title)


class Empty(ModelFailed):
    title = N_("The reply is empty")

    @classmethod
    def of(cls, finish: str) -> Empty:
        """With what the provider said of its end."""
        if finish == AT_LENGTH:
            return cls(N_("The reply is empty: all tokens allowed were spent before its first word."))
        return cls(N_("The reply is empty: the provider withheld it.") if finish == WITHHELD else "")


class Cancelled(ModelFailed):
    title = N_("Nobody waits for the reply any more")


class BrokenOff(ModelFailed):
    """A model stopped in the middle of writing. What it had written until then is `text`."""

    title = N_("The model stopped in the middle of the answer")

    def __init__(self, detail: str, model: str, text: str, tokens: int = 0):
        super().__init__(detail)
        self.model, self.text, self.tokens = model, text, tokens
