"""Everything that can go wrong on purpose: each with a status and a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence


class HighlighterError(Exception):
    """Something a caller can be told about. `detail` is a whole sentence, fit to be shown."""

    status = 500
    title = "Something went wrong"

    def __init__(self, detail: str = ""):
        super().__init__(detail or self.title)
        self.detail = detail or f"{self.title}."


class BadRequest(HighlighterError):
    status, title = 400, "The request cannot be understood"


class Forbidden(HighlighterError):
    status, title = 403, "Not allowed"


class NotFound(HighlighterError):
    status, title = 404, "Not found"


class NotReady(HighlighterError):
    status, title = 409, "Not ready"


class TooLarge(HighlighterError):
    status, title = 413, "Too large"


class WrongMedia(HighlighterError):
    status, title = 415, "Sent as another kind of data than is understood"


class Unreadable(HighlighterError):
    """A file that could not be turned into text. `state` is the document state it leads to."""

    status, title = 422, "The file cannot be read"

    def __init__(self, state: str, detail: str):
        super().__init__(detail)
        self.state = state

    def __reduce__(self):  # crosses from the reading child process to its parent
        return type(self), (self.state, self.detail)


class Undrawable(HighlighterError):
    """A page of a file that is otherwise readable."""

    status, title = 422, "The page cannot be shown"


class GroundingError(HighlighterError):
    """An answer that had to prove every sentence, and did not. `reasons` are sentences for people."""

    status, title = 422, "The answer is not grounded in its sources"

    def __init__(self, reasons: Sequence[str]):
        super().__init__(" ".join(reasons))
        self.reasons = list(reasons)


class Unavailable(HighlighterError):
    status, title = 503, "Not available right now"


class NoModel(Unavailable):
    """None of the models asked gave an answer. `said` has a sentence from each try, in order."""

    title = "No language model answered"

    def __init__(self, detail: str = "", said: tuple[str, ...] = ()):
        super().__init__(detail)
        self.said = said
