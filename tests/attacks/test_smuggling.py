"""A request whose end can be read in two ways is refused, and what follows on its connection is not answered.

Before the service there may be a proxy that reads the end of a request in another way. Were the rest answered as a request
of its own, the proxy would hand its response to another client.
"""

from __future__ import annotations

import re
import socket

import pytest

from tests.browser.serving import serving

pytestmark = pytest.mark.slow  # starts a server
TIMEOUT_SECONDS = 30  # for a busy machine
SMUGGLED = b"GET /static/favicon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n"
HOST = b"POST /api/v1/citations/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
END = b"0\r\n\r\n"


def chunked(*headers: bytes) -> bytes:
    """Return a request with headers and an empty chunked body, and the smuggled request after it."""
    return HOST + b"".join(header + b"\r\n" for header in headers) + b"\r\n" + END + SMUGGLED


def sized(*headers: bytes, body: bytes = b"") -> bytes:
    """Return a request with headers, a body and the smuggled request, which one of the two readings counts as body."""
    return HOST + b"".join(header + b"\r\n" for header in headers) + b"\r\n" + body + SMUGGLED


LENGTH, TE = b"Content-Length: 5", b"Transfer-Encoding: chunked"
AMBIGUOUS = {
    "length and chunks": chunked(LENGTH, TE),
    "chunks and length": chunked(TE, LENGTH),
    "long length and chunks": chunked(b"Content-Length: %d" % len(END + SMUGGLED), TE),
    "two lengths": sized(b"Content-Length: 0", b"Content-Length: %d" % len(SMUGGLED)),
    "two lengths in one": sized(b"Content-Length: 0, %d" % len(SMUGGLED)),
    "length with a sign": sized(b"Content-Length: +0"),
    "negative length": sized(b"Content-Length: -1"),
    "length in hexadecimal": sized(b"Content-Length: 0x0"),
    "length with an underscore": sized(b"Content-Length: 0_0"),
    "length with a word": sized(b"Content-Length: 0 zero"),
    "length in other digits": sized("Content-Length: ٠".encode()),
    "space before the colon": sized(b"Content-Length : %d" % len(SMUGGLED)),
    "tab before the colon": chunked(b"Transfer-Encoding\t: chunked"),
    "folded header": chunked(b"Transfer-Encoding:\r\n chunked"),
    "folded length": sized(b"X: y\r\n Content-Length: %d" % len(SMUGGLED)),
    "chunks in quotation marks": chunked(LENGTH, b'Transfer-Encoding: "chunked"'),
    "chunks and something": chunked(b"Transfer-Encoding: chunked, identity"),
    "something": chunked(LENGTH, b"Transfer-Encoding: xchunked"),
    "identity": chunked(LENGTH, b"Transfer-Encoding: identity"),
    "chunks twice": chunked(TE, TE),
    "chunks twice in one": chunked(b"Transfer-Encoding: chunked, chunked"),
    "chunks, then not": chunked(TE, b"Transfer-Encoding: identity"),
    "vertical tab": chunked(LENGTH, b"Transfer-Encoding: \x0bchunked"),
    "form feed": chunked(LENGTH, b"Transfer-Encoding:\x0cchunked"),
    "NUL in a header": chunked(LENGTH, b"Transfer-Encoding: chunked\0"),
    "CR in a header": chunked(LENGTH, b"X: y\rTransfer-Encoding: chunked"),
    "LF in a header": chunked(LENGTH, b"X: y\nTransfer-Encoding: chunked"),
    "chunks of HTTP/1.0": chunked(TE).replace(b"HTTP/1.1", b"HTTP/1.0", 1),
    "chunk of negative size": sized(TE, body=b"-1\r\n\r\n"),
    "chunk size with a sign": sized(TE, body=b"+0\r\n\r\n"),
    "chunk size in hexadecimal": sized(TE, body=b"0x0\r\n\r\n"),
    "chunk size with an underscore": sized(TE, body=b"0_0\r\n\r\n"),
    "chunk size with a space": sized(TE, body=b"0 \r\n\r\n" b""),
    "chunk that ends in LF": sized(TE, body=b"0\n\n"),
    "chunk without its end": sized(TE, body=b"1\r\na" + END),
    "trailer that is no header": sized(TE, body=b"0\r\nno header\r\n\r\n"),
    "trailer with a length": sized(TE, body=b"0\r\nContent-Length: %d\r\n\r\n" % len(SMUGGLED)),
    "two hosts": sized(LENGTH, b"Host: evil.example", body=b"{}   "),
    "no version": HOST.replace(b" HTTP/1.1", b"", 1) + b"Content-Length: 0\r\n\r\n" + SMUGGLED,
    "request line with spaces": HOST.replace(b" HTTP", b" x HTTP", 1) + b"Content-Length: 0\r\n\r\n" + SMUGGLED,
}  # fmt: skip


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("served")) as address:
        yield int(address.rpartition(":")[2])


@pytest.mark.parametrize("sent", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_ambiguous_request_smuggles_nothing(port, sent):
    statuses, text = read_responses(port, sent)
    assert "<svg" not in text, statuses
    assert len(statuses) <= 1


def test_two_plain_requests_get_two_responses(port):
    """What the other test looks for is there when nothing is ambiguous."""
    statuses, text = read_responses(port, sized(b"Content-Length: 2", body=b"{}"))
    assert (len(statuses), "<svg" in text) == (2, True)


def read_responses(port: int, sent: bytes) -> tuple[list[str], str]:
    """Return the status codes and the whole text of what a connection gets that sends this and says that this is all."""
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        text = client.makefile("rb").read().decode("utf-8", "replace")
    return re.findall(r"HTTP/1\.[01] (\d{3})", text), text


@pytest.mark.parametrize(
    "headers", [b"SCRIPT_NAME: /embed/x", b"Script-Name: /embed/x", b"PATH_INFO: /documents", b"X-Original-URL: /documents",
                b"X-Rewrite-URL: /documents", b"X-Forwarded-Prefix: /embed/x", b"X-HTTP-Method-Override: GET"]
)  # fmt: skip
def test_header_leads_to_no_other_path(port, headers):
    """A proxy that lets only signed links through decides by the path that it sees."""
    get = b"GET /embed/x/documents HTTP/1.1\r\nHost: localhost\r\n"
    statuses, text = read_responses(port, get + headers + b"\r\n\r\n")
    assert statuses == ["404"], text
