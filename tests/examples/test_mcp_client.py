from __future__ import annotations

import pytest

from tests.examples.running import run

pytestmark = pytest.mark.integrations


def test_assistant_finds_sentence_and_link(remote_service, key):
    out = run("examples.mcp_client", "How much is a ticket?", url=remote_service[0], key=key)
    assert "Tools: search, highlight, locate, open_citations, notes, ask, check" in out
    assert "note.txt, page 1: Tickets cost four pounds and are sold on board." in out
    assert f"{remote_service[0]}/documents/" in out
