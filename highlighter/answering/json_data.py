"""JSON schemas of callers, and the JSON in a model's reply.

Data is validated in a child process that can be stopped: a pattern, or references to references, may take longer than
any caller waits, and would block all other requests meanwhile.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from highlighter.errors import BadRequest, UnreadableFile
from highlighter.text.characters import repair_surrogates
from highlighter.workers.process_pool import ProcessPool, ProcessPoolClosed

# The prompt contains the schema.
MAX_SCHEMA_CHARACTERS = 20_000
SCHEMA_CHECK_SECONDS = 5


def check_schema(schema: Mapping[str, Any]) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for

    try:
        text = json.dumps(schema, ensure_ascii=False)
        if len(text) > MAX_SCHEMA_CHARACTERS:
            raise BadRequest(f"The schema has {len(text):,} characters; the limit is {MAX_SCHEMA_CHARACTERS:,}.")
        validator_for(schema, Draft202012Validator).check_schema(schema)
    except (SchemaError, RecursionError, TypeError, ValueError) as err:
        raise BadRequest("The schema is not a valid JSON schema.") from err


def is_valid_data(data: Any, schema: Mapping[str, Any], process_pool: Callable[[], ProcessPool]) -> bool:
    """Return whether data matches a schema; False also when the validation takes too long."""
    try:
        is_valid: bool = process_pool().run(
            _validate_in_child, json.dumps(data), json.dumps(schema), seconds=SCHEMA_CHECK_SECONDS
        )
    except (UnreadableFile, ProcessPoolClosed):
        return False
    return is_valid


def _validate_in_child(data: str, schema: str) -> bool:
    """Validate data, in the child process. The registry is empty, so that no reference of the schema is fetched."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import validator_for
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    parsed_schema = json.loads(schema)
    try:
        validator_for(parsed_schema, Draft202012Validator)(parsed_schema, registry=Registry()).validate(
            json.loads(data)
        )
    except (ValidationError, Unresolvable, RecursionError):
        return False
    return True


# The data in a model's reply is restricted to JSON that every parser reads.

_CODE_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?```\s*$", re.DOTALL)
# No useful data is nested so deeply, and the JSON encoder has a limit, too.
MAX_JSON_DEPTH = 100


def parse_json_reply(text: str) -> Any:
    """Parse the JSON of a reply, with or without a code fence; raise ValueError when there is none."""
    fenced = _CODE_FENCE.match(text)
    try:
        data = json.loads(fenced[1] if fenced else text, parse_constant=_reject_constant, parse_float=_parse_float)
    except RecursionError as err:
        raise ValueError("The JSON is nested too deeply.") from err
    if _is_deeper_than(data, MAX_JSON_DEPTH):
        raise ValueError("The JSON is nested too deeply.")
    return json.loads(
        repair_surrogates(json.dumps(data, ensure_ascii=False))
    )  # escape sequences may hold half a surrogate pair, too


def _reject_constant(name: str) -> NoReturn:
    """Raise ValueError for NaN and Infinity: Python reads and writes them, JSON does not have them."""
    raise ValueError(f"{name} is not a number.")


def _parse_float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _reject_constant(text)


def _is_deeper_than(data: Any, layers: int) -> bool:
    level = [data]
    for _ in range(layers):
        level = [child for value in level for child in _child_values(value)]
    return bool(level)


def _child_values(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
