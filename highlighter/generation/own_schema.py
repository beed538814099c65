"""A JSON schema of the caller's own. What it makes of data is found out in a child process that can be stopped: a pattern, or
references to references, may take longer than anybody waits, and hold up everybody else meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from highlighter.errors import BadRequest, Unreadable
from highlighter.workers.jail import Closed, Jail

# It stands in the prompt, too.
MAX_SCHEMA = 20_000
SECONDS = 5


def check_schema(schema: Mapping[str, Any]) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for

    try:
        written = json.dumps(schema, ensure_ascii=False)
        if len(written) > MAX_SCHEMA:
            raise BadRequest(f"The schema has {len(written):,} characters; {MAX_SCHEMA:,} are the most that are read.")
        validator_for(schema, Draft202012Validator).check_schema(schema)
    except (SchemaError, RecursionError, TypeError, ValueError) as err:
        raise BadRequest("The schema is no JSON schema that can be checked against.") from err


def keeps_to(data: Any, schema: Mapping[str, Any], jail: Callable[[], Jail]) -> bool:
    """False, too, when that could not be found out in time."""
    try:
        return jail().run(_keeps_to, json.dumps(data), json.dumps(schema), seconds=SECONDS)
    except (Unreadable, Closed):
        return False


def _keeps_to(data: str, schema: str) -> bool:
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
