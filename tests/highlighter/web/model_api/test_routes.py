"""Tests of the library as a model that cites, by the official SDKs against a running server."""

from __future__ import annotations

import json

import pytest

from highlighter.app import create_app
from highlighter.native_formats.formats import read_response
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.web.model_api.conversations import AnswerOptions, ConversationMessage, GeminiRequest, build_question
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.web.auth.clients import client_with_key, running_server
from tests.scripted.fake_answers import faithful
from tests.scripted.fake_replies import Fails, Says

QUESTION = "How much does a ticket cost?"
SENTENCE = "Tickets cost four pounds and are sold on board."
MODEL = "highlighter"


@pytest.fixture(scope="module")
def service(tmp_path_factory, embedder, process_pool):
    """The URL, the application and the services of a server that requires keys, with a note in its library."""
    services = Services(
        Settings(data_dir=tmp_path_factory.mktemp("model") / "data", require_keys="1", ocr=False), embedder
    )
    path = tmp_path_factory.mktemp("notes") / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    ingest_file(path, services, process_pool)
    services.index.sync()
    app = create_app(services)
    with running_server(app) as url:
        yield url, app, services
    services.close()


@pytest.fixture(scope="module")
def secret(service):
    return service[2].api_keys.create_key("Tests", ["read", "answer"])[1]


@pytest.fixture
def openai_client(service, secret):
    import openai

    with openai.OpenAI(base_url=f"{service[0]}/v1", api_key=secret, max_retries=0) as client:
        yield client


@pytest.fixture
def anthropic_client(service, secret):
    import anthropic

    with anthropic.Anthropic(base_url=service[0], api_key=secret, max_retries=0) as client:
        yield client


def is_highlighted_at(service, secret, url, sentence=SENTENCE):
    """Return whether the page at a link highlights the sentence."""
    address, app, _ = service
    assert url.startswith(address)
    with app.test_client().get(url.removeprefix(address), headers={"Authorization": f"Bearer {secret}"}) as page:
        marked = [part.partition("</mark>")[0] for part in page.text.split("<mark")[1:]]
    return any(sentence.rstrip(".") in part for part in marked)


def test_models_are_the_library_and_its_collections(openai_client, anthropic_client):
    for client in (openai_client, anthropic_client):
        assert [model.id for model in client.models.list()] == [MODEL, f"{MODEL}/default"]
    assert openai_client.models.retrieve(f"{MODEL}/default").owned_by == MODEL


def test_chat_completion_has_annotations_that_open_the_sentence(service, secret, openai_client):
    completion = openai_client.chat.completions.create(
        model=MODEL, messages=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]
    )
    message = completion.choices[0].message
    assert "four pounds" in message.content
    citation = message.annotations[0].url_citation
    assert message.content[citation.start_index : citation.end_index] == "[note, p.1]"
    assert citation.title == "note.txt, page 1"
    assert is_highlighted_at(service, secret, citation.url)
    assert completion.highlighter["claims"][0]["verdict"] == "supported"


def test_streamed_chat_completion_is_the_same_as_the_whole(openai_client):
    arguments = {"model": f"{MODEL}/default", "messages": [{"role": "user", "content": QUESTION}]}
    whole = openai_client.chat.completions.create(**arguments).choices[0].message
    chunks = list(
        openai_client.chat.completions.create(**arguments, stream=True, stream_options={"include_usage": True})
    )
    deltas = [choice.delta for chunk in chunks for choice in chunk.choices]
    assert "".join(delta.content or "" for delta in deltas) == whole.content
    annotations = [one for delta in deltas for one in getattr(delta, "annotations", None) or []]
    assert annotations == [one.model_dump() for one in whole.annotations]
    assert [choice.finish_reason for chunk in chunks for choice in chunk.choices][-1] == "stop"
    assert chunks[-1].usage is not None


def test_response_has_link_and_file_of_each_citation(service, secret, openai_client):
    response = openai_client.responses.create(model=MODEL, input=QUESTION, instructions="Be brief.")
    part = response.output[0].content[0]
    link, file = part.annotations[:2]
    assert (link.type, file.type, file.filename) == ("url_citation", "file_citation", "note.txt")
    assert is_highlighted_at(service, secret, link.url)
    assert service[2].catalog.document(file.file_id).name == "note.txt"
    assert "four pounds" in response.output_text


