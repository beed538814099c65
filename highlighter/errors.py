"""The errors that callers are told about, each with an HTTP status and a sentence for users."""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.locale import N_, UserMessage, end_sentence, join_messages


class HighlighterError(Exception):
    """An error that a caller can be told about. `detail` is a whole sentence that can be shown to users.

    `problem_type` names the kind of error for programs and never changes; "" leaves it to the status alone.
    """

    problem_type = "internal-error"
    status = 500
    title = N_("Something went wrong")
    page_detail = ""  # `detail` in the terms of the pages, where these differ from those of the API
    retry_after: int | None = (
        0  # seconds after which the same request may succeed; 0: nobody knows, or waiting does not help
    )

    def __init__(self, detail: str = ""):
        super().__init__(detail or self.title)
        self.detail = _as_message(detail) if detail else end_sentence(self.title)


def _as_message(sentence: str) -> str:
    """Return a sentence as a message: a constant sentence is the id of one."""
    return UserMessage(sentence) if type(sentence) is str else sentence


class BadRequest(HighlighterError):
    problem_type = "invalid-request"
    status, title = 400, N_("Invalid request")


class Forbidden(HighlighterError):
    problem_type = "not-allowed"
    status, title = 403, N_("Not allowed")


class KeyRequired(HighlighterError):
    """The error for a missing or wrong key. `www_authenticate` is the header that asks for one."""

    problem_type = "key-required"
    status, title = 401, N_("A key is needed")

    def __init__(self, detail: str, for_browser: bool = False, is_key_presented: bool = False):
        super().__init__(detail)
        scheme = 'Basic realm="Highlighter", charset="UTF-8"' if for_browser else 'Bearer realm="Highlighter"'
        self.www_authenticate = scheme + (', error="invalid_token"' if is_key_presented and not for_browser else "")


class SignInRequired(KeyRequired):
    """The error for a request of nobody who is signed in. A browser is not asked for a key: its page links to the sign-in."""

    title = N_("Sign in")

    def __init__(self, detail: str):
        super().__init__(detail, for_browser=False)


class NoAccess(Forbidden):
    """The error for a person who has signed in and may not do this. What they lack is not told, as groups have names."""

    problem_type = "no-access"
    title = N_("No access")


class InsufficientScope(Forbidden):
    """The error for a valid key that lacks the scope for a request."""

    problem_type = "insufficient-scope"

    def __init__(self, scope: str, for_browser: bool = False):
        super().__init__(N_("This key cannot do that: it needs the scope {scope}.", scope=scope))
        self.www_authenticate = (
            "" if for_browser else f'Bearer realm="Highlighter", error="insufficient_scope", scope="{scope}"'
        )


class RateLimitExceeded(HighlighterError):
    problem_type = "rate-limit-exceeded"
    status, title = 429, N_("Too many requests")

    def __init__(self, detail: str, retry_after: int):
        super().__init__(detail)
        self.retry_after = retry_after


class NotFound(HighlighterError):
    problem_type = "not-found"
    status, title = 404, N_("Not found")


class MethodNotAllowed(HighlighterError):
    """The error for a method that a URL does not have. `allowed_methods` are those that it has."""

    problem_type = "method-not-allowed"
    status, title = 405, N_("Method not allowed")

    def __init__(self, method: str, allowed_methods: Sequence[str]):
        allowed = ", ".join(allowed_methods)
        super().__init__(N_("{method} cannot be used here. Use {allowed}.", method=method, allowed=allowed))
        self.allowed_methods = tuple(allowed_methods)


class NotReady(HighlighterError):
    problem_type = "not-ready"
    status, title = 409, N_("Not ready")
    retry_after = 5  # most files are read within seconds


class PreconditionFailed(HighlighterError):
    """The error for a change that was made from an earlier state than the stored one."""

    problem_type = "precondition-failed"
    status, title = 412, N_("Changed meanwhile")


class TooLarge(HighlighterError):
    problem_type = "too-large"
    status, title = 413, N_("Too large")


class UnsupportedMediaType(HighlighterError):
    problem_type = "unsupported-media-type"
    status, title = 415, N_("Unsupported content type")


class UnreadableFile(HighlighterError):
    """The error for a file without text that can be extracted. `state` is the document state that follows."""

    problem_type = "unreadable-file"
    status, title = 422, N_("The file cannot be read")

    def __init__(self, state: str, detail: str):
        super().__init__(detail)
        self.state = state

    # For pickle: the error is sent from the reading child process to its parent.
    def __reduce__(self) -> tuple[type[UnreadableFile], tuple[str, str]]:
        return type(self), (self.state, self.detail)


class UnrenderablePage(HighlighterError):
    """The error for a page that cannot be shown, of a file that is otherwise readable."""

    problem_type = "unrenderable-page"
    status, title = 422, N_("The page cannot be shown")


class AlteredContent(HighlighterError):
    """The error for a stored file or text whose hash has changed. Altered content is not served."""

    problem_type = "altered-content"
    title = N_("Stored content was changed")


class GroundingError(HighlighterError):
    """The error for an answer that had to prove every sentence and did not. `reasons` are sentences for users."""

    problem_type = "not-grounded"
    status, title = 422, N_("The answer is not grounded in its sources")

    def __init__(self, reasons: Sequence[str]):
        super().__init__(join_messages(reasons))
        self.reasons = list(reasons)


class Unavailable(HighlighterError):
    problem_type = "unavailable"
    status, title = 503, N_("Not available right now")


class CpuBudgetExceeded(HighlighterError):
    """The error for a request that used more processor time than allowed.

    The error is no `Unavailable`: work that continues without a model must not continue after it.
    """

    problem_type = "too-much-work"
    status, title = 503, N_("Too much work for one request")
    retry_after = 60


class Overloaded(Unavailable):
    """The error for a request that arrives while others wait for their turn, longer and longer."""

    problem_type = "overloaded"
    title, retry_after = N_("Too many requests at once"), 2

    def __init__(self) -> None:
        super().__init__("The service is busy: it has more requests than it can answer. Try again in a few seconds.")


class NoModelAnswered(Unavailable):
    """The error for an answer that no model gave. `attempts` has a sentence from each attempt, in order."""

    problem_type = "no-model-answered"
    title = N_("No language model answered")

    def __init__(self, detail: str = "", attempts: tuple[str, ...] = ()):
        super().__init__(detail)
        self.attempts = attempts
