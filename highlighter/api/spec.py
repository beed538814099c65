"""The OpenAPI library: pydantic models check requests, and make the document."""

from __future__ import annotations

from functools import wraps

from spectree import SpecTree
from spectree.model_adapter.pydantic_adapter import PydanticModelAdapter
from spectree.models import Tag

from highlighter.api.problems import invalid
from highlighter.api.schemas import Problem

DOCUMENTS, HIGHLIGHTS, SEARCH = Tag(name="documents"), Tag(name="highlights"), Tag(name="search")
QUOTES, ANSWERS = Tag(name="quotes"), Tag(name="answers")


class _Adapter(PydanticModelAdapter):
    def validation_errors(self, err):
        """Without what was sent, which may be a file and no JSON."""
        return err.errors(include_input=False, include_url=False, include_context=False)


def _refuse(_request, _response, err, _instance, _adapter) -> None:
    if err is not None:
        raise invalid(err)


spec = SpecTree(
    "flask",
    title="Highlighter",
    version="1",
    path="openapi",  # served by our own route: a path of spectree's hides every route that begins with it
    page_templates={},
    mode="strict",
    before=_refuse,
    model_adapter=_Adapter(),
    validation_error_status=400,
    validation_error_model=Problem,
    naming_strategy=lambda model: model.__name__,
    nested_naming_strategy=lambda _parent, child: child,
)


def streamed(**about):
    """Describes a view as `spec.validate` does, and leaves its answer alone: that one reads a stream to its end first."""

    def decorate(view):
        @wraps(spec.validate(**about)(view))
        def answer(*args, **kwargs):
            return view(*args, **kwargs)

        return answer

    return decorate
