"""Tests that the API responds to valid and invalid requests as the OpenAPI document says.

schemathesis makes the requests from the document, the same ones each time.
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
EXAMPLES = 5  # per operation and mode
# The parameters of these operations have constraints that a schema cannot express.
OPERATIONS_WITH_FURTHER_CONSTRAINTS = {
    "POST /api/v1/embed/links", "POST /api/v1/citations/resolve", "POST /api/v1/search", "GET /api/v1/documents/{document_id}/find",
    "POST /api/v1/check", "POST /api/v1/answers", "POST /api/v1/highlight", "POST /api/v1/locate", "POST /api/v1/citations/native",
    "GET /api/v1/documents/{document_id}/annotations", "GET /api/v1/documents/{document_id}/later",
    "GET /api/v1/documents/{document_id}/rectangles", "POST /api/v1/documents", "POST /api/v1/documents/bulk",
    "POST /api/v1/webhooks", "GET /api/v1/documents", "GET /api/v1/notes", "GET /api/v1/answers",
    "GET /api/v1/webhooks/{webhook_id}/deliveries",
}  # fmt: skip


@pytest.fixture(scope="module")
def schema_and_headers(tmp_path_factory, embedder, process_pool):
    """The schema and key of an application with a document, without rate limits."""
    unlimited = {"rate_read": "", "rate_ingest": "", "rate_answer": ""}
    services = Services(Settings(data_dir=tmp_path_factory.mktemp("data"), require_keys="1", **unlimited), embedder)
    path = tmp_path_factory.mktemp("notes") / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    ingest_file(path, services, process_pool)
    bearer = {"Authorization": f"Bearer {services.api_keys.create_key('Schema', ['admin'])[1]}"}
    yield schemathesis.openapi.from_wsgi(OPENAPI, create_app(services), headers=bearer), bearer
    services.close()


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_operation_responds_as_described(schema_and_headers, mode, subtests):
    schema, bearer = schema_and_headers
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) > 20
    for operation in operations:
        with subtests.test(operation.label):
            assert _count_valid_responses(operation, mode, bearer) or _has_only_ids(operation, mode)


def _has_only_ids(operation, mode) -> bool:
    """Return whether no invalid request exists, because ids are the only parameters."""
    return mode is GenerationMode.NEGATIVE and not operation.query and not operation.body


def _count_valid_responses(operation, mode, bearer) -> int:
    count = 0

    @seed(1)
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    def send(case) -> None:
        nonlocal count
        count += 1
        try:
            case.call_and_validate(headers=bearer)
        except* RejectedPositiveData:
            assert operation.label in OPERATIONS_WITH_FURTHER_CONSTRAINTS
        except* AcceptedNegativeData:
            assert [] in case.body.values()  # a form sends nothing for it

    with suppress(Unsatisfiable):
        send()
    return count
