"""The code snippets of the integration guide run, with the URL of this test."""

from __future__ import annotations

import json
import re

import pytest
from llama_index.core import Settings, SummaryIndex
from llama_index.core.llms import MockLLM
from llama_index.core.schema import TextNode

from tests.browser.serving import ROOT
from tests.examples.uis import GRADIO, STREAMLIT

pytestmark = pytest.mark.integrations

TOLD = (ROOT / "docs" / "how-to" / "integrate.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", TOLD, re.S)


@pytest.fixture
def snippet(remote_service, key):
    """A function that returns the snippet with this word, for the library of this test."""

    def found(word: str) -> str:
        (code,) = (one for one in SNIPPETS if word in one)
        code, count = re.subn(r'"http://127\.0\.0\.1:8000"', f"{remote_service[0]!r}, {key!r}", code)
        assert count == 1
        return code

    return found


def test_every_python_snippet_is_tested():
    assert [
        bool(re.search("citation_links|HighlighterPostprocessor|DocumentHighlighter", one)) for one in SNIPPETS
    ] == [True] * 3


def test_langchain_snippet_prints_citation_links(remote_service, snippet, capsys):
    code = snippet("citation_links")
    exec(code.replace("How much is paid for each day of delay?", "How much is a ticket?"), {})
    assert capsys.readouterr().out.startswith(f"[1] 1 {remote_service[0]}/documents/")


def test_llamaindex_snippet_highlights_nodes_of_other_index(remote_service, snippet):
    """LlamaIndex's mock model writes the answer; the test checks its sources."""
    nodes = [TextNode(text="Dogs stay outside."), TextNode(text="Tickets cost four pounds and are sold on board.")]
    names = {"index": SummaryIndex(nodes)}
    before, Settings.llm = Settings._llm, MockLLM()
    try:
        exec(snippet("HighlighterPostprocessor"), names)
        answer = names["engine"].query("How much is a ticket?")
    finally:
        Settings._llm = before
    (stored,) = answer.source_nodes
    assert stored.node.metadata["lit"][0]["text"] == nodes[1].text
    assert stored.node.metadata["links"]["self"].startswith(f"{remote_service[0]}/documents/")


def test_haystack_snippet_highlights_documents_of_other_retriever(remote_service, snippet, monkeypatch):
    from haystack import Document

    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    documents = [
        Document(content="Dogs stay outside."),
        Document(content="Tickets cost four pounds and are sold on board."),
    ]
    code = snippet("DocumentHighlighter").replace("How much is paid for each day of delay?", "How much is a ticket?")
    names = {"documents": documents}
    exec(code, names)
    (remaining,) = names["highlighted"]
    assert remaining.meta["links"]["self"].startswith(f"{remote_service[0]}/documents/")
    assert names["found"][0].meta["source"] == "note.txt"


def test_mcp_configuration_is_json_and_examples_exist():
    on_standard_input = json.loads(re.findall(r"```json\n(.*?)```", TOLD, re.S)[0])["mcpServers"]["highlighter"]
    assert (on_standard_input["command"], on_standard_input["args"]) == ("highlighter", ["mcp"])
    named = re.findall(r"python -m (examples\.\w+)", TOLD)
    assert len(named) == 7
    for module in named:
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists()


@pytest.mark.parametrize("ui", [STREAMLIT, GRADIO], ids=["streamlit", "gradio"])
def test_documented_ui_commands_are_the_tested_ones(ui):
    assert f"`{ui.command}`" in TOLD
    telemetry = next(f"{name}={value}" for name, value in ui.quiet.items())
    assert f"`{telemetry}`" in TOLD
