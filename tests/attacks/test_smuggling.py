"""A request whose end can be read in two ways is refused, and what follows on its connection is not answered.

Before the service there may be a proxy that reads the end of a request in another way. Were the rest answered as a request
of its own, the proxy would hand its response to another client.
"""

from __future__ import annotations

import json
import re
import socket
from contextlib import suppress
from itertools import dropwhile
from typing import Any

import pytest

from tests.browser.nginx import deployed_proxy
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


def test_proxy_and_service_agree_on_where_requests_end(tmp_path):
    """What the service answers is what the proxy asked: each of its responses is in the log of the proxy."""
    with serving(
        tmp_path / "data", LOG_LEVEL="info", LOG_FORMAT="json", TRUSTED_PROXIES="127.0.0.1", REQUIRE_KEYS="0"
    ) as address:
        service_port = int(address.rpartition(":")[2])
        with deployed_proxy([service_port], tmp_path) as port:
            for name, sent in AMBIGUOUS.items():
                exchange_bytes(port, sent + LAST_REQUEST)
                text = exchange_bytes(port, LAST_REQUEST)  # of another client
                assert (text.count("HTTP/1.1 "), text.endswith("well\n")) == (1, True), name
    logged_ids = set((tmp_path / "access.log").read_text(encoding="utf-8").split())
    lines = (tmp_path / "data" / "server.log").read_text(encoding="utf-8").splitlines()
    requests = [line for line in map(read_line, lines) if "route" in line]
    answered = list(dropwhile(lambda line: line["route"] != "/healthz", requests))  # the first are not of the proxy
    assert len(answered) >= len(AMBIGUOUS)
    assert [line for line in answered if line["request_id"] not in logged_ids] == []


LAST_REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def exchange_bytes(port: int, sent: bytes) -> str:
    """Send this, and return what comes until the proxy closes the connection; it drops clients that close theirs first."""
    text = b""
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS) as client, suppress(OSError):
        client.sendall(sent)
        while received := client.recv(1 << 16):
            text += received
    return text.decode("utf-8", "replace")


def read_line(line: str) -> dict[str, Any]:
    """Return a line of the service's log; nothing for one that is no JSON."""
    try:
        return dict(json.loads(line))
    except ValueError:
        return {}


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
