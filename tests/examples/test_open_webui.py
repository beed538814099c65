"""Tests of the functions for Open WebUI, called as it calls them, against a running service."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import re
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import pytest
from pydantic import BaseModel

from tests.browser.serving import ROOT

QUESTION = "How much does a ticket cost, and when does the ferry leave?"
COST = "Tickets cost four pounds and are sold on board."
LEAVES = "The ferry leaves the island at seven in the morning."
FUNCTIONS = {"Pipe": "highlighter_pipe", "Filter": "highlighter_filter"}
SOURCES = [
    {"source": {"id": "f1", "name": "note.txt"}, "document": [COST], "metadata": [{"source": "note.txt", "name": "note.txt", "file_id": "f1"}]},
    {"source": {"id": "f2", "name": "moon.txt"}, "document": ["The moon is cheese."], "metadata": [{"source": "moon.txt", "name": "moon.txt"}]},
]  # fmt: skip


def run_in_loop(coroutine):
    """Return the result of a coroutine, run in a thread: Playwright keeps an event loop in that of the tests."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def load_function(kind: str, **valves):
    """Return a function with the values of its valves, as Open WebUI does: from the text of its file alone."""
    path = ROOT / "examples" / "open_webui" / f"{FUNCTIONS[kind]}.py"
    spec = importlib.util.spec_from_file_location(FUNCTIONS[kind], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, kind)()
    assert issubclass(function.Valves, BaseModel)
    function.valves = function.Valves(**valves)
    return function


@pytest.fixture
def pipe(remote_service, key):
    return load_function("Pipe", HIGHLIGHTER_URL=remote_service[0], HIGHLIGHTER_KEY=key)


@pytest.fixture
def citation_filter(remote_service, key):
    return load_function("Filter", HIGHLIGHTER_URL=f"{remote_service[0]}/", HIGHLIGHTER_KEY=key)


def ask(pipe, question=QUESTION, model="highlighter_pipe.highlighter", earlier=()):
    """Return the text and the events of an answer."""
    events: list = []

    async def emit(event):
        events.append(event)

    async def collect():
        body = {"model": model, "stream": True, "messages": [*earlier, {"role": "user", "content": question}]}
        pieces = await pipe.pipe(body=body, __event_emitter__=emit, __task__=None, __user__={"id": "u1"})
        assert inspect.isasyncgen(pieces)
        return [piece async for piece in pieces]

    return run_in_loop(collect()), events


def check(citation_filter, text, sources=SOURCES):
    """Return the last message and the statuses after the filter."""
    events: list = []

    async def emit(event):
        events.append(event["data"]["description"])

    messages = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": text, "sources": deepcopy(sources)},
    ]
    body = {"model": "other", "messages": messages, "chat_id": "c1"}
    returned = run_in_loop(citation_filter.outlet(body=body, __event_emitter__=emit, __user__={"id": "u1"}))
    return returned["messages"][-1], events


def is_highlighted_at(service, key, link, sentence):
    address, services = service
    from highlighter.app import create_app

    with (
        create_app(services)
        .test_client()
        .get(link.removeprefix(address), headers={"Authorization": f"Bearer {key}"}) as page
    ):
        return any(sentence.rstrip(".") in part.partition("</mark>")[0] for part in page.text.split("<mark")[1:])


@pytest.mark.parametrize("name", FUNCTIONS.values())
def test_header_names_title_author_version_and_requirements(name):
    header = (ROOT / "examples" / "open_webui" / f"{name}.py").read_text(encoding="utf-8").split('"""')[1]
    fields = dict(re.findall(r"^(\w+): (.+)$", header, re.M))
    assert set(fields) == {"title", "author", "version", "license", "description", "requirements"}
    assert fields["requirements"] == "httpx"


def test_pipe_lists_a_model_for_the_library_and_each_collection(pipe):
    assert run_in_loop(pipe.pipes()) == [
        {"id": "highlighter", "name": "Highlighter"},
        {"id": "highlighter/default", "name": "Highlighter/default"},
    ]
    away = load_function("Pipe", HIGHLIGHTER_URL="http://127.0.0.1:9")
    assert "not reachable" in run_in_loop(away.pipes())[0]["name"]


