"""A provider of language models that follows a script: a real server with the real wire formats."""

from __future__ import annotations

import json
import select
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from highlighter.secret import Secret
from tests.scripted import fake_replies
from tests.scripted.formats import Anthropic, OpenAI
from tests.scripted.received_request import ReceivedRequest


class ScriptedProvider:
    """The scripted provider. `play("gpt-x", Fails(500), Says("..."))` scripts the responses of a model.

    Each request takes the next play; the last play repeats. A model without plays is unknown. `requests` holds all
    requests in order.
    """

    key = "sk-scripted-0123456789-abcdefghij"

    def __init__(self) -> None:
        self.requests: list[ReceivedRequest] = []
        self.closing = threading.Event()
        self.hung_up = threading.Event()  # a client disconnected before the end of a reply
        self._plays: dict[str, list[fake_replies.Play]] = {}
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def play(self, model: str, *script: fake_replies.Play) -> None:
        self._plays[model] = list(script)

    def settings(self, *models: str) -> dict[str, Any]:
        """Return arguments of Settings for models that are all served by this provider."""
        addresses = {
            f"{name}_base_url": f"{self.url}/v1"
            for name in ("openai", "groq", "gemini", "openrouter", "ollama", "vllm")
        }
        keys = {f"{name}_api_key": Secret(self.key) for name in ("openai", "anthropic", "groq", "gemini", "openrouter")}
        return {"llm_models": models, **addresses, "anthropic_base_url": self.url, **keys}

    def requests_to(self, model: str) -> list[ReceivedRequest]:
        return [request for request in self.requests if request.model == model]

    def next_play(self, request: ReceivedRequest) -> fake_replies.Play:
        with self._lock:
            self.requests.append(request)
            script = self._plays.get(request.model)
            if not script:
                return fake_replies.Fails(404, f"The model '{request.model}' does not exist.")
            return script.pop(0) if len(script) > 1 else script[0]

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print errors, except for a client that disconnects."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _handler(scripted: ScriptedProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = ReceivedRequest(self.path, headers, body, time.monotonic())
            play = scripted.next_play(request)
            try:
                _Response(self, scripted, request).perform(play)
            except (BrokenPipeError, ConnectionResetError):
                scripted.hung_up.set()
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            """Log nothing: tests read `requests`."""

    return Handler


