"""The API is what its description says: asked whatever that allows, and much that it does not, it answers as described.

The requests are made by schemathesis from the OpenAPI document, the same ones each time.
"""

from __future__ import annotations

from contextlib import suppress

import pytest
import schemathesis
from hypothesis import Phase
from hypothesis.errors import Unsatisfiable
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.generation import GenerationMode
from schemathesis.openapi.checks import RejectedPositiveData

from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.properties import HealthCheck, given, seed, settings

OPENAPI = "/api/v1/openapi.json"
EXAMPLES = 8  # an operation and mode
# Their parameters depend on one another, or hold more than spaces, in a way that only words describe.
SAID_IN_WORDS = {
    "POST /api/v1/embed/links", "POST /api/v1/citations/resolve", "POST /api/v1/search", "GET /api/v1/documents/{document_id}/find",
    "POST /api/v1/check", "POST /api/v1/answers", "POST /api/v1/highlight", "POST /api/v1/locate",
    "GET /api/v1/documents/{document_id}/annotations", "GET /api/v1/documents/{document_id}/later",
    "GET /api/v1/documents/{document_id}/rectangles",
}  # fmt: skip


@pytest.fixture(scope="module")
def described(tmp_path_factory, embedder, process_pool):
    """The real application, with a document in it, asking for keys and measuring nothing."""
    free = {"rate_read": "", "rate_ingest": "", "rate_answer": ""}
    services = Services(Settings(data_dir=tmp_path_factory.mktemp("asked"), require_keys="1", **free), embedder)
    path = tmp_path_factory.mktemp("notes") / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    ingest_file(path, services, process_pool)
    bearer = {"Authorization": f"Bearer {services.api_keys.create_key('Schema', ['admin'])[1]}"}
    yield schemathesis.openapi.from_wsgi(OPENAPI, create_app(services), headers=bearer), bearer
    services.close()


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_operation_answers_as_described(described, mode, subtests):
    schema, bearer = described
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 20
    for operation in operations:
        with subtests.test(operation.label):
            asked = _asked(operation, mode, bearer)
            assert asked or _takes_anything(operation, mode)


def _takes_anything(operation, mode) -> bool:
    """Of what is but an id there is nothing that it does not allow."""
    return mode is GenerationMode.NEGATIVE and not operation.query and not operation.body


def _asked(operation, mode, bearer) -> int:
    count = 0

    @seed(1)
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    def ask(case) -> None:
        nonlocal count
        count += 1
        try:
            case.call_and_validate(headers=bearer)
        except* RejectedPositiveData:
            assert operation.label in SAID_IN_WORDS
        except* AcceptedNegativeData:
            assert [] in case.body.values()  # which a form sends as nothing at all

    with suppress(Unsatisfiable):
        ask()
    return count
