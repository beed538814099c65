"""Tests of the command `citations`."""

from __future__ import annotations

import io
import json

from tests.highlighter.native_formats.recorded_responses import RESPONSES

RESPONSE = next(one.response for one in RESPONSES if one.name == "anthropic_char_location")


def test_command_prints_where_each_citation_leads(run, note, tmp_path):
    path = tmp_path / "response.json"
    path.write_text(json.dumps(RESPONSE), encoding="utf-8")
    status, out, _ = run("citations", str(path))
    assert status == 0
    assert out.startswith(
        "anthropic_messages: 3 of 3 citations opened\nthe ferry leaves at seven\n    exact: note.txt, page 1"
    )
    assert f"/documents/{note.id}/chunks/0?at=0-53" in out


def test_json_of_command_equals_response_of_api(run, note, client, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(RESPONSE)))
    status, out, _ = run("citations", "-", "--json", "--no-check")
    assert status == 0
    body = {"response": RESPONSE, "check": False}
    assert json.loads(out) == client.post("/api/v1/citations/native", json=body).json


def test_unknown_source_is_printed_with_its_reason(run, note, tmp_path):
    path = tmp_path / "answer.md"
    path.write_text("It leaves at seven [1][2].", encoding="utf-8")
    status, out, _ = run("citations", str(path), "--source", "note.txt", "--source", "bus.txt")
    assert status == 1
    assert "text: 1 of 2 citations opened" in out
    assert "No document of the library is bus.txt." in out


def test_wrong_usage_is_explained(run, tmp_path):
    assert run("citations", str(tmp_path / "missing.json"))[0] == 2
    (tmp_path / "empty.json").write_text(" ", encoding="utf-8")
    assert run("citations", str(tmp_path / "empty.json"))[2].endswith("The response is empty.\n")