class _Response:
    """The response to one request, as its play demands."""

    def __init__(self, handler: BaseHTTPRequestHandler, scripted: ScriptedProvider, request: ReceivedRequest):
        self.handler, self.scripted, self.request = handler, scripted, request
        self.format = Anthropic if request.path.endswith("/messages") else OpenAI

    def perform(self, play: Any) -> None:
        getattr(self, f"_{type(play).__name__.lower()}")(play)

    def _says(self, play: fake_replies.Says) -> None:
        text = play.words if isinstance(play.words, str) else play.words(self.request)
        if not self.request.is_streamed:
            return self._send_json(200, self.format.answer(self.request.model, text, play.finish, play.tokens))
        with self._stream() as send:
            for event in self._text_events(text, play.piece, play.tokens):
                send(event)
            for event in self.format.end(self.request.model, play.finish, play.tokens):
                send(event)

    def _fails(self, play: fake_replies.Fails) -> None:
        self._send_json(play.status, self.format.error(play.message, play.parameter, play.status), play.headers)

    def _slow(self, play: fake_replies.Slow) -> None:
        kind = "text/event-stream" if self.request.is_streamed else "application/json"
        if play.drips:
            self._send_head(200, kind, {"Transfer-Encoding": "chunked"})
        while not self.scripted.closing.wait(0.02):
            if play.drips:
                self.handler.wfile.write(b"1\r\n\n\r\n")
            elif select.select([self.handler.connection], [], [], 0)[0]:  # readable: the client closed the connection
                raise ConnectionResetError
        self.handler.close_connection = True

    def _cut(self, play: fake_replies.Cut) -> None:
        self.handler.close_connection = True
        if self.request.is_streamed:
            self._send_head(200, "text/event-stream", {} if play.politely else {"Transfer-Encoding": "chunked"})
            for event in self._text_events(play.words, 5):
                self.handler.wfile.write(event if play.politely else b"%x\r\n%s\r\n" % (len(event), event))
            return
        body = json.dumps(self.format.answer(self.request.model, play.words, "stop", (1, 1))).encode()
        self._send_head(200, "application/json", {} if play.politely else {"Content-Length": str(len(body))})
        self.handler.wfile.write(body[: len(body) // 2])

    def _failsmidway(self, play: fake_replies.FailsMidway) -> None:
        with self._stream() as send:
            for event in self._text_events(play.words, 5):
                send(event)
            send(self.format.error_event(play.message))

    def _malformed(self, play: fake_replies.Malformed) -> None:
        if not self.request.is_streamed:
            return self._send(200, "application/json", b'{"choices": [{"message": {"content": "The fer')
        with self._stream() as send:
            for event in self._text_events(play.words, 5) if play.words else ():
                send(event)
            send(self.format.malformed_event)

    def _shapeless(self, play: fake_replies.Shapeless) -> None:
        self._send(200, "application/json", play.body.encode())

    def _huge(self, play: fake_replies.Huge) -> None:
        text = "word " * (play.size // 5)
        if not self.request.is_streamed:
            return self._send_json(200, self.format.answer(self.request.model, text, "stop", (1, 1)))
        with self._stream() as send:
            for event in self._text_events(text, 10_000):
                send(event)
            for event in self.format.end(self.request.model, "stop", (1, 1)):
                send(event)

    def _page(self, play: fake_replies.Page) -> None:
        self._send(play.status, "text/html; charset=utf-8", play.html.encode())

    def _nothing(self, play: fake_replies.Nothing) -> None:
        if play.bare:
            return self._send(200, "text/event-stream" if self.request.is_streamed else "application/json", b"")
        self._says(fake_replies.Says("", finish=play.finish))

    def _unless(self, play: fake_replies.Unless) -> None:
        if play.parameter in self.request.body:
            self._fails(fake_replies.Fails(400, play.message.format(play.parameter), parameter=play.parameter))
        else:
            self.perform(play.then)

    def _text_events(self, text: str, piece: int, tokens: tuple[int, int] = (1, 1)) -> Iterator[bytes]:
        pieces = [text[start : start + piece] for start in range(0, len(text), piece)]
        return self.format.pieces(self.request.model, pieces, tokens)

    def _stream(self) -> _Chunks:
        self._send_head(200, "text/event-stream", {"Transfer-Encoding": "chunked"})
        return _Chunks(self.handler.wfile)

    def _send_json(self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        self._send(status, "application/json", json.dumps(body).encode(), headers)

    def _send(self, status: int, kind: str, body: bytes, headers: dict[str, str] | None = None) -> None:
        self._send_head(status, kind, {"Content-Length": str(len(body)), **(headers or {})})
        self.handler.wfile.write(body)

    def _send_head(self, status: int, kind: str, headers: dict[str, str]) -> None:
        self.handler.send_response(status)
        for name, value in {"Content-Type": kind, **headers}.items():
            self.handler.send_header(name, value)
        if "Content-Length" not in headers and "Transfer-Encoding" not in headers:
            self.handler.send_header("Connection", "close")  # the end of the connection ends the body
        self.handler.end_headers()


class _Chunks:
    def __init__(self, wfile: Any):
        self._wfile = wfile

    def __enter__(self) -> Any:
        return self._send

    def __exit__(self, *exception: Any) -> None:
        if exception[0] is None:
            self._wfile.write(b"0\r\n\r\n")

    def _send(self, event: bytes) -> None:
        self._wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        self._wfile.flush()
