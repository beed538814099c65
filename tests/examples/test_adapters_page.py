"""docs/adapters.md says what runs: its snippets, with the address of this test."""

from __future__ import annotations

import json
import re

from tests.browser.serving import ROOT

TOLD = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")


def test_the_langchain_snippet_prints_where_a_mark_leads(far_away, key, capsys):
    code = next(one for one in re.findall(r"```python\n(.*?)```", TOLD, re.S) if "citation_links" in one)
    code = code.replace('"http://127.0.0.1:8000"', repr(far_away[0]) + ", " + repr(key))
    exec(code.replace("How much is paid for each day of delay?", "How much is a ticket?"), {})
    assert capsys.readouterr().out.startswith(f"[1] 1 {far_away[0]}/documents/")


def test_the_assistants_configuration_is_json_and_each_example_is_there():
    (told,) = re.findall(r"```json\n(.*?)```", TOLD, re.S)
    assert json.loads(told)["mcpServers"]["highlighter"]["args"] == ["-m", "highlighter", "mcp"]
    named = re.findall(r"python -m (examples\.\w+)", TOLD)
    assert len(named) == 4
    for module in named:
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists()
