"""A chat page on its own origin, and the two API calls that its server makes for it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).parent
DEFAULT_SERVICE_URL = "http://127.0.0.1:8000"
FORWARDED_FIELDS = (
    "document_id",
    "page",
    "quote",
    "question",
)  # not scope, collection or lifetime: this server decides those
SHOWN_QUOTE = "For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200."


class Host(SimpleHTTPRequestHandler):
    highlighter = DEFAULT_SERVICE_URL
    key = ""
    origin = ""  # the page's public origin; a request's own headers are not trusted for it

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, directory=str(HERE), **options)

    def do_GET(self) -> None:
        if self.path.partition("?")[0] != "/":
            return super().do_GET()
        page = (HERE / "index.html").read_text(encoding="utf-8").replace(DEFAULT_SERVICE_URL, self.highlighter)
        self._answer(200, page.encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        if self.path == "/resolve":
            self._forward("/api/v1/citations/resolve", {"text": body["text"]})
        elif self.path == "/link?shown":
            self._link({"quote": SHOWN_QUOTE})
        elif self.path == "/link":
            self._link(body)
        else:
            self._answer(404, b"{}")

    def _link(self, body: dict) -> None:
        """Request a signed link. Check here what the user may see. The key stays on the server."""
        fields = {name: body[name] for name in FORWARDED_FIELDS if body.get(name) is not None}
        self._forward("/api/v1/embed/links", {**fields, "origins": [self.origin]})

    def _forward(self, path: str, body: dict) -> None:
        """Forward a request and its response, errors included: their `detail` is a sentence for readers."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self.key}"} if self.key else {})}
        request = urllib.request.Request(self.highlighter + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                self._answer(answer.status, answer.read())
        except urllib.error.HTTPError as err:
            with err:
                self._answer(err.code, err.read())

    def _answer(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_) -> None:
        """Log nothing."""


def host(
    port: int, highlighter: str = DEFAULT_SERVICE_URL, key: str = "", handler: type[Host] = Host, origin: str = ""
) -> ThreadingHTTPServer:
    """Return a server for this machine; port 0 means any free port."""
    handler_class = type(handler.__name__, (handler,), {"highlighter": highlighter.rstrip("/"), "key": key})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler_class)
    handler_class.origin = origin or f"http://localhost:{server.server_port}"
    return server
