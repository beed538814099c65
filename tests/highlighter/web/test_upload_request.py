"""Tests of uploaded files as they are received."""

from __future__ import annotations

import io

import pytest
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from highlighter.app import MAX_FORM_PARTS
from highlighter.web.upload_request import UploadRequest

LARGE = b"x" * 600_000  # received in a temporary file


@pytest.mark.parametrize(
    ("refused", "status"),
    [
        ({"metadata": LARGE.decode()}, 413),
        ({f"field {number}": "x" for number in range(MAX_FORM_PARTS)}, 413),
        ({"metadata": "no JSON"}, 400),
    ],
)
def test_temporary_file_of_refused_upload_is_closed(client, monkeypatch, refused, status):
    received = []
    keep = UploadRequest._get_file_stream

    def receive(*arguments, **options):
        received.append(keep(*arguments, **options))
        return received[-1]

    monkeypatch.setattr(UploadRequest, "_get_file_stream", receive)
    form = {"file": FileStorage(io.BytesIO(LARGE), "tide.txt"), **refused}
    boundary, body = encode_multipart(form)  # in memory: the client would leave a temporary file of its own
    sent = client.post("/api/v1/documents", data=body, content_type=f"multipart/form-data; boundary={boundary}")
    assert sent.status_code == status
    assert [stream.closed for stream in received] == [True]
