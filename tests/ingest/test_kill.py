"""What a killed service leaves is finished by the next. Kills at every moment and every write: `tests/soak/`."""

from __future__ import annotations

import pytest

from highlighter.models import READY
from ingest.registration import register_file
from tests.conftest import SAMPLES

pytestmark = pytest.mark.slow

NAME = "Laboratory Safety Note.txt"


def test_documents_of_a_killed_service_are_finished_by_the_next(services):
    document = register_file(SAMPLES / NAME, NAME, services).document
    services.catalog.set_progress(document.id, "reading", 0, 1)
    services.ingest_queue.resume_unfinished()
    services.ingest_queue._executor.shutdown(wait=True)
    assert services.catalog.document(document.id).state == READY