def test_pipe_streams_an_answer_whose_numbers_are_sources_that_open_the_sentence(pipe, remote_service, key):
    pieces, events = ask(pipe)
    text = "".join(pieces)
    assert len(pieces) > 3
    assert f"“{COST}” [1]" in text
    assert f"“{LEAVES}” [2]" in text
    assert [event["type"] for event in events] == ["source", "source"]
    for event, sentence in zip(events, (COST, LEAVES), strict=True):
        source, (metadata,) = event["data"]["source"], event["data"]["metadata"]
        assert (event["data"]["document"], source["name"]) == ([sentence], "note.txt, page 1")
        assert source["url"] == metadata["source_url"]
        assert is_highlighted_at(remote_service, key, source["url"], sentence)
    assert len({event["data"]["metadata"][0]["source"] for event in events}) == 2


def test_pipe_answers_from_a_collection_with_the_turns_before(pipe):
    turns = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi"},
    ]
    parts = [{"type": "text", "text": "How much is a ticket?"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    pieces, _ = ask(pipe, parts, "highlighter_pipe.highlighter/default", turns)
    assert COST in "".join(pieces)


def test_pipe_shows_readers_their_own_address(pipe, remote_service):
    pipe.valves.READER_URL = "https://papers.example/"
    _, events = ask(pipe)
    assert events[0]["data"]["source"]["url"].startswith("https://papers.example/documents/")


def test_pipe_says_what_is_wrong_and_answers_no_background_task(pipe):
    pipe.valves.HIGHLIGHTER_KEY = "hk_unknown"
    assert "".join(ask(pipe)[0]).startswith("Highlighter: This key is unknown, revoked or expired.")
    away = load_function("Pipe", HIGHLIGHTER_URL="http://127.0.0.1:9")
    assert "Highlighter does not answer" in "".join(ask(away)[0])
    assert run_in_loop(pipe.pipe({"messages": []}, None, "title_generation")) == ""


def test_filter_adds_links_and_verdicts_to_the_sources_and_a_list(citation_filter, remote_service, key):
    message, statuses = check(citation_filter, "A ticket costs four pounds [1]. It sails to the moon [2].")
    first, second = message["sources"]
    (metadata,) = first["metadata"]
    assert first["source"]["name"] == metadata["name"] == "note.txt · supported"
    assert first["source"]["url"] == metadata["source_url"]
    assert is_highlighted_at(remote_service, key, metadata["source_url"], COST)
    assert metadata["highlighter"]["file_id"] == "f1"
    assert "file_id" not in metadata
    assert metadata["highlighter"]["citations"][0]["sentence"] == COST
    assert second == SOURCES[1]
    answer, _, listed = message["content"].partition("\n\n**Checked by Highlighter**\n\n")
    assert answer == "A ticket costs four pounds [1]. It sails to the moon [2]."
    lines = listed.splitlines()
    assert lines[0] == f"- [1] [note.txt, page 1]({metadata['source_url']}): supported · “{COST}”"
    assert lines[1] == "- [2] moon.txt: unsupported · No source says this."
    assert statuses == ["Highlighter: 1 of 2 claims supported"]


def test_filter_links_sources_of_an_answer_without_numbers(citation_filter):
    citation_filter.valves.LIST_CITATIONS = False
    message, _ = check(citation_filter, "A ticket costs four pounds.")
    assert message["content"] == "A ticket costs four pounds."
    assert "/documents/" in message["sources"][0]["metadata"][0]["source_url"]


def test_filter_leaves_the_chat_as_it_is_where_nothing_can_be_checked(citation_filter):
    assert check(citation_filter, "A ticket costs four pounds.", []) == (
        {"role": "assistant", "content": "A ticket costs four pounds.", "sources": []},
        [],
    )
    citation_filter.valves.HIGHLIGHTER_URL = "http://127.0.0.1:9"
    message, statuses = check(citation_filter, "It costs four pounds [1].")
    assert (message["content"], message["sources"]) == ("It costs four pounds [1].", SOURCES)
    assert statuses[0].startswith("Highlighter did not check the citations")


def test_filter_finds_the_answer_of_the_pipe_supported(pipe, citation_filter):
    pieces, events = ask(pipe)
    message, statuses = check(citation_filter, "".join(pieces), [event["data"] for event in events])
    assert statuses == ["Highlighter: 2 of 2 claims supported"]
    names = [source["source"]["name"] for source in message["sources"]]
    assert names == ["note.txt, page 1 · supported"] * 2
