"""Use the client that openapi-python-client generates, against a running service: python use.py URL KEY."""

from __future__ import annotations

import io
import json
import sys
import time

from highlighter_client import AuthenticatedClient
from highlighter_client.api.answers import create_answer
from highlighter_client.api.documents import get_document, list_documents, upload_document
from highlighter_client.api.search import search
from highlighter_client.models import AnswerRequest, SearchRequest, UploadForm
from highlighter_client.types import File

QUESTION, COLLECTION = "When does the harbour close?", "python"


def main(url: str, key: str) -> None:
    client = AuthenticatedClient(base_url=url, token=key)
    file = File(io.BytesIO(b"The harbour closes at nine in the evening."), "harbour.txt")
    document = upload_document.sync(client=client, body=UploadForm(file=file, collection=COLLECTION))
    while document.state in ("queued", "reading"):
        time.sleep(0.1)
        document = get_document.sync(document.document_id, client=client)
    found = search.sync(client=client, body=SearchRequest(question=QUESTION, collection=COLLECTION))
    body = AnswerRequest(question=QUESTION, collection=COLLECTION)
    answer = create_answer.sync(client=client, body=body, idempotency_key="python-1")
    page = list_documents.sync_detailed(client=client, limit=1, collection=COLLECTION)
    missing = get_document.sync("none", client=client)
    shown = {
        "state": document.state, "hit": found.hits[0].text, "quote": answer.citations[0].quote,
        "link": page.headers["link"], "listed": [one.name for one in page.parsed.documents], "problem": missing.type_,
    }  # fmt: skip
    print(json.dumps(shown))


main(*sys.argv[1:])
