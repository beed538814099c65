"""Numbers in URLs and forms: those that are larger than any page or offset cause no error."""

from __future__ import annotations

import pytest
from werkzeug.datastructures import MultiDict

from highlighter.web.request_parameters import MAX_NUMBER, parse_count

HUGE = "9" * 5_000


@pytest.fixture
def client(client):
    client.application.config["TESTING"] = False  # errors are answered as in production
    return client


@pytest.fixture
def signed_path(client, note):
    return client.post("/api/v1/embed/links", json={"document_id": note.id}).json["path"].partition("?")[0]


@pytest.mark.parametrize("text", ["-1", "1.5", "²", "½", "", " 1", "1_0", str(MAX_NUMBER + 1), "9" * 19, HUGE])
def test_malformed_count_is_ignored(text):
    assert MultiDict({"v": text}).get("v", type=parse_count) is None


def test_counts_are_parsed():
    parameters = {"nothing": "0", "far": str(MAX_NUMBER), "padded": "0007"}
    assert [MultiDict(parameters).get(name, type=parse_count) for name in parameters] == [0, MAX_NUMBER, 7]


@pytest.mark.parametrize("huge", ["9" * 10, "9" * 19, "9" * 30, HUGE])
def test_chunk_or_page_beyond_max_number_is_not_found(client, note, signed_path, huge):
    paths = [f"chunks/{huge}", f"chunks/{huge}.pdf", f"pages/{huge}", f"pages/{huge}.webp", f"pages/{huge}.json"]
    paths_below_link = [f"{huge}", f"{huge}.pdf", f"pages/{huge}", f"pages/{huge}.webp", f"pages/{huge}.json"]
    urls = [f"/documents/{note.id}/{path}" for path in paths] + [
        f"{signed_path}/{note.id}/{path}" for path in paths_below_link
    ]
    answers = [client.get(url).status_code for url in urls]
    assert set(answers) == {404}


@pytest.mark.parametrize("huge", ["-1", "9" * 19, "9" * 30, HUGE])
def test_other_parameters_beyond_max_number_are_ignored(client, note, signed_path, huge):
    part, page = f"/documents/{note.id}/chunks/0", f"/documents/{note.id}/pages/1.json"
    for url in (part, page, signed_path, f"{signed_path}/{note.id}/0"):
        for query in ({"v": huge}, {"start": huge}, {"at": f"{huge}-{huge}9"}, {"page": huge}):
            assert client.get(url, query_string=query).status_code == 200, (url, query)
    for query in ({"start": huge}, {"at": f"{huge}-{huge}9"}):  # a chunk of an unknown pipeline without a usable offset
        assert client.get(part, query_string={"v": "77", **query}).status_code == 404
    for query in ({"parts": huge}, {"page": huge}, {"page": f"-{huge}"}):
        assert client.get(f"/documents/{note.id}", query_string=query).status_code < 400
    assert client.get("/search", query_string={"limit": huge, "q": "ferry"}).status_code == 200


@pytest.mark.parametrize("huge", ["9" * 19, HUGE])
def test_feedback_on_chunk_or_span_beyond_max_number_is_refused(client, note, huge):
    form = {"document": note.id, "chunk": "0", "v": "", "span": "0-9", "verdict": "right", "question": "Who?"}
    assert client.post("/feedback", data={**form, "chunk": huge}).status_code == 404
    assert client.post("/feedback", data={**form, "span": f"{huge}-{huge}9"}).status_code == 400
    assert client.post("/feedback", data={**form, "v": huge}).status_code == 201


@pytest.mark.parametrize("huge", ["9" * 19, HUGE])
def test_oembed_ignores_parameters_beyond_max_number(client, note, signed_path, huge):
    url = f"http://localhost/documents/{note.id}/chunks/0"
    for card_url in (
        f"{url}?v={huge}",
        f"{url}?start={huge}",
        f"{url}?at={huge}-{huge}9",
        f"http://localhost{signed_path}/{note.id}/0?v={huge}",
    ):
        assert client.get("/oembed", query_string={"url": card_url}).status_code == 200
    assert client.get("/oembed", query_string={"url": url.replace("/0", f"/{huge}")}).status_code == 404
    link = f"http://localhost{signed_path}"
    assert client.get("/oembed", query_string={"url": link, "maxwidth": huge}).status_code == 400
