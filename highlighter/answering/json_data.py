"""A JSON schema of the caller's own. What it makes of data is found out in a child process that can be stopped: a pattern, or
references to references, may take longer than anybody waits, and hold up everybody else meanwhile."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from highlighter.errors import BadRequest, UnreadableFile
from highlighter.text.characters import repair_surrogates
from highlighter.workers.process_pool import ProcessPool, ProcessPoolClosed

# It stands in the prompt, too.
MAX_SCHEMA_CHARACTERS = 20_000
SCHEMA_CHECK_SECONDS = 5


def check_schema(schema: Mapping[str, Any]) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for

    try:
        written = json.dumps(schema, ensure_ascii=False)
        if len(written) > MAX_SCHEMA_CHARACTERS:
            raise BadRequest(f"The schema has {len(written):,} characters; the limit is {MAX_SCHEMA_CHARACTERS:,}.")
        validator_for(schema, Draft202012Validator).check_schema(schema)
    except (SchemaError, RecursionError, TypeError, ValueError) as err:
        raise BadRequest("The schema is not a valid JSON schema.") from err


def is_valid_data(data: Any, schema: Mapping[str, Any], process_pool: Callable[[], ProcessPool]) -> bool:
    """False, too, when that could not be found out in time."""
    try:
        return process_pool().run(
            _validate_in_child, json.dumps(data), json.dumps(schema), seconds=SCHEMA_CHECK_SECONDS
        )
    except (UnreadableFile, ProcessPoolClosed):
        return False


def _validate_in_child(data: str, schema: str) -> bool:
    """In the child. An empty registry: nothing that the schema refers to is fetched."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import validator_for
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    held = json.loads(schema)
    try:
        validator_for(held, Draft202012Validator)(held, registry=Registry()).validate(json.loads(data))
    except (ValidationError, Unresolvable, RecursionError):
        return False
    return True


# The data in a model's reply: JSON that any reader of JSON can read again.


_CODE_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?```\s*$", re.DOTALL)
# Nobody asks for data in so many layers, and what writes JSON again has a limit of its own.
MAX_JSON_DEPTH = 100


def parse_json_reply(text: str) -> Any:
    """ValueError, when it is none."""
    fenced = _CODE_FENCE.match(text)
    try:
        data = json.loads(fenced[1] if fenced else text, parse_constant=_reject_constant, parse_float=_parse_float)
    except RecursionError as err:
        raise ValueError("The JSON is nested too deeply.") from err
    if _is_deeper_than(data, MAX_JSON_DEPTH):
        raise ValueError("The JSON is nested too deeply.")
    return json.loads(repair_surrogates(json.dumps(data, ensure_ascii=False)))  # escapes, too, may be half a character


def _reject_constant(name: str) -> None:
    """NaN and Infinity: Python reads and writes them, JSON does not know them."""
    raise ValueError(f"{name} is not a number.")


def _parse_float(written: str) -> float:
    number = float(written)
    return number if math.isfinite(number) else _reject_constant(written)


def _is_deeper_than(data: Any, layers: int) -> bool:
    level = [data]
    for _ in range(layers):
        level = [one for held in level for one in _child_values(held)]
    return bool(level)


def _child_values(held: Any) -> list[Any]:
    return list(held.values()) if isinstance(held, dict) else held if isinstance(held, list) else []