def test_streamed_response_ends_with_the_whole_response(openai_client):
    with openai_client.responses.stream(model=MODEL, input=[{"role": "user", "content": QUESTION}]) as stream:
        events = list(stream)
        final = stream.get_final_response()
    assert [event.type for event in events][:4] == [
        "response.created", "response.in_progress", "response.output_item.added", "response.content_part.added",
    ]  # fmt: skip
    deltas = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert deltas == final.output_text
    added = [event.annotation for event in events if event.type == "response.output_text.annotation.added"]
    assert len(added) == len(final.output[0].content[0].annotations) > 0


def test_message_has_blocks_with_citations_and_no_markers(service, secret, anthropic_client):
    message = anthropic_client.messages.create(
        model=MODEL,
        max_tokens=500,
        system="Be brief.",
        messages=[{"role": "user", "content": [{"type": "text", "text": QUESTION}]}],
    )
    cited = [block for block in message.content if block.citations]
    assert "four pounds" in cited[0].text
    assert "[" not in "".join(block.text for block in message.content)
    (citation,) = cited[0].citations[:1]
    assert (citation.type, citation.cited_text, citation.title) == (
        "search_result_location",
        SENTENCE,
        "note.txt, page 1",
    )
    assert is_highlighted_at(service, secret, citation.source)
    assert message.stop_reason == "end_turn"


def test_streamed_message_has_the_same_blocks(anthropic_client):
    arguments = {"model": MODEL, "max_tokens": 500, "messages": [{"role": "user", "content": QUESTION}]}
    whole = anthropic_client.messages.create(**arguments)
    with anthropic_client.messages.stream(**arguments) as stream:
        streamed = stream.get_final_message()
    blocks = [
        [(block.text, [one.cited_text for one in block.citations or []]) for block in one.content]
        for one in (whole, streamed)
    ]
    assert blocks[0] == blocks[1]


GEMINI = {"contents": [{"role": "user", "parts": [{"text": QUESTION}]}], "generationConfig": {"maxOutputTokens": 500}}


def ask_gemini(service, secret, body=GEMINI, method="generateContent", model=MODEL):
    return (
        service[1]
        .test_client()
        .post(f"/v1beta/models/{model}:{method}", json=body, headers={"X-Goog-Api-Key": secret}, base_url=service[0])
    )


def test_generated_content_is_grounded_in_the_sentence(service, secret):
    """The recorded shape of Gemini's responses is tested with the formats; this is the same shape, read back."""
    body = ask_gemini(service, secret, {**GEMINI, "systemInstruction": {"parts": [{"text": "Be brief ⛴."}]}}).json
    metadata = body["candidates"][0]["groundingMetadata"]
    context = metadata["groundingChunks"][0]["retrievedContext"]
    assert (context["title"], context["text"]) == ("note.txt, page 1", SENTENCE)
    assert is_highlighted_at(service, secret, context["uri"])
    _, response = read_response(body)
    assert "four pounds" in response.text[response.citations[0].start : response.citations[0].end]
    assert "[" not in response.text


def test_segments_of_generated_content_count_bytes(service, secret):
    question = {"contents": [{"parts": [{"text": "When does the ferry leave? How much does a ticket cost?"}]}]}
    (candidate,) = ask_gemini(service, secret, question).json["candidates"]
    written = candidate["content"]["parts"][0]["text"].encode()
    segments = [support["segment"] for support in candidate["groundingMetadata"]["groundingSupports"]]
    assert [written[one["startIndex"] : one["endIndex"]].decode() for one in segments] == [
        one["text"] for one in segments
    ]
    assert len(segments) >= 2
    assert len(written) > len(written.decode())


def test_streamed_content_is_the_same_as_the_whole(service, secret):
    whole = read_response(ask_gemini(service, secret).json)
    with ask_gemini(service, secret, method="streamGenerateContent?alt=sse") as stream:
        assert read_response(stream.text) == whole


@pytest.mark.parametrize(
    ("change", "model", "status", "name"),
    [
        ({}, "gemini-2.5-pro", 404, "NOT_FOUND"),
        ({"contents": []}, MODEL, 400, "INVALID_ARGUMENT"),
        ({"contents": [{"parts": [{"inlineData": {}}]}]}, MODEL, 400, "INVALID_ARGUMENT"),
    ],
)
def test_errors_have_the_shape_of_gemini(service, secret, change, model, status, name):
    refused = ask_gemini(service, secret, {**GEMINI, **change}, model=model)
    assert (refused.status_code, refused.json["error"]["code"], refused.json["error"]["status"]) == (
        status,
        status,
        name,
    )
    assert ask_gemini(service, "hk_wrong").json["error"]["status"] == "UNAUTHENTICATED"


