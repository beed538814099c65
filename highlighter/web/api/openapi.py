"""The validation of requests, and the OpenAPI document as spectree makes both from pydantic models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError
from spectree import SpecTree
from spectree.model_adapter.pydantic_adapter import PydanticModelAdapter
from spectree.models import Tag
from spectree.plugins.flask_plugin import FlaskPlugin

from highlighter.schemas.search import Problem
from highlighter.web.problems import convert_validation_error

DOCUMENTS_TAG, HIGHLIGHTS_TAG, SEARCH_TAG = Tag(name="documents"), Tag(name="highlights"), Tag(name="search")
QUOTES_TAG, ANSWERS_TAG, EMBED_TAG = Tag(name="quotes"), Tag(name="answers"), Tag(name="embed")
NOTES_TAG, WEBHOOKS_TAG = Tag(name="notes"), Tag(name="webhooks")


class _ErrorAdapter(PydanticModelAdapter):
    def validation_errors(self, err: ValidationError) -> list[Any]:
        """Return the errors without their input, which may be a file and not JSON."""
        return err.errors(include_input=False, include_url=False, include_context=False)


class _PassthroughPlugin(FlaskPlugin):
    def validate_response(self, resp: Any, *arguments: Any) -> tuple[Any, Any]:
        """Validate the models that views return, and pass on responses that views have built.

        spectree would build a new response from the bytes of a built one. It would read a stream to its end first, and drop
        the functions that are called when the response is closed.
        """
        is_built: bool = self.is_app_response(resp)  # type: ignore[no-untyped-call]  # spectree does not type it
        return (resp, None) if is_built else super().validate_response(resp, *arguments)


class _LazySpecTree(SpecTree):
    """A SpecTree that describes models when the document is asked for first.

    To describe them as their views are imported would take a fifth of each process's start.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._undescribed: dict[str, tuple[type[BaseModel], Any]] = {}  # each model by its name, with its mode
        super().__init__(*arguments, **options)

    def _add_model(self, model: Any, mode: Any = "validation") -> str:
        name = self.naming_strategy(model)
        self._undescribed[name] = model, mode
        return name

    def _generate_spec(self) -> dict[str, Any]:
        for model, mode in self._undescribed.values():
            super()._add_model(model, mode)
        return super()._generate_spec()


def _raise_invalid_request(_request: Any, _response: Any, err: Any, _instance: Any, _adapter: Any) -> None:
    if err is not None:
        raise convert_validation_error(err)


# spectree evaluates the annotations of a view on each request: they name only types that the view's module imports.
spec = _LazySpecTree(
    "flask",
    _PassthroughPlugin,
    title="Highlighter",
    version="1",
    path="openapi",  # served by our own route: a path of spectree would hide every route that begins with it
    page_templates={},
    mode="strict",
    before=_raise_invalid_request,
    model_adapter=_ErrorAdapter(),
    validation_error_status=400,
    validation_error_model=Problem,
    naming_strategy=lambda model: model.__name__,
    nested_naming_strategy=lambda _parent, child: child,
)
