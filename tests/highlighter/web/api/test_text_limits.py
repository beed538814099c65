"""Each text that a caller can write has a stated limit, beyond which it is refused; up to it, work grows with its length.

The texts are read from the OpenAPI document that the service publishes: a new one is tested without being listed here.
"""

from __future__ import annotations

import json

import pytest

from highlighter.answering.json_data import MAX_SCHEMA_CHARACTERS
from highlighter.web.api.quote_routes import MAX_REQUEST_BYTES
from highlighter.web.problems import PROBLEM_MEDIA_TYPE
from tests.highlighter.line_counts import MAX_GROWTH, measure_growth, repeat_unit
from tests.highlighter.web.api.text_fields import FORM, HEADER, PATH, list_text_fields, send_text

# A text below it cannot cost much, whatever is done with it.
MAX_SHORT_CHARACTERS = 5_000
# Where the document takes any JSON: a value with a text in it, and the limit of the whole.
ANYTHING = {
    "post /api/v1/answers schema": (lambda text: {"description": text}, MAX_SCHEMA_CHARACTERS),
    "post /api/v1/citations/native response": (lambda text: {"answer": text, "citations": []}, MAX_REQUEST_BYTES),
    "post /api/v1/citations/native responses.[]": (lambda text: {"answer": text, "citations": []}, MAX_REQUEST_BYTES),
    "post /api/v1/citations/native sources.[]": (lambda text: {"name": text}, MAX_REQUEST_BYTES),
}
PAGES = ("/api/v1/chunks/highlight",)  # their errors are pages, too
ACCEPTED = (200, 201, 202, 207)
HOSTILE = {
    "digits and brackets": repeat_unit("[12,345.6 "),
    "Chinese numbers": repeat_unit("一百二十"),
    "sentences": repeat_unit('"It leaves" at 7. '),
}


@pytest.fixture
def document(client):
    return client.get("/api/v1/openapi.json").json


@pytest.fixture
def ids(client, note):
    """The ids that the requests name: of a document, a note, and of what does not exist."""
    selector = {"type": "TextQuoteSelector", "exact": "Tickets cost four pounds"}
    made = client.post(f"/api/v1/documents/{note.id}/notes", json={"target": {"selector": selector}, "body": "Check."})
    return {"document_id": note.id, "note_id": made.json["note_id"], "answer_id": "0", "webhook_id": "0", "id": "0"}


def read_value_and_limit(field):
    """Return what makes a value of a text, and the limit; None where none is stated."""
    if field.takes_anything:
        return ANYTHING.get(str(field), (None, None))
    if field.place == FORM and field.name == "metadata":
        return (lambda text: json.dumps({"client": text})), field.limit
    return (lambda text: text), field.limit


def test_each_text_has_a_limit_and_a_longer_one_is_refused(client, document, ids):
    fields = list_text_fields(document)
    assert {field.place for field in fields} >= {PATH, HEADER}
    unlimited = [str(field) for field in fields if read_value_and_limit(field)[1] is None]
    assert unlimited == []
    accepted = []
    for field in fields:
        make_value, limit = read_value_and_limit(field)
        response = send_text(client, document, ids, field, make_value("a" * (limit + 1)))
        if not is_refused(response, field, limit):
            accepted.append((str(field), limit, response.status_code, response.text[:200]))
    assert accepted == []


def is_refused(response, field, limit) -> bool:
    """Return whether an error names the text or its limit; what a path names is not found."""
    if field.place == PATH:
        return (response.status_code, response.mimetype) == (404, PROBLEM_MEDIA_TYPE)
    if response.mimetype == PROBLEM_MEDIA_TYPE:
        messages = [response.json["detail"], *(error["parameter"] for error in response.json.get("errors", ()))]
    else:
        messages = [response.text] if field.path in PAGES else []
    return response.status_code in (400, 413) and any(field.name in text or f"{limit:,}" in text for text in messages)


@pytest.mark.parametrize("text", HOSTILE)
def test_work_grows_linearly_with_each_long_text(client, document, ids, text):
    growth = {}
    for field in list_text_fields(document):
        make_value, limit = read_value_and_limit(field)
        if limit is not None and limit > MAX_SHORT_CHARACTERS:

            def send(text_of_size, field=field, make_value=make_value):
                response = send_text(client, document, ids, field, make_value(text_of_size))
                is_read = response.status_code in ACCEPTED or "were not found in the text" in response.text
                assert is_read, (str(field), response.text)

            growth[str(field)] = measure_growth(send, HOSTILE[text])
    assert len(growth) > 10
    assert {field: ratio for field, ratio in growth.items() if ratio >= MAX_GROWTH} == {}
