"""The OpenAPI library: pydantic models check requests, and make the document."""

from __future__ import annotations

from spectree import SpecTree
from spectree.model_adapter.pydantic_adapter import PydanticModelAdapter
from spectree.models import Tag
from spectree.plugins.flask_plugin import FlaskPlugin

from highlighter.api.problems import invalid
from highlighter.api.schemas import Problem

DOCUMENTS, HIGHLIGHTS, SEARCH = Tag(name="documents"), Tag(name="highlights"), Tag(name="search")
QUOTES, ANSWERS, EMBED = Tag(name="quotes"), Tag(name="answers"), Tag(name="embed")


class _Adapter(PydanticModelAdapter):
    def validation_errors(self, err):
        """Without what was sent, which may be a file and no JSON."""
        return err.errors(include_input=False, include_url=False, include_context=False)


class _Plugin(FlaskPlugin):
    def validate_response(self, resp, *how):
        """An answer that a view has made itself goes out as it is. The library would make another of its bytes: reading a
        stream to its end first, and losing whoever is to hear that it was closed."""
        return (resp, None) if self.is_app_response(resp) else super().validate_response(resp, *how)


def _refuse(_request, _response, err, _instance, _adapter) -> None:
    if err is not None:
        raise invalid(err)


spec = SpecTree(
    "flask",
    _Plugin,
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
