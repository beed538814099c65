"""Dify's conditions on metadata as filters of a search, as far as a filter can express them."""

from __future__ import annotations

from typing import Any

from highlighter.errors import BadRequest
from highlighter.metadata import TAGS
from highlighter.schemas.external_knowledge import Condition, MetadataCondition

EQUALITY_OPERATORS = ("is", "=", "in")
LIST_OPERATOR = "contains"  # of the list of tags; of a text it would compare parts of words
Filters = dict[str, list[Any]]


def build_filters(condition: MetadataCondition | None) -> Filters:
    """Return the filters of a search, allowed values by key; raise BadRequest for conditions that no filter can express."""
    conditions = (condition.conditions if condition else None) or []
    is_any = condition is not None and condition.logical_operator == "or"
    names = [_read_name(entry) for entry in conditions]
    if is_any and len(set(names)) > 1:
        raise BadRequest(
            'Conditions that are joined by "or" must have the same name: filters of several names are joined by "and".'
        )
    if not is_any and len(set(names)) < len(names):
        raise BadRequest('Give one condition for each name, with the operator "in" for several values.')
    filters: Filters = {}
    for name, entry in zip(names, conditions, strict=True):
        filters.setdefault(name, []).extend(_list_values(name, entry))
    return filters


def _read_name(condition: Condition) -> str:
    names = condition.name if isinstance(condition.name, list) else [condition.name]
    if len(names) != 1 or not names[0].strip():
        raise BadRequest("Each condition needs the name of one field of the metadata.")
    return names[0].strip()


def _list_values(name: str, condition: Condition) -> list[Any]:
    operator = condition.comparison_operator
    if operator not in EQUALITY_OPERATORS and not (operator == LIST_OPERATOR and name == TAGS):
        raise BadRequest(
            f'The operator "{operator}" is not supported for {name}. Use "is", "=" or "in", and for {TAGS} also "contains".'
        )
    values = condition.value if isinstance(condition.value, list) else [condition.value]
    if not values or None in values:
        raise BadRequest(f"The condition on {name} has no value.")
    return [_as_stored(value) for value in values]


def _as_stored(value: Any) -> Any:
    """Return 3.0 as 3, as metadata holds it: Dify sends all numbers as floating-point numbers."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
