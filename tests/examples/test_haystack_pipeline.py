from __future__ import annotations

import pytest

from tests.examples.running import run

pytestmark = pytest.mark.integrations


def test_answering_document_is_kept_with_link(remote_service, key, monkeypatch):
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    texts = ("Tickets cost four pounds and are sold on board.", "Dogs stay outside.")
    out = run("examples.haystack_pipeline", "How much do tickets cost?", *texts, url=remote_service[0], key=key)
    assert out.startswith(f"\nTickets cost four pounds and are sold on board.\n{remote_service[0]}/documents/")
    assert "Dogs" not in out
