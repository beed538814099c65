"""Numbers in addresses and forms, larger than any place: they lead nowhere, and nothing fails over them."""

from __future__ import annotations

import pytest
from werkzeug.datastructures import MultiDict

from highlighter.web.request_parameters import MAX_NUMBER, parse_count

HUGE = "9" * 5_000


@pytest.fixture
def client(client):
    client.application.config["TESTING"] = False  # a fault is answered as it is to a reader
    return client


@pytest.fixture
def signed(client, note):
    return client.post("/api/v1/embed/links", json={"document_id": note.id}).json["path"].partition("?")[0]


@pytest.mark.parametrize("written", ["-1", "1.5", "²", "½", "", " 1", "1_0", str(MAX_NUMBER + 1), "9" * 19, HUGE])
def test_what_is_no_place_is_no_number(written):
    assert MultiDict({"v": written}).get("v", type=parse_count) is None


def test_a_place_is_a_number():
    written = {"nothing": "0", "far": str(MAX_NUMBER), "padded": "0007"}
    assert [MultiDict(written).get(name, type=parse_count) for name in written] == [0, MAX_NUMBER, 7]


@pytest.mark.parametrize("huge", ["9" * 10, "9" * 19, "9" * 30, HUGE])
def test_a_part_or_page_beyond_all_numbers_is_not_there(client, note, signed, huge):
    parts = [f"chunks/{huge}", f"chunks/{huge}.pdf", f"pages/{huge}", f"pages/{huge}.webp", f"pages/{huge}.json"]
    below = [f"{huge}", f"{huge}.pdf", f"pages/{huge}", f"pages/{huge}.webp", f"pages/{huge}.json"]
    addresses = [f"/documents/{note.id}/{part}" for part in parts] + [f"{signed}/{note.id}/{part}" for part in below]
    answers = [client.get(address).status_code for address in addresses]
    assert set(answers) == {404}


@pytest.mark.parametrize("huge", ["-1", "9" * 19, "9" * 30, HUGE])
def test_what_an_address_says_besides_is_left_out_when_it_is_beyond_all_numbers(client, note, signed, huge):
    part, page = f"/documents/{note.id}/chunks/0", f"/documents/{note.id}/pages/1.json"
    for address in (part, page, signed, f"{signed}/{note.id}/0"):
        for asked in ({"v": huge}, {"start": huge}, {"at": f"{huge}-{huge}9"}, {"page": huge}):
            assert client.get(address, query_string=asked).status_code == 200, (address, asked)
    for asked in ({"start": huge}, {"at": f"{huge}-{huge}9"}):  # of a part that is no longer kept no place is known
        assert client.get(part, query_string={"v": "77", **asked}).status_code == 404
    for asked in ({"parts": huge}, {"page": huge}, {"page": f"-{huge}"}):
        assert client.get(f"/documents/{note.id}", query_string=asked).status_code < 400
    assert client.get("/search", query_string={"limit": huge, "q": "ferry"}).status_code == 200


@pytest.mark.parametrize("huge", ["9" * 19, HUGE])
def test_a_verdict_on_such_a_place_is_refused(client, note, huge):
    said = {"document": note.id, "chunk": "0", "v": "", "span": "0-9", "verdict": "right", "question": "Who?"}
    assert client.post("/feedback", data={**said, "chunk": huge}).status_code == 404
    assert client.post("/feedback", data={**said, "span": f"{huge}-{huge}9"}).status_code == 400
    assert client.post("/feedback", data={**said, "v": huge}).status_code == 201


@pytest.mark.parametrize("huge", ["9" * 19, HUGE])
def test_a_card_of_such_a_place_is_of_what_is_there(client, note, signed, huge):
    place = f"http://localhost/documents/{note.id}/chunks/0"
    for url in (
        f"{place}?v={huge}",
        f"{place}?start={huge}",
        f"{place}?at={huge}-{huge}9",
        f"http://localhost{signed}/{note.id}/0?v={huge}",
    ):
        assert client.get("/oembed", query_string={"url": url}).status_code == 200
    assert client.get("/oembed", query_string={"url": place.replace("/0", f"/{huge}")}).status_code == 404
    link = f"http://localhost{signed}"
    assert client.get("/oembed", query_string={"url": link, "maxwidth": huge}).status_code == 400