def test_own_responses_open_their_sentences_again(service, secret, openai_client, anthropic_client):
    """What the library answers as a model is one of the native responses that it reads."""
    responses = [
        openai_client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": QUESTION}]).model_dump(),
        openai_client.responses.create(model=MODEL, input=QUESTION).model_dump(),
        anthropic_client.messages.create(model=MODEL, max_tokens=500, messages=[{"role": "user", "content": QUESTION}]).model_dump(),
    ]  # fmt: skip
    responses.append(ask_gemini(service, secret).json)
    client = service[1].test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
    for opened in client.post("/api/v1/citations/native", json={"responses": responses}).json["responses"]:
        citation = opened["citations"][0]
        assert (citation["tier"], citation["found_by"]) == ("exact", "link")
        assert SENTENCE in [sentence["text"] for sentence in citation["sentences"]]


def test_turns_before_the_question_are_its_history(openai_client):
    messages = [
        {"role": "user", "content": QUESTION}, {"role": "assistant", "content": "Four pounds."},
        {"role": "user", "content": "And for children under five?"},
    ]  # fmt: skip
    completion = openai_client.chat.completions.create(model=MODEL, messages=messages)
    assert "cost+for+children+under+five" in completion.choices[0].message.annotations[0].url_citation.url


def test_question_without_evidence_is_refused_as_by_the_api(openai_client):
    completion = openai_client.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": "What is the boiling point of tungsten?"}]
    )
    assert completion.highlighter["refused"]
    assert not completion.choices[0].message.annotations


WRONG = [
    ({"model": "gpt-4o"}, 404, "No model is called gpt-4o."),
    ({"messages": []}, 400, "messages"),
    ({"messages": [{"role": "assistant", "content": "Hello."}]}, 400, "The last message must be the user's"),
    ({"messages": [{"role": "user", "content": " "}]}, 400, "Enter a question."),
    ({"messages": [{"role": "user", "content": "x" * 5_000}]}, 400, "5,000 characters"),
    ({"messages": [{"role": "user", "content": [{"type": "image", "source": {}}]}]}, 400, "Only text is read."),
]


@pytest.mark.parametrize(("wrong", "status", "message"), WRONG)
def test_errors_have_the_shape_of_each_vendor(openai_client, anthropic_client, wrong, status, message):
    import anthropic
    import openai

    arguments = {"model": MODEL, "messages": [{"role": "user", "content": QUESTION}], **wrong}
    with pytest.raises(openai.APIStatusError) as refused:
        openai_client.chat.completions.create(**arguments)
    assert (refused.value.status_code, message in refused.value.body["message"]) == (status, True)
    with pytest.raises(anthropic.APIStatusError) as declined:
        anthropic_client.messages.create(max_tokens=100, **arguments)
    assert (declined.value.status_code, message in declined.value.body["error"]["message"]) == (status, True)


@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "allow", "error"),
    [
        ("GET", "/v1/nowhere", {}, 404, None, {"type": "not_found_error", "param": None, "code": "unknown_url"}),
        ("GET", "/v1/nowhere", {"Anthropic-Version": "2023-06-01"}, 404, None, {"type": "not_found_error"}),
        ("POST", "/v1/messages/count_tokens", {}, 404, None, {"type": "not_found_error"}),
        ("DELETE", "/v1/messages", {}, 405, "OPTIONS, POST", {"type": "invalid_request_error"}),
        ("PUT", "/v1/models", {}, 405, "GET, HEAD, OPTIONS", {"type": "invalid_request_error", "param": None, "code": None}),
        ("GET", "/v1beta/nowhere", {}, 404, None, {"code": 404, "status": "NOT_FOUND"}),
        ("GET", f"/v1beta/models/{MODEL}:generateContent", {}, 405, "OPTIONS, POST", {"code": 405, "status": "INVALID_ARGUMENT"}),
    ],
)  # fmt: skip
def test_errors_before_any_route_have_the_shape_of_the_vendor(
    service, secret, method, path, headers, status, allow, error
):
    headers = {"Authorization": f"Bearer {secret}", **headers}
    response = service[1].test_client().open(path, method=method, headers=headers)
    body = response.json["error"]
    assert body.pop("message")
    assert (response.status_code, response.headers.get("Allow"), body) == (status, allow, error)


