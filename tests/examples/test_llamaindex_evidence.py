from __future__ import annotations

import pytest

from tests.conftest import NOTE
from tests.examples.running import run

pytestmark = pytest.mark.integrations

WHALES = """
The museum on the mainland shows the bones of three whales. Its roof was mended in the spring, and its walls are white. \
School classes bring their own lunch. Dogs stay outside. The curator paints boats in oil and sells them in the hall.
"""


def test_answering_nodes_are_kept_with_links(remote_service, key, tmp_path):
    path = tmp_path / "note.txt"
    path.write_text(NOTE + WHALES, encoding="utf-8")
    out = run("examples.llamaindex_evidence", "When does the ferry leave?", str(path), url=remote_service[0], key=key)
    assert "1 of 2 nodes answer." in out
    assert "\nThe ferry leaves the island at seven in the morning.\n" in out
    assert f"\n{remote_service[0]}/documents/" in out


def test_example_without_files_uses_built_in_text(remote_service, key):
    out = run("examples.llamaindex_evidence", url=remote_service[0], key=key)
    assert "the Contractor pays delay damages of £4,200." in out
    assert "No document of the library says this." in out
