from __future__ import annotations

from tests.examples.running import run


def test_an_assistant_finds_a_sentence_and_where_to_open_it(remote_service, key):
    out = run("examples.mcp_client", "How much is a ticket?", url=remote_service[0], key=key)
    assert "Tools: search, highlight, locate, ask" in out
    assert "note.txt, page 1: Tickets cost four pounds and are sold on board." in out
    assert f"{remote_service[0]}/documents/" in out
