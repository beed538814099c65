"""A chat page on an origin of its own, and the two calls that its server makes for it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).parent
USUAL = "http://127.0.0.1:8000"
LINK_FIELDS = (
    "document_id",
    "page",
    "quote",
    "question",
)  # no scope, no collection, no time: those are this server's to say
SHOWN = "For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200."


class Host(SimpleHTTPRequestHandler):
    highlighter = USUAL
    key = ""
    origin = ""  # where its readers come to; what a request says of that is the asker's word alone

    def __init__(self, *what, **how):
        super().__init__(*what, directory=str(HERE), **how)

    def do_GET(self) -> None:
        if self.path.partition("?")[0] != "/":
            return super().do_GET()
        page = (HERE / "index.html").read_text(encoding="utf-8").replace(USUAL, self.highlighter)
        self._answer(200, page.encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        if self.path == "/resolve":
            self._pass_on("/api/v1/citations/resolve", {"text": body["text"]})
        elif self.path == "/link?shown":
            self._link({"quote": SHOWN})
        elif self.path == "/link":
            self._link(body)
        else:
            self._answer(404, b"{}")

    def _link(self, body: dict) -> None:
        """Only what this reader may see: here a server of your own looks who is asking. The key stays on this side."""
        wanted = {name: body[name] for name in LINK_FIELDS if body.get(name) is not None}
        self._pass_on("/api/v1/embed/links", {**wanted, "origins": [self.origin]})

    def _pass_on(self, path: str, what: dict) -> None:
        """Answers as it was answered: of a refusal, too, whose `detail` is a sentence for readers."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self.key}"} if self.key else {})}
        request = urllib.request.Request(self.highlighter + path, json.dumps(what).encode(), headers)
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
        """Quiet."""


def host(
    port: int, highlighter: str = USUAL, key: str = "", handler: type[Host] = Host, origin: str = ""
) -> ThreadingHTTPServer:
    """Ready to serve on this machine; any free port for 0."""
    known = type(handler.__name__, (handler,), {"highlighter": highlighter.rstrip("/"), "key": key})
    server = ThreadingHTTPServer(("127.0.0.1", port), known)
    known.origin = origin or f"http://localhost:{server.server_port}"
    return server