def test_faults_and_large_bodies_have_the_shape_of_the_vendor(tmp_path, embedder, monkeypatch):
    def fail(*_):
        raise RuntimeError("secret inside")

    monkeypatch.setattr("highlighter.web.model_api.routes.build_question", fail)
    services = Services(Settings(data_dir=tmp_path / "data", max_upload_mb=1), embedder)
    client = create_app(services).test_client()
    message = {"model": MODEL, "messages": [{"role": "user", "content": QUESTION}], "max_tokens": 9}
    faults = {path: client.post(path, json=message) for path in ("/v1/chat/completions", "/v1/messages")}
    refused = {path: client.post(path, data=bytes(2 << 20), content_type="application/json") for path in faults}
    services.close()
    for responses, status, kinds in (
        (faults, 500, ("server_error", "api_error")), (refused, 413, ("invalid_request_error", "request_too_large")),
    ):  # fmt: skip
        for response, kind in zip(responses.values(), kinds, strict=True):
            assert (response.status_code, response.json["error"]["type"]) == (status, kind)
            assert "secret" not in response.text


def test_keys_scopes_and_collections_hold(service, secret):
    import anthropic
    import openai

    url, app, services = service
    reader = services.api_keys.create_key("A reader", ["read"])[1]
    elsewhere = services.api_keys.create_key("Elsewhere", ["read", "answer"], ["other"])[1]
    arguments = {"model": MODEL, "messages": [{"role": "user", "content": QUESTION}]}
    for key, error in (("hk_wrong", openai.AuthenticationError), (reader, openai.PermissionDeniedError)):
        with openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0) as client, pytest.raises(error):
            client.chat.completions.create(**arguments)
    with (
        anthropic.Anthropic(base_url=url, api_key="hk_wrong", max_retries=0) as client,
        pytest.raises(anthropic.AuthenticationError, match="unknown, revoked or expired"),
    ):
        client.messages.create(max_tokens=100, **arguments)
    with openai.OpenAI(base_url=f"{url}/v1", api_key=elsewhere, max_retries=0) as client:
        assert [model.id for model in client.models.list()] == [MODEL]
        assert client.chat.completions.create(**arguments).highlighter["refused"]
    assert client_with_key(app, "read").post("/v1/messages", data="{").status_code == 403
    response = app.test_client().post("/v1/chat/completions", data="{", headers={"Authorization": f"Bearer {secret}"})
    assert (response.status_code, response.json["error"]["message"]) == (400, "The body is not a JSON object.")


@pytest.mark.parametrize(
    ("scope", "collections", "path", "status"),
    [
        ("answer", None, "", 200),
        ("answer", None, f"/{MODEL}/default", 200),
        ("read", None, "", 200),
        ("ingest", None, "", 403),
        ("read", ["other"], f"/{MODEL}", 200),
        ("read", ["other"], f"/{MODEL}/default", 404),
        ("read", None, f"/{MODEL}/nothing", 404),
    ],
)
def test_models_are_those_that_a_key_may_ask(service, scope, collections, path, status):
    client = client_with_key(service[1], scope, collections=collections)
    assert client.get(f"/v1/models{path}").status_code == status


SKIPPED_PARTS = [
    {"type": "thinking", "thinking": "Hm."}, {"type": "tool_use", "id": "t", "name": "x", "input": {}},
    {"type": "refusal", "refusal": "No."}, {"type": "text", "text": "Four pounds."},
]  # fmt: skip


def test_history_is_without_thoughts_tools_and_refusals():
    turns = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": SKIPPED_PARTS},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]},
        {"role": "user", "content": "And for children?"},
    ]
    messages = [ConversationMessage.model_validate(turn) for turn in turns]
    assert build_question(messages, AnswerOptions(MODEL)).history == ((QUESTION, "Four pounds."),)
    gemini = GeminiRequest.model_validate(
        {
            "systemInstruction": {"role": "system", "parts": [{"text": "Be brief."}]},
            "contents": [
                {"role": "user", "parts": [{"text": QUESTION}]},
                {"role": "model", "parts": [{"text": "Hm.", "thought": True}, {"functionCall": {}}, {"text": "Four."}]},
                {"role": "user", "parts": [{"text": "And for children?"}]},
            ],
        }
    )
    question = build_question(gemini.list_messages(), AnswerOptions(MODEL))
    assert (question.history, question.instructions) == (((QUESTION, "Four."),), "Be brief.")


