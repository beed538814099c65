"""The requests of docs/integrations.md and docs/how-to/chat-products.md, sent as they are written to a running service."""

from __future__ import annotations

import json

import httpx
import pytest
import yaml

from highlighter.app import create_app
from tests.browser.serving import ROOT
from tests.docs.markdown import blocks, commands
from tests.highlighter.web.auth.clients import running_server

DELAY = "6.4 For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200."
ADDRESSES = ("https://papers.example", "http://127.0.0.1:8000", "127.0.0.1:8000")


@pytest.fixture
def address(sampled):
    """The address of an open service with the samples."""
    with running_server(create_app(sampled)) as url:
        yield url


def list_blocks(page: str, language: str) -> list[str]:
    return [code for kind, code in blocks((ROOT / "docs" / page).read_text(encoding="utf-8")) if kind == language]


def send_curl(words: list[str], address: str) -> httpx.Response:
    """Send the request of a command, with curl's defaults, to another address."""
    (url,) = [word for word in words if word.startswith(ADDRESSES)]
    headers = dict(words[index + 1].split(": ", 1) for index, word in enumerate(words) if word == "-H")
    # An open service refuses what looks like a key of its own and is none.
    headers = {name: value.replace("hk_...", "none") for name, value in headers.items()}
    path = url.removeprefix("http://").removeprefix("https://").partition("/")[2]
    body = words[words.index("-d") + 1].encode()
    return httpx.post(f"{address}/{path}", content=body, headers=headers, timeout=60)


def find_curl(page: str, path: str) -> list[str]:
    """Return the only command of a page that asks a path."""
    curls = [words for code in list_blocks(page, "sh") for words in commands(code) if words[0] == "curl"]
    (words,) = [words for words in curls if any(word.endswith(path) for word in words)]
    return words


def is_highlighted_at(link: str, sentence: str) -> bool:
    page = httpx.get(link, timeout=60).text
    return any(sentence.rstrip(".") in part.partition("</mark>")[0] for part in page.split("<mark")[1:])


def test_documented_native_response_is_what_comes_back(address):
    response = send_curl(find_curl("integrations.md", "/citations/native"), address).json()
    (documented,) = list_blocks("integrations.md", "json")
    (citation,) = response["responses"][0]["citations"]
    documented = documented.replace("DOCUMENT_ID", citation["place"]["document_id"])
    assert_within(json.loads(documented), response)
    assert is_highlighted_at(address + citation["place"]["links"]["view"], citation["quote"])


def assert_within(expected, actual):
    """Assert that a value has all that a shortened one shows; texts are cut with "..."."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            assert_within(value, actual[name])
    elif isinstance(expected, list):
        assert len(expected) == len(actual)
        for one, other in zip(expected, actual, strict=True):
            assert_within(one, other)
    elif isinstance(expected, str) and expected.endswith("..."):
        assert actual.startswith(expected.removesuffix("..."))
    else:
        assert expected == actual


@pytest.mark.parametrize("package", ["openai", "anthropic"])
def test_documented_sdk_lines_print_titles_and_links_that_open_the_sentence(address, package, capsys):
    (code,) = [code for code in list_blocks("integrations.md", "python") if f"from {package} " in code]
    exec(code.replace("http://127.0.0.1:8000", address), {})
    first, *_, verdict = capsys.readouterr().out.splitlines()
    assert first.startswith("Harbour Works Contract.pdf, page 2 ")
    assert is_highlighted_at(first.rpartition(" ")[2], DELAY)
    assert verdict == "supported"


def test_documented_request_of_dify_finds_the_sentence(address):
    (record,) = send_curl(find_curl("how-to/chat-products.md", "/retrieval"), address).json()["records"]
    assert (record["title"], record["metadata"]["sentence"]) == ("Harbour Works Contract.pdf, page 2", DELAY)


def test_librechat_configuration_lists_models_and_streams_an_answer(address):
    (text,) = list_blocks("how-to/chat-products.md", "yaml")
    (endpoint,) = yaml.safe_load(text)["endpoints"]["custom"]
    assert (endpoint["apiKey"], endpoint["titleConvo"], endpoint["models"]["fetch"]) == (
        "${HIGHLIGHTER_KEY}",
        False,
        True,
    )
    base_url = endpoint["baseURL"].replace("https://papers.example", address)
    import openai  # takes a second, and each process of a run collects this file

    with openai.OpenAI(base_url=base_url, api_key="none", max_retries=0) as client:
        (model,) = endpoint["models"]["default"]
        assert model in [listed.id for listed in client.models.list()]
        stream = client.chat.completions.create(
            model=model,
            messages=[{"role": "user", "content": "What are the delay damages for each day?"}],
            stream=True,
            stream_options={"include_usage": True},
        )
        assert "[Harbour Works Contract, p.2]" in "".join(
            chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices
        )


def test_documented_requests_of_n8n_return_what_the_expressions_name(address):
    answer = send_curl(find_curl("how-to/chat-products.md", "/chat/completions"), address).json()
    message = answer["choices"][0]["message"]
    assert DELAY in message["content"]
    assert is_highlighted_at(message["annotations"][0]["url_citation"]["url"], DELAY)
    checked = send_curl(find_curl("how-to/chat-products.md", "/citations/native"), address).json()["responses"][0]
    assert checked["claims"][0]["verdict"] == "contradicted"
    link = checked["citations"][0]["place"]["links"]["view"]
    assert is_highlighted_at(address + link, "Delay damages stop at ten per cent of the total of the prices.")
