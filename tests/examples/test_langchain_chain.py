from __future__ import annotations

import pytest

from tests.examples.running import run

pytestmark = pytest.mark.integrations


def test_chain_prints_answer_and_citation_links(remote_service, key):
    out = run("examples.langchain_chain", "How much is a ticket?", url=remote_service[0], key=key)
    assert "Tickets cost four pounds and are sold on board. [1]" in out
    assert f"[1]  note.txt, page 1: {remote_service[0]}/documents/" in out