STREAMS = [
    ("/v1/chat/completions", {"messages": [{"role": "user", "content": QUESTION}]}, b'data: {"error": {'),
    ("/v1/responses", {"input": QUESTION}, b'"type": "error"'),
    ("/v1/messages", {"messages": [{"role": "user", "content": QUESTION}]}, b'event: error\ndata: {"type": "error"'),
    (f"/v1beta/models/{MODEL}:streamGenerateContent", GEMINI, b'data: {"error": {"code": 401'),
]


@pytest.mark.parametrize(("path", "body", "error"), STREAMS, ids=lambda value: value if isinstance(value, str) else "")
def test_stream_is_ascii_as_clients_split_lines_at_other_characters(service, secret, path, body, error):
    question = json.loads(json.dumps(body).replace(QUESTION, "How much does a ticket cost?\u2028⛴"))
    headers = {"Authorization": f"Bearer {secret}"}
    sent = {"model": MODEL, "stream": True, **question}
    with service[1].test_client().post(path, json=sent, headers=headers) as response:
        assert (response.status_code, response.data.isascii(), b"\\u" in response.data) == (200, True, True)


@pytest.mark.parametrize(("path", "body", "error"), STREAMS, ids=lambda value: value if isinstance(value, str) else "")
def test_revoked_key_ends_a_stream_with_the_vendors_error(service, path, body, error):
    _, app, services = service
    key, secret = services.api_keys.create_key("Soon revoked", ["answer"])
    headers = {"Authorization": f"Bearer {secret}"}
    with app.test_client().post(path, json={"model": MODEL, "stream": True, **body}, headers=headers) as response:
        events = iter(response.response)
        next(events)
        services.api_keys.revoke_key(key.id)
        last = list(events)[-1]
    assert error in last
    assert b"no longer valid" in last


def test_language_model_writes_and_its_failure_is_a_refusal(tmp_path, embedder, process_pool, scripted):
    import openai

    scripted.play("gpt-x", Says(faithful))
    settings = {**scripted.settings("openai/gpt-x"), "extractive_fallback": False, "llm_retries": 0}
    services = Services(Settings(data_dir=tmp_path / "data", ocr=False, **settings), embedder)
    (tmp_path / "note.txt").write_text(NOTE, encoding="utf-8")
    ingest_file(tmp_path / "note.txt", services, process_pool)
    services.index.sync()
    arguments = {"model": MODEL, "messages": [{"role": "user", "content": QUESTION}]}
    with (
        running_server(create_app(services)) as url,
        openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client,
    ):
        message = client.chat.completions.create(**arguments).choices[0].message
        assert "[note, p.1]" in message.content
        assert message.annotations
        scripted.play("gpt-x", Fails(400))
        assert client.chat.completions.create(**arguments).highlighter["refused"]
    assert QUESTION in scripted.requests[0].user_message
    services.close()


UNGROUNDED = "The ferry sinks every Sunday at noon [note, p.1]."


@pytest.mark.parametrize("min_grounding", [0, 0.9])
def test_ungrounded_answer_is_streamed_only_where_it_is_not_refused(
    tmp_path, embedder, process_pool, scripted, min_grounding
):
    scripted.play("gpt-x", Says(UNGROUNDED))
    settings = {**scripted.settings("openai/gpt-x"), "min_grounding": min_grounding, "extractive_fallback": False}
    services = Services(Settings(data_dir=tmp_path / "data", ocr=False, **settings), embedder)
    (tmp_path / "note.txt").write_text(NOTE, encoding="utf-8")
    ingest_file(tmp_path / "note.txt", services, process_pool)
    services.index.sync()
    client = create_app(services).test_client()
    for path, body, _ in STREAMS:
        sent = {"model": MODEL, "stream": True, **body}
        whole = client.post(path.replace("streamG", "g"), json={**sent, "stream": False}).json
        streamed = client.post(path, json=sent).text
        text = read_response(streamed)[1].text
        assert (text, "sinks" in text) == (read_response(whole)[1].text, min_grounding == 0)
    services.close()
